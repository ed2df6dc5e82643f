import { adaptRequest } from '../adapt/index.js';
import { furtherKeys } from '../adapt/losses.js';
import type { Part, TextPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Instruction, OutputFormat } from '../canonical/request.js';
import type { DecodeRequestContext, EncodedRequest, EncodeRequestContext } from '../dialect.js';
import { RULES } from './fit.js';
import { encodeForeignBody } from './foreign.js';
import { type Conversation, decodeInput, decodeStringInput, encodeInput } from './input.js';
import { bagOf, CLIENT, check, complete, DIALECT, fault, keysOf, NATIVE, origin, put } from './nodes.js';
import { decodeFormat, encodeNativeFormat } from './output.js';
import {
  decodeCache,
  decodeReasoningSettings,
  decodeState,
  encodeNativeCache,
  encodeNativeReasoning,
  encodeNativeState,
} from './settings.js';
import { atNames, type WholeInput, wholeInput } from './stored.js';
import { decodeToolChoice, encodeNativeChoice } from './tool-choice.js';
import { decodeTools, encodeTools } from './tools.js';
import * as wire from './wire.js';

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
  const words: string[] = [];
  const extra: JsonObject = {};
  const whole = wholeInput(fields, context.state);
  const { instructions, turns } = conversation(fields, whole, words);
  const cache = decodeCache(fields, CLIENT);
  const resolved = whole?.chained === true ? { ...fields, previous_response_id: null } : fields;
  const state = decodeState(resolved);
  words.push(...cache.words, ...state.words);
  Object.assign(extra, cache.extra, state.extra);
  const text = fields.text ? decodeText(fields.text, words, extra) : {};
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
    ...scalars(fields, words, extra),
    cache: cache.cache,
    state: state.state,
    at: pointers(raw),
  };
  if (fields.tools?.length === 0) words.push('tools:[]');
  if (fields.model === undefined) words.push('no:model');
  if (fields.stream === false) words.push('stream:false');
  if (fields.stream_options) words.push(`json:stream_options=${JSON.stringify(fields.stream_options)}`);
  const from = origin(raw, BODY, '', words);
  const bag = { ...from.ext?.[DIALECT], ...extra };
  return { ...decoded, src: from.src, ext: Object.keys(bag).length === 0 ? undefined : { [DIALECT]: bag } };
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

function conversation(fields: wire.Request, whole: WholeInput | undefined, words: string[]): Conversation {
  if (whole === undefined && (fields.input === undefined || fields.input === null)) words.push('no:input');
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

function decodeText(
  text: JsonObject,
  words: string[],
  extra: JsonObject,
): { output?: OutputFormat; verbosity?: string } {
  const { format, verbosity } = check(wire.textSettings, text, '/text');
  const { format: _format, verbosity: _verbosity, ...rest } = text;
  words.push('text');
  if (text.format === null) words.push('text-null:format');
  if (text.verbosity === null) words.push('text-null:verbosity');
  if (Object.keys(rest).length > 0) extra.text = furtherKeys(rest, '/text');
  return {
    output: format ? decodeFormat(format, CLIENT) : undefined,
    verbosity: verbosity ?? undefined,
  };
}

type Scalars = Pick<
  CanonicalRequest,
  'sampling' | 'maxOutput' | 'maxToolCalls' | 'logprobs' | 'include' | 'metadata' | 'tier' | 'truncate' | 'user'
>;

function scalars(fields: wire.Request, words: string[], extra: JsonObject): Scalars {
  const { temperature, top_p: topP, top_logprobs: top, include, truncation } = fields;
  const sampled = typeof temperature === 'number' || typeof topP === 'number';
  const wantsLogprobs = typeof top === 'number' || include?.includes('message.output_text.logprobs') === true;
  if (truncation && truncation !== 'auto' && truncation !== 'disabled') extra.truncation = truncation;
  if (fields.user) {
    if (fields.safety_identifier) extra.user = fields.user;
    else words.push('user');
  }
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

/** A request as a create body: its own fields as they came, or adapted to the target's profile. */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const request = adaptRequest(given, RULES, context);
  const body = request.source === DIALECT ? encodeNativeBody(request) : encodeForeignBody(request, context);
  return { body, model: request.model, stream: request.stream };
}

function encodeNativeBody(request: CanonicalRequest): JsonObject {
  const words = request.src?.shape ?? [];
  const body: JsonObject = {};
  if (request.model !== '' || !words.includes('no:model')) body.model = request.model;
  const leading = request.instructions.filter((instruction) => instruction.src?.shape?.includes('item') === true);
  const texts = request.instructions.filter((instruction) => !leading.includes(instruction));
  if (texts.length > 0) body.instructions = texts.map(textOf).join('\n\n');
  if (request.turns.length + leading.length > 0 || !words.includes('no:input')) {
    body.input = encodeInput(request, leading, NATIVE);
  }
  if (request.stream || words.includes('stream:false')) body.stream = request.stream;
  if (request.tools.length > 0 || words.includes('tools:[]')) body.tools = encodeTools(request.tools, NATIVE);
  if (request.toolChoice !== undefined) encodeNativeChoice(request.toolChoice, body);
  if (request.reasoning !== undefined) body.reasoning = encodeNativeReasoning(request.reasoning);
  encodeNativeScalars(request, words, body);
  encodeNativeCache(request, body);
  encodeNativeState(request, body);
  const full = complete(body, request, NATIVE);
  if (words.includes('text') || request.output !== undefined || request.verbosity !== undefined) {
    full.text = encodeNativeText(request, words);
  }
  if (body.prompt_cache_options !== undefined) full.prompt_cache_options = body.prompt_cache_options;
  return full;
}

function textOf(instruction: Instruction): string {
  return instruction.parts.map((part: Part) => (part.kind === 'text' ? part.text : '')).join('\n\n');
}

function encodeNativeScalars(request: CanonicalRequest, words: readonly string[], body: JsonObject): void {
  const { sampling, user } = request;
  if (sampling?.temperature !== undefined) body.temperature = sampling.temperature;
  if (sampling?.topP !== undefined) body.top_p = sampling.topP;
  if (request.maxOutput !== undefined) body.max_output_tokens = request.maxOutput;
  if (request.maxToolCalls !== undefined) body.max_tool_calls = request.maxToolCalls;
  if (request.logprobs?.top !== undefined) body.top_logprobs = request.logprobs.top;
  if (request.include !== undefined) body.include = request.include;
  if (request.metadata !== undefined) body.metadata = request.metadata;
  if (request.tier !== undefined) body.service_tier = request.tier.value;
  if (request.truncate !== undefined) body.truncation = request.truncate ? 'auto' : 'disabled';
  if (user !== undefined) body[words.includes('user') ? 'user' : 'safety_identifier'] = user;
}

function encodeNativeText(request: CanonicalRequest, words: readonly string[]): JsonObject {
  const text: JsonObject = {};
  if (request.output !== undefined) text.format = encodeNativeFormat(request.output);
  if (request.verbosity !== undefined) text.verbosity = request.verbosity;
  for (const key of ['format', 'verbosity']) if (words.includes(`text-null:${key}`)) text[key] = null;
  const rest = bagOf(request)?.text;
  if (typeof rest === 'object' && rest !== null) for (const [key, value] of Object.entries(rest)) put(text, key, value);
  return text;
}
