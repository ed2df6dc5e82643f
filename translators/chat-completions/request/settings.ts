import { decodePromptCache, encodePromptCache, keepRest } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, NativeOnly, Sampling } from '../../canonical/request.js';
import { check, DIALECT, keysOf, type Mutable, rawOf } from '../nodes.js';
import { decodeToolChoice, encodeOwnToolChoice } from '../tools/choice.js';
import { decodeTools } from '../tools/decode.js';
import { encodeOwnTools } from '../tools/encode.js';
import * as wire from '../wire/index.js';
import { decodeGuide, decodeOutput, encodeOwnOutput, isResponseFormat } from './output.js';
import { decodeReasoningSettings, encodeOwnReasoningSettings } from './reasoning.js';

/** A request while its members are read. */
export interface Draft {
  readonly out: Mutable<CanonicalRequest>;
  /** Members, and keys of members, for which the model has no field. */
  readonly bag: JsonObject;
  /** JSON Pointers of fields that are no nodes, by feature. */
  readonly at: Record<string, string>;
  /** Members that the model holds in another form. */
  readonly raw: JsonObject;
  readonly losses: Losses;
}

/** Members that hold a number, and the field of the model. Of several for one field, the first counts. */
export const SAMPLING = [
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['seed', 'seed'],
  ['random_seed', 'seed'],
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
] as const satisfies readonly (readonly [keyof wire.Settings, keyof Sampling])[];

/** Everything of a request beside its model and its messages (translation.md 2.2, 2.8 to 2.12). */
export function decodeSettings(draft: Draft, request: wire.Settings): void {
  const { out, bag, at } = draft;
  out.tools = decodeTools(request);
  if (request.tools) at.tools = '/tools';
  const choice = decodeToolChoice(request);
  if (choice !== undefined) out.toolChoice = choice;
  const output = request.response_format ? decodeOutput(request.response_format) : decodeGuide(bag, draft.raw);
  if (output !== undefined) out.output = output;
  else if (request.response_format) bag.response_format = request.response_format;
  const reasoning = decodeReasoningSettings(request, bag, at);
  if (reasoning !== undefined) out.reasoning = reasoning;
  decodeSampling(draft, request);
  decodeCaps(draft, request);
  decodeAccount(draft, request);
  const native = nativeOnly(draft, request);
  if (native.length > 0) out.nativeOnly = [...(out.nativeOnly ?? []), ...native];
}

/** What no other dialect can do without answering another question (translation.md 0.10). */
function nativeOnly({ bag }: Draft, { n, modalities }: wire.Settings): NativeOnly[] {
  const found: NativeOnly[] = [];
  if (typeof n === 'number' && n > 1) found.push({ path: '/n', message: 'n: the backend gives one answer per call' });
  const speaks = modalities?.indexOf('audio') ?? -1;
  if (speaks >= 0) found.push({ path: `/modalities/${speaks}`, message: 'the backend does not speak' });
  else if (bag.audio !== undefined && bag.audio !== null)
    found.push({ path: '/audio', message: 'the backend does not speak' });
  return found;
}

function decodeSampling({ out, at, raw }: Draft, request: wire.Settings): void {
  for (const [key, field] of SAMPLING) {
    const value = request[key];
    if (typeof value !== 'number' || out.sampling?.[field] !== undefined) continue;
    out.sampling = { ...out.sampling, [field]: value };
    at[`sampling.${field}`] = `/${key}`;
  }
  const { stop, stream, stream_options: options, logprobs, top_logprobs: top } = request;
  if (stop !== undefined && stop !== null) {
    out.stop = typeof stop === 'string' ? [stop] : stop;
    if (typeof stop === 'string') raw.stop = stop;
    at.stop = '/stop';
  }
  if (typeof stream === 'boolean') at.stream = '/stream';
  if (options) raw.stream_options = options;
  if (logprobs === true) {
    out.logprobs = typeof top === 'number' ? { top } : {};
    at.logprobs = '/logprobs';
  } else if (typeof top === 'number') raw.top_logprobs = top;
}

/** The newer of two caps counts (hard case H-FIELD-01). */
function decodeCaps({ out, at, raw, losses }: Draft, request: wire.Settings): void {
  const { max_completion_tokens: newer, max_tokens: older, n, modalities } = request;
  const cap = newer ?? older;
  if (typeof cap === 'number') {
    out.maxOutput = cap;
    at.maxOutput = typeof newer === 'number' ? '/max_completion_tokens' : '/max_tokens';
  }
  if (typeof newer === 'number' && typeof older === 'number') {
    raw.max_tokens = older;
    if (newer !== older)
      losses.add('/max_tokens', 'maxOutput', 'approximated', 'of two caps the one of max_completion_tokens counts');
  }
  if (typeof n === 'number') {
    out.candidates = n;
    at.candidates = '/n';
  }
  if (modalities) {
    raw.modalities = modalities;
    if (modalities.some((word) => word !== 'text')) {
      out.modalities = modalities.map((word) => word.toUpperCase());
      at.modalities = '/modalities';
    }
  }
}

const STREAM_OPTIONS = new Set(['include_usage']);
const CACHE_OPTIONS = keysOf(wire.cacheOptions);

/** Who asks, at which tier, what is kept, and how the prompt is cached. */
function decodeAccount({ out, bag, at, raw }: Draft, request: wire.Settings): void {
  const { user, safety_identifier: safety, service_tier: tier, verbosity, metadata, store } = request;
  keepRest(bag, 'stream_options', request.stream_options, STREAM_OPTIONS);
  if (safety || user) {
    out.user = safety || (user ?? undefined);
    at.user = safety ? '/safety_identifier' : '/user';
    if (safety && user) bag.user = user;
  }
  if (tier) {
    out.tier = { dialect: DIALECT, value: tier };
    at.tier = '/service_tier';
  }
  if (verbosity) {
    out.verbosity = verbosity;
    at.verbosity = '/verbosity';
  }
  if (metadata) {
    out.metadata = check(wire.metadata, metadata, '/metadata');
    at.metadata = '/metadata';
  }
  // Answers that others keep are a matter of their hosts; the default says nothing.
  if (store === true) bag.store = store;
  else if (store === false) raw.store = store;
  const { prompt_cache_options: options } = request;
  const checked = options ? check(wire.cacheOptions, options, '/prompt_cache_options') : undefined;
  const cache = decodePromptCache(request, checked);
  if (cache === undefined) return;
  out.cache = cache;
  if (cache.key !== undefined) at['cache.key'] = '/prompt_cache_key';
  if (options) at['cache.ttl'] = '/prompt_cache_options';
  else if (request.prompt_cache_retention) at['cache.ttl'] = '/prompt_cache_retention';
  keepRest(bag, 'prompt_cache_options', options, CACHE_OPTIONS);
}

/** The same members as they came. */
export function encodeOwnSettings(request: CanonicalRequest): JsonObject {
  const { at = {}, sampling = {}, logprobs, user, output, toolChoice, reasoning } = request;
  const out: JsonObject = {};
  if (at.stream !== undefined || request.stream) out.stream = request.stream;
  if (request.maxOutput !== undefined) out[memberAt(at.maxOutput, 'max_completion_tokens')] = request.maxOutput;
  for (const [key, field] of SAMPLING) {
    const place = at[`sampling.${field}`];
    const isPlace = place === undefined ? key !== 'random_seed' : place === `/${key}`;
    if (sampling[field] !== undefined && isPlace) out[key] = sampling[field];
  }
  if (request.stop !== undefined) out.stop = request.stop;
  if (request.candidates !== undefined) out.n = request.candidates;
  if (logprobs !== undefined)
    Object.assign(out, { logprobs: true, ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }) });
  if (at.tools !== undefined) out.tools = [];
  Object.assign(out, encodeOwnTools(request.tools), toolChoice && encodeOwnToolChoice(toolChoice));
  if (output !== undefined && isResponseFormat(output)) out.response_format = encodeOwnOutput(output);
  if (reasoning !== undefined) Object.assign(out, encodeOwnReasoningSettings(reasoning));
  if (request.verbosity !== undefined) out.verbosity = request.verbosity;
  if (request.metadata !== undefined) out.metadata = request.metadata;
  if (request.tier !== undefined) out.service_tier = request.tier.value;
  if (user !== undefined) out[memberAt(at.user, 'safety_identifier')] = user;
  return { ...out, ...encodePromptCache(request), ...rawOf(request) };
}

/** The member that a pointer names. */
function memberAt(pointer: string | undefined, otherwise: string): string {
  return pointer === undefined ? otherwise : pointer.slice(1);
}
