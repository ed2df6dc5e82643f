import { keepRest } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest, NativeOnly } from '../../canonical/request.js';
import type { DecodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { readerOf } from '../../wire/member-coders.js';
import { knownKeys, schemaOf } from '../../wire/members.js';
import { decodeMessages } from '../content/turns.js';
import { check, DIALECT, invalid, keep, type Mutable, remember, type Scope } from '../nodes.js';
import { decodeToolChoice } from '../tools/choice.js';
import { decodeTools } from '../tools/decode.js';
import { members, type Request } from './members.js';
import { decodeGuide, decodeOutput } from './output.js';
import { decodeReasoningSettings } from './reasoning.js';
import type { Draft } from './settings.js';

const REQUEST = schemaOf(members);
const KNOWN = knownKeys(members);
const read = readerOf(members, keepRest);

/**
 * A request body as the model. Throws TranslationError `invalid_request` with the path of the fault. Keys without a
 * field in the model are in the own bags; a body of token counting may lack what only generation needs.
 */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  if (!isObject(body)) throw invalid('', 'expected a JSON object');
  const request = check(REQUEST, body, '');
  const kept = keep(body, KNOWN, '');
  const bag: JsonObject = { ...kept.ext?.[DIALECT] };
  const at: Record<string, string> = {};
  if (request.messages.length === 0) {
    throw new TranslationError('invalid_request', 'at least one message is required', {
      path: '/messages',
      dialect: DIALECT,
      code: 'empty_array',
    });
  }
  const scope: Scope = { losses: context.losses, domain: `unknown:${DIALECT}` };
  const out: Mutable<CanonicalRequest> = {
    source: DIALECT,
    model: modelOf(request, context),
    stream: request.stream ?? context.stream ?? false,
    ...decodeMessages(request.messages, scope),
    tools: decodeTools(request),
    at,
  };
  const raw: JsonObject = {};
  const draft: Draft = { out, bag, at, raw, losses: context.losses };
  read(request, body, draft);
  decodeForm(draft, request);
  decodeKept(draft, request);
  const native = nativeOnly(draft, request);
  if (native.length > 0) out.nativeOnly = [...(out.nativeOnly ?? []), ...native];
  decodePrefill(out, request, at);
  out.src = Object.keys(raw).length > 0 ? { ...kept.src, raw } : kept.src;
  if (Object.keys(bag).length > 0) out.ext = { [DIALECT]: bag };
  // What the context adds is not in the body.
  return out.model === body.model && out.stream === (body.stream ?? false) ? remember(out, body) : out;
}

/** The path of the URL may name the model, which then wins over the body [H §1.1]. */
function modelOf({ model }: Request, context: DecodeRequestContext): string {
  const named = context.model ?? model;
  if (named === undefined || named === null || named === '') throw invalid('/model', 'the name of a model is missing');
  return named;
}

/** How the answer is to be made: with which tools, in which form, after which thoughts. */
function decodeForm({ out, bag, at, raw }: Draft, request: Request): void {
  const choice = decodeToolChoice(request);
  if (choice !== undefined) out.toolChoice = choice;
  const { response_format: format } = request;
  const output = format ? decodeOutput(format) : decodeGuide(bag, raw);
  if (output !== undefined) out.output = output;
  else if (format) bag.response_format = format;
  const reasoning = decodeReasoningSettings(request, bag, at);
  if (reasoning !== undefined) out.reasoning = reasoning;
}

const STREAM_OPTIONS = new Set(['include_usage']);

/** What is kept of the stream's options and of the answer. */
function decodeKept({ bag, raw }: Draft, request: Request): void {
  const { stream_options: stream, store } = request;
  if (stream) raw.stream_options = stream;
  keepRest(bag, 'stream_options', stream, STREAM_OPTIONS);
  // Answers that others keep are a matter of their hosts; the default says nothing.
  if (store === true) bag.store = store;
  else if (store === false) raw.store = store;
}

/** What no other dialect can do without answering another question (translation.md 0.10). */
function nativeOnly({ bag }: Draft, { n, modalities }: Request): NativeOnly[] {
  const found: NativeOnly[] = [];
  if (typeof n === 'number' && n > 1) found.push({ path: '/n', message: 'n: the backend returns one answer per call' });
  const speaks = modalities?.indexOf('audio') ?? -1;
  if (speaks >= 0) found.push({ path: `/modalities/${speaks}`, message: 'the backend cannot produce audio' });
  else if (bag.audio !== undefined && bag.audio !== null)
    found.push({ path: '/audio', message: 'the backend cannot produce audio' });
  return found;
}

/** The marks under which servers continue the last message of the assistant [H §2.2, §3.1]. */
function decodePrefill(out: Mutable<CanonicalRequest>, request: Request, at: Record<string, string>): void {
  const last = request.messages.at(-1);
  if (!isObject(last) || last.role !== 'assistant') return;
  if (request.continue_final_message === true) at.prefill = '/continue_final_message';
  else if (request.add_generation_prompt === false) at.prefill = '/add_generation_prompt';
  else if (last.prefix === true) at.prefill = `/messages/${request.messages.length - 1}/prefix`;
  if (at.prefill !== undefined) out.prefill = true;
}
