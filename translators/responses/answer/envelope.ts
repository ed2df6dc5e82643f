import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import type { WireEnding } from '../response/stop.js';

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

/** The members of an answer that change from one event of its stream to the next. */
export function changing({ status, usage, tier, completedAt, ending }: Progress): JsonObject {
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
    losses.add('', 'tier', 'approximated', 'the target has no such tier; reported as the default');
  }
  if ((extraCandidates?.length ?? 0) > 0)
    losses.add('', 'candidates', 'dropped', 'only the first candidate is returned');
}
