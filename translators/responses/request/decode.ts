import { furtherKeys } from '../../adapt/index.js';
import type { Part, TextPart } from '../../canonical/content.js';
import type { JsonObject, Node } from '../../canonical/node.js';
import type { CanonicalRequest, Instruction, OutputFormat } from '../../canonical/request.js';
import type { DecodeRequestContext, StoredItems } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { type Conversation, decodeInput, decodeStringInput } from '../content/turns.js';
import { CLIENT, check, DIALECT, fault, keysOf, origin, remember } from '../nodes.js';
import { decodeToolChoice } from '../tools/choice.js';
import { decodeTools } from '../tools/decode.js';
import * as wire from '../wire/index.js';
import { decodeOutput } from './output.js';
import { decodeReasoningSettings } from './reasoning.js';
import { decodeCache, decodeState } from './settings.js';

const BODY = keysOf(wire.requestBody);

/** Keys that are nodes or groups of their own: a null there is spelled by the group. */
const POINTERS: Readonly<Record<string, string>> = {
  temperature: 'sampling.temperature',
  top_p: 'sampling.topP',
  max_output_tokens: 'maxOutput',
  max_tool_calls: 'maxToolCalls',
  top_logprobs: 'logprobs',
  metadata: 'metadata',
  service_tier: 'tier',
  truncation: 'truncate',
  include: 'include.detail',
  input: 'turns',
  prompt_cache_key: 'cache.key',
  prompt_cache_options: 'cache.ttl',
  previous_response_id: 'state.previousId',
  conversation: 'state.conversation',
  store: 'state.store',
  background: 'state.background',
  prompt: 'state.template',
  safety_identifier: 'user',
  parallel_tool_calls: 'toolChoice.parallel',
};

/** A create body as the model sees it (translation.md 2.2). Throws `invalid_request` with the path of the fault. */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  const raw = check(wire.looseObject, body, '');
  const fields = check(wire.requestBody, raw, '');
  requireSource(fields, context);
  const extra: JsonObject = {};
  const whole = wholeInput(fields, context.state);
  const { instructions, turns } = conversation(fields, whole);
  const cache = decodeCache(fields, CLIENT);
  const resolved = whole?.chained === true ? { ...fields, previous_response_id: null } : fields;
  const state = decodeState(resolved);
  Object.assign(extra, cache.extra, state.extra);
  const text = fields.text ? decodeText(fields.text, extra) : {};
  const decoded: CanonicalRequest = {
    source: DIALECT,
    model: fields.model ?? context.model ?? '',
    stream: fields.stream ?? context.stream ?? false,
    instructions,
    turns,
    tools: fields.tools ? decodeTools(fields.tools, '/tools', CLIENT) : [],
    toolChoice: decodeToolChoice(fields.tool_choice, fields.parallel_tool_calls, fields.tools ?? [], CLIENT),
    ...text,
    reasoning: fields.reasoning ? decodeReasoningSettings(fields.reasoning, CLIENT) : undefined,
    ...scalars(fields, extra),
    cache: cache.cache,
    state: state.state,
    at: pointers(raw),
  };
  const from = origin(raw, BODY, '');
  const bag = { ...from.ext?.[DIALECT], ...extra };
  const request = { ...decoded, src: from.src, ext: Object.keys(bag).length === 0 ? undefined : { [DIALECT]: bag } };
  // What the context adds is not in the body.
  const isBody = whole === undefined && request.model === (raw.model ?? '') && request.stream === (raw.stream ?? false);
  return isBody ? remember(request, raw) : request;
}

/** Something must be there to answer [R §7 row 1]. */
function requireSource(fields: wire.Request, { counting, model }: DecodeRequestContext): void {
  const chained = fields.previous_response_id ?? fields.conversation ?? fields.prompt;
  if (!fields.model && model === undefined && !fields.prompt && counting !== true) {
    throw fault(CLIENT, '/model', 'the name of a model is missing');
  }
  const empty = fields.input === undefined || fields.input === null;
  if (empty && !chained && !fields.instructions) throw fault(CLIENT, '/input', 'there is no input to answer');
}

function conversation(fields: wire.Request, whole: WholeInput | undefined): Conversation {
  const found =
    whole === undefined
      ? givenInput(fields.input)
      : atNames(decodeInput(whole.items, whole.pointer, CLIENT), whole.names);
  if (typeof fields.instructions !== 'string') return found;
  const ptr = '/instructions';
  const part: TextPart = { kind: 'text', text: fields.instructions, src: { ptr } };
  const first: Instruction = { authority: 'system', parts: [part], src: { ptr } };
  return { instructions: [first, ...found.instructions], turns: found.turns };
}

function givenInput(input: wire.Request['input']): Conversation {
  if (typeof input === 'string') return decodeStringInput(input, '/input');
  return decodeInput(input ?? [], (index) => `/input/${index}`, CLIENT);
}

function decodeText(text: JsonObject, extra: JsonObject): { output?: OutputFormat; verbosity?: string } {
  const { format, verbosity } = check(wire.textSettings, text, '/text');
  const { format: _format, verbosity: _verbosity, ...rest } = text;
  if (Object.keys(rest).length > 0) extra.text = furtherKeys(rest, '/text');
  return {
    output: format ? decodeOutput(format, CLIENT) : undefined,
    verbosity: verbosity ?? undefined,
  };
}

type Scalars = Pick<
  CanonicalRequest,
  'sampling' | 'maxOutput' | 'maxToolCalls' | 'logprobs' | 'include' | 'metadata' | 'tier' | 'truncate' | 'user'
>;

function scalars(fields: wire.Request, extra: JsonObject): Scalars {
  const { temperature, top_p: topP, top_logprobs: top, include, truncation } = fields;
  const sampled = typeof temperature === 'number' || typeof topP === 'number';
  const wantsLogprobs = typeof top === 'number' || include?.includes('message.output_text.logprobs') === true;
  if (truncation && truncation !== 'auto' && truncation !== 'disabled') extra.truncation = truncation;
  if (fields.user && fields.safety_identifier) extra.user = fields.user;
  return {
    sampling: sampled ? { temperature: temperature ?? undefined, topP: topP ?? undefined } : undefined,
    maxOutput: fields.max_output_tokens ?? undefined,
    maxToolCalls: fields.max_tool_calls ?? undefined,
    logprobs: wantsLogprobs ? { top: top ?? undefined } : undefined,
    include: include ?? undefined,
    metadata: fields.metadata ? check(wire.metadata, fields.metadata, '/metadata') : undefined,
    tier: fields.service_tier ? { dialect: DIALECT, value: fields.service_tier } : undefined,
    truncate: truncation === 'auto' ? true : truncation === 'disabled' ? false : undefined,
    user: fields.safety_identifier ?? fields.user ?? undefined,
  };
}

function pointers(raw: JsonObject): Record<string, string> {
  const at: Record<string, string> = {};
  for (const key in raw) {
    const feature = POINTERS[key];
    if (feature !== undefined) at[feature] = `/${key}`;
  }
  if (raw.user !== undefined) at.user ??= '/user';
  if (raw.prompt_cache_retention !== undefined) at['cache.ttl'] ??= '/prompt_cache_retention';
  if (raw.text !== undefined) at.verbosity = '/text/verbosity';
  return at;
}

/** The items of a request, with what a host kept in the place of its name. */
interface WholeInput {
  readonly items: readonly JsonObject[];
  /** The earlier conversation is among them. */
  readonly chained: boolean;
  /** JSON Pointer of an item: what was restored is where the body names it. */
  pointer(index: number): string;
  /** The places that hold only a name of what belongs there. */
  readonly names: ReadonlySet<string>;
}

/**
 * Puts the earlier conversation in front of the input, and stored items in the place of references to them. undefined
 * when the host kept nothing that this body names.
 */
function wholeInput(fields: wire.Request, state: StoredItems | undefined): WholeInput | undefined {
  if (state === undefined) return undefined;
  const earlier = kept(state, fields.previous_response_id);
  const given: readonly unknown[] =
    typeof fields.input === 'string' ? [userMessage(fields.input)] : (fields.input ?? []);
  const named = given.some((item) => kept(state, referenceOf(item)) !== undefined);
  if (earlier === undefined && !named) return undefined;
  const items: JsonObject[] = [];
  const pointers: string[] = [];
  const names = new Set(['/previous_response_id']);
  const add = (item: JsonObject, pointer: string): void => {
    items.push(item);
    pointers.push(pointer);
  };
  for (const item of earlier ?? []) add(item, '/previous_response_id');
  given.forEach((item, index) => {
    const pointer = typeof fields.input === 'string' ? '/input' : `/input/${index}`;
    // What is no object is refused where the items are read.
    const restored = kept(state, referenceOf(item));
    if (restored !== undefined) names.add(pointer);
    for (const one of restored ?? [item as JsonObject]) add(one, pointer);
  });
  return { items, chained: earlier !== undefined, pointer: (index) => pointers[index] ?? '/input', names };
}

/** The conversation with every restored node at the place that names it: the body holds nothing below that. */
function atNames({ instructions, turns }: Conversation, names: ReadonlySet<string>): Conversation {
  const place = <N extends Node>(node: N): N => {
    const named = /^\/(?:input\/\d+|[^/]+)(?=\/)/.exec(node.src?.ptr ?? '')?.[0];
    if (named === undefined || !names.has(named)) return node;
    const { at: _at, ...src } = { ...node.src, ptr: named };
    return { ...node, src };
  };
  const part = <P extends Part>(given: P): P => {
    const placed = place(given);
    return 'parts' in placed ? { ...placed, parts: placed.parts.map(place) } : placed;
  };
  return {
    instructions: instructions.map((given) => ({ ...place(given), parts: given.parts.map(part) })),
    turns: turns.map((given) => ({ ...place(given), parts: given.parts.map(part) })),
  };
}

function kept(state: StoredItems, id: string | null | undefined): readonly JsonObject[] | undefined {
  return typeof id === 'string' && Object.hasOwn(state, id) ? state[id] : undefined;
}

/** The id that an item refers to; the type of a reference may be left out [R §2.5]. */
function referenceOf(item: unknown): string | undefined {
  if (!isObject(item) || typeof item.id !== 'string') return undefined;
  const bare = (item.type === undefined || item.type === null) && item.role === undefined;
  return item.type === 'item_reference' || bare ? item.id : undefined;
}

function userMessage(text: string): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
