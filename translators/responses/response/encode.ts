import { dropExtras } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { createAnswerWriter } from '../answer/writer.js';
import { encodeInput } from '../content/turns.js';
import { bagOf, DIALECT, echoIn, NATIVE, remembered, responseId } from '../nodes.js';
import { encodeFinish, type WireEnding } from './stop.js';
import { encodeForeignUsage, encodeOwnUsage } from './usage.js';

/** A whole answer for a client; an answer of this dialect is printed as it came. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwn(response, context) : encodeForeign(response, context);
}

function encodeOwn(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const form = remembered(response);
  if (form !== undefined) return { ...form };
  const { ext, finish, error, parts } = response;
  const refused = parts.some(({ kind }) => kind === 'refusal');
  const ending = encodeFinish(finish, error, { refused, compacted: true }, context.losses);
  const body: JsonObject = {
    id: response.id,
    object: 'response',
    ...Object.fromEntries(Object.entries(bagOf(response) ?? {})),
    status: ending.status,
    error: ending.error ?? null,
    incomplete_details: ending.incompleteReason === undefined ? null : { reason: ending.incompleteReason },
    ...echoIn(ext),
    output: nativeOutput(parts),
  };
  if (response.createdAt !== undefined) body.created_at = response.createdAt;
  if (response.model !== '') body.model = response.model;
  if (response.usage !== undefined) body.usage = encodeOwnUsage(response.usage);
  if (response.tier !== undefined) body.service_tier = response.tier;
  if (finish.dialect !== DIALECT) body.status = 'completed';
  return body;
}

function nativeOutput(parts: readonly Part[]): unknown {
  if (parts.length === 0) return [];
  const turns = [{ role: 'assistant', parts } as const];
  return encodeInput({ source: DIALECT, model: '', stream: false, instructions: [], turns, tools: [] }, [], NATIVE);
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  dropExtras(response, DIALECT, context.losses);
  reportEnvelope(response, context.losses);
  const id = responseId(response.id, context);
  const writer = createAnswerWriter({
    responseId: id,
    native: false,
    asIssuer: context.asIssuer,
    losses: context.losses,
  });
  response.parts.forEach((part, ix) => {
    writer.write({ type: 'part.start', ix, part });
    writer.write({ type: 'part.end', ix, part });
  });
  const ending = writer.end(response.finish, response.error);
  const isUncounted = ending.status === 'failed' && response.usage === undefined;
  const progress = {
    status: ending.status,
    usage: isUncounted ? null : encodeForeignUsage(response.usage, context.losses),
    tier: tierOf(response.tier),
    completedAt: ending.status === 'completed' ? Math.floor(context.now) : undefined,
    ending,
  };
  // Assigned, because spreading so many keys takes longer than all the rest.
  return Object.assign(createEnvelope(id, response.model, context), changing(progress), { output: writer.items });
}

/** What every copy of one answer's response object says alike: who made it, and the client's own settings. */
export type Envelope = Readonly<JsonObject>;

/** What changes from one lifecycle event to the next. */
interface Progress {
  readonly status: string;
  readonly usage: JsonObject | null;
  readonly tier: string;
  readonly completedAt?: number;
  readonly ending?: WireEnding;
}

/** The fields that {@link Progress} fills. */
export const CHANGING: ReadonlySet<string> = new Set([
  'status',
  'completed_at',
  'error',
  'incomplete_details',
  'output',
  'usage',
  'service_tier',
]);

/**
 * The envelope of another service's answer. Settings are the client's, not those sent to the backend, with the
 * service's defaults where the client said nothing [R §4.1]; the model is called as the client called it.
 */
export function createEnvelope(id: string, backendModel: string, context: EncodeResponseContext): Envelope {
  const asked = context.requestBody ?? {};
  const given = (key: string, otherwise: unknown): unknown => asked[key] ?? otherwise;
  return {
    id,
    object: 'response',
    created_at: Math.floor(context.now),
    background: given('background', false),
    instructions: typeof asked.instructions === 'string' ? asked.instructions : null,
    max_output_tokens: given('max_output_tokens', null),
    max_tool_calls: given('max_tool_calls', null),
    model: context.model ?? backendModel,
    parallel_tool_calls: given('parallel_tool_calls', true),
    previous_response_id: given('previous_response_id', null),
    ...conversationOf(asked.conversation),
    prompt_cache_key: given('prompt_cache_key', null),
    prompt_cache_retention: given('prompt_cache_retention', null),
    reasoning: { effort: null, summary: null, ...(isObject(asked.reasoning) && asked.reasoning) },
    safety_identifier: given('safety_identifier', null),
    // What a host stores it says in the body it passes; nothing is kept unless it does.
    store: given('store', false),
    temperature: given('temperature', 1),
    text: { format: { type: 'text' }, verbosity: 'medium', ...(isObject(asked.text) && withoutNulls(asked.text)) },
    tool_choice: given('tool_choice', 'auto'),
    tools: Array.isArray(asked.tools) ? asked.tools.map(echoTool) : [],
    top_logprobs: given('top_logprobs', 0),
    top_p: given('top_p', 1),
    truncation: given('truncation', 'disabled'),
    user: given('user', null),
    metadata: given('metadata', {}),
    frequency_penalty: 0,
    presence_penalty: 0,
    access_programs: given('access_programs', null),
  };
}

function conversationOf(conversation: unknown): JsonObject {
  if (typeof conversation === 'string') return { conversation: { id: conversation } };
  return isObject(conversation) ? { conversation } : {};
}

function withoutNulls(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

/** The echo carries the resolved `strict`; nothing is held to a schema unless that was asked for [R §2.6 rule 2]. */
function echoTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== 'function') return tool;
  return { ...tool, parameters: tool.parameters ?? null, strict: tool.strict ?? false };
}

function changing({ status, usage, tier, completedAt, ending }: Progress): JsonObject {
  return {
    status,
    completed_at: completedAt ?? null,
    error: ending?.error ?? null,
    incomplete_details: ending?.incompleteReason === undefined ? null : { reason: ending.incompleteReason },
    usage,
    service_tier: tier,
  };
}

/** The response object as text; the envelope and the items are text already. */
export function responseText(envelopeText: string, items: readonly string[], progress: Progress): string {
  const rest = JSON.stringify(changing(progress)).slice(1);
  return `${envelopeText.slice(0, -1)},"output":[${items.join(',')}],${rest}`;
}

/** The word for the tier that another service used. */
export function tierOf(tier: string | undefined): string {
  const word = tier?.toLowerCase();
  return word === 'flex' || word === 'priority' ? word : 'default';
}

/** The ordinary tier as services call it. */
const ORDINARY: ReadonlySet<string> = new Set(['default', 'standard']);

/** Reports what another service says of an answer as a whole, and an answer here cannot. */
export function reportEnvelope(
  { tier, extraCandidates }: { readonly tier?: string; readonly extraCandidates?: readonly unknown[] },
  losses: Losses,
): void {
  if (tier !== undefined && tierOf(tier) === 'default' && !ORDINARY.has(tier.toLowerCase())) {
    losses.add('', 'tier', 'approximated', 'the tier has no word here; it reads as the ordinary one');
  }
  if ((extraCandidates?.length ?? 0) > 0)
    losses.add('', 'candidates', 'dropped', 'only the first candidate is returned');
}
