import { INSIDE } from '../../adapt/index.js';
import type { MediaPart } from '../../canonical/content.js';
import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { parseDataUrl } from '../../wire/data-url.js';
import { isObject } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { decodeSources } from '../content/citations.js';
import { REASONING_KEYS } from '../content/reasoning.js';
import { errorIn } from '../edge/errors.js';
import { DIALECT, put } from '../nodes.js';
import { profile as profileOf } from '../profile.js';
import { decodeFinish, isCleanWord, isCutWord, type SaidEnd } from '../response/stop.js';
import { type CountedUsage, decodeUsage } from '../response/usage.js';
import { serverFlags } from '../servers/index.js';
import { addMessage, addTokens, addWhole, createPartReader, endParts, type PartReader } from './parts.js';

/** What is known of an answer between its chunks; a whole answer is one chunk. */
export interface AnswerReader {
  readonly context: DecodeResponseContext;
  readonly emit: EventSink;
  readonly parts: PartReader;
  readonly bags: Readonly<Record<'telemetry' | 'body' | 'choice' | 'message', JsonObject>>;
  /** Sources that the server lists beside the answer. */
  readonly sources: JsonObject;
  said: SaidEnd;
  counted: CountedUsage | undefined;
  audio: OpenAudio | undefined;
  tier: string | undefined;
  started: boolean;
  /** The last chunk held counts and no choice: nothing is missing of the answer [H §7.6]. */
  counting: boolean;
  /** More than one choice came. */
  several: boolean;
  /** The last chunk, where the model has a field for each of its keys. */
  plain: JsonObject | undefined;
  done: boolean;
}

/** Sound that may come in pieces. */
interface OpenAudio {
  readonly node: JsonObject;
  readonly data: TextBuffer;
  readonly transcript: TextBuffer;
}

/** A reader of the chunks of one answer. */
export function createAnswerReader(context: DecodeResponseContext, emit: EventSink, whole: boolean): AnswerReader {
  const { losses, domain, target = profileOf('') } = context;
  return {
    context,
    emit,
    parts: createPartReader({ losses, domain, flags: serverFlags(target), whole }, emit),
    bags: { telemetry: {}, body: {}, choice: {}, message: {} },
    sources: {},
    said: {},
    counted: undefined,
    audio: undefined,
    tier: undefined,
    started: false,
    counting: false,
    several: false,
    plain: undefined,
    done: false,
  };
}

/** Ends an answer with a failure; nothing follows it. */
export function failAnswer(reader: AnswerReader, error: CanonicalError): void {
  if (reader.done) return;
  reader.done = true;
  reader.emit({ type: 'error', error });
}

/** Keys of each object that the model has fields for, or that say nothing: padding, and the word for what the object is. */
const KNOWN = {
  body: new Set([
    'id',
    'object',
    'created',
    'model',
    'choices',
    'usage',
    'service_tier',
    'obfuscation',
    'p',
    'base_resp',
    'citations',
    'search_results',
  ]),
  choice: new Set(['index', 'delta', 'message', 'finish_reason', 'logprobs', 'matched_stop']),
  message: new Set([
    'role',
    'content',
    'refusal',
    'tool_calls',
    'function_call',
    'annotations',
    'images',
    'audio',
    ...REASONING_KEYS,
  ]),
} as const;

/** Figures about an answer that change nothing in it [H §6.1]. */
const TELEMETRY: ReadonlySet<string> = new Set([
  'system_fingerprint',
  'x_groq',
  'time_info',
  'timings',
  'provider',
  'request_id',
  'prompt_filter_results',
  'native_finish_reason',
  'content_filter_results',
  'content_filter_offsets',
  'stop_reason',
  'seed',
  // The text of the chunk once more, as a completion that is no chat has it.
  'text',
  'token_id',
  'token_ids',
  'prompt_token_ids',
  'prompt_logprobs',
  'kv_transfer_params',
  'channel',
]);

/** Keeps what only this dialect knows. Whether a chunk has keys for which the model has no field. */
function keepUnknown(reader: AnswerReader, body: JsonObject, choices: readonly unknown[]): boolean {
  let found = keepOf(reader, 'body', body);
  for (const choice of choices) {
    if (!isObject(choice)) continue;
    const message = messageOf(reader, choice);
    if (isObject(message) && keepOf(reader, 'message', message)) found = true;
    if (keepOf(reader, 'choice', choice)) found = true;
  }
  return found;
}

function keepOf(reader: AnswerReader, place: keyof typeof KNOWN, node: JsonObject): boolean {
  const known: ReadonlySet<string> = KNOWN[place];
  let found = false;
  for (const key in node) {
    if (known.has(key)) continue;
    found = true;
    const value = node[key];
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    put(TELEMETRY.has(key) ? reader.bags.telemetry : reader.bags[place], key, value);
  }
  return found;
}

/** Adds the next chunk, or a whole answer. */
export function addChunk(reader: AnswerReader, body: JsonObject): void {
  const error = errorIn(body);
  if (error !== undefined) {
    failAnswer(reader, error);
    return;
  }
  const choices = Array.isArray(body.choices) && body.choices.some(isObject) ? body.choices : NONE;
  if (typeof body.service_tier === 'string') reader.tier = body.service_tier;
  if (!reader.started && (isNamed(body.id) || isNamed(body.model) || choices.length > 0)) start(reader, body);
  reader.counting = addUsage(reader, body) && choices.length === 0;
  if (Array.isArray(body.citations)) reader.sources.citations = body.citations;
  if (Array.isArray(body.search_results)) reader.sources.search_results = body.search_results;
  for (const choice of choices) if (isObject(choice)) addChoice(reader, choice);
  // What comes in the object of the last chunk has its keys.
  if (body !== reader.plain) reader.plain = keepUnknown(reader, body, choices) ? undefined : body;
}

const NONE: readonly unknown[] = [];

function isNamed(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function start(reader: AnswerReader, { id, model, created }: JsonObject): void {
  reader.started = true;
  reader.emit({
    type: 'start',
    id: isNamed(id) ? id : '',
    model: isNamed(model) ? model : '',
    ...(typeof created === 'number' && created > 0 && { createdAt: created }),
    ...(reader.tier !== undefined && { tier: reader.tier }),
    ext: { [DIALECT]: {} },
  });
}

/** Counts are snapshots: the last one counts, and one server has them at a place of its own too [H §6.3]. Whether there are any. */
function addUsage(reader: AnswerReader, { usage, x_groq: more }: JsonObject): boolean {
  const { flags } = reader.parts.context;
  const counted = decodeUsage(usage ?? (isObject(more) ? more.usage : undefined), flags.usageForm);
  if (counted === undefined) return false;
  reader.counted = counted;
  if (reader.started) reader.emit({ type: 'usage', usage: counted.usage });
  return true;
}

function addChoice(reader: AnswerReader, choice: JsonObject): void {
  const index = typeof choice.index === 'number' ? choice.index : 0;
  if (index !== 0 && !reader.several) {
    reader.several = true;
    const detail = 'several choices were merged into one answer';
    reader.context.losses.add(`/choices/${index}`, 'choice.index', 'approximated', detail);
  }
  const { logprobs } = choice;
  const message = messageOf(reader, choice);
  if (isObject(logprobs)) addTokens(reader.parts, logprobs.content);
  if (isObject(message)) {
    addMessage(reader.parts, message, index);
    if (message.images !== undefined || message.audio !== undefined) {
      addMedia(reader, message, `/choices/${index}/message`);
    }
  }
  addEnd(reader, choice);
}

/** One server fills both: in a stream the message is all that was said, in a whole answer the delta is nothing. */
function messageOf({ parts }: AnswerReader, { delta, message }: JsonObject): unknown {
  return isObject(delta) && !(parts.context.whole && isObject(message)) ? delta : message;
}

/** The first word counts, but for one of a failure or a filter behind it (translation.md 5.2). */
function addEnd(reader: AnswerReader, choice: JsonObject): void {
  const { finish_reason: word, native_finish_reason: native, stop_reason: stopped, matched_stop: matched } = choice;
  if (isNamed(native)) reader.said = { ...reader.said, native };
  const stopString = isNamed(stopped) ? stopped : isNamed(matched) ? matched : undefined;
  if (stopString !== undefined) reader.said = { ...reader.said, stopString };
  if (isNamed(word) && (reader.said.word === undefined || !isCleanWord(word))) reader.said = { ...reader.said, word };
}

function addMedia(reader: AnswerReader, { images, audio }: JsonObject, ptr: string): void {
  for (const [index, node] of (Array.isArray(images) ? images : []).entries()) {
    const picture = decodePicture(node, `${ptr}/images/${index}`);
    if (picture !== undefined) addWhole(reader.parts, picture);
  }
  if (!isObject(audio)) return;
  const { data, transcript, ...node } = audio;
  reader.audio ??= { node: {}, data: createPackedBuffer(), transcript: createPackedBuffer() };
  Object.assign(reader.audio.node, node);
  if (typeof data === 'string') reader.audio.data.add(data);
  if (typeof transcript === 'string') reader.audio.transcript.add(transcript);
}

/** A picture that the model made [H §3.3]. */
function decodePicture(node: unknown, ptr: string): MediaPart | undefined {
  if (!isObject(node)) return undefined;
  const link: unknown = isObject(node.image_url) ? node.image_url.url : node.image_url;
  if (typeof link !== 'string') return undefined;
  const inline = parseDataUrl(link);
  const part = { kind: 'media', class: 'image', src: { ptr } } as const;
  if (inline === undefined) return { ...part, data: { from: 'url', url: link } };
  return { ...part, mime: inline.mime, data: { from: 'base64', base64: inline.base64 } };
}

/** Sound, of whose format an answer says nothing: it is as the request wants it. One server fills the member with nothing. */
function endAudio({ audio, parts }: AnswerReader): void {
  if (audio === undefined || audio.data.length + audio.transcript.length === 0) return;
  const { node, data, transcript } = audio;
  addWhole(parts, {
    kind: 'media',
    class: 'audio',
    mime: 'audio/wav',
    data: { from: 'base64', base64: data.read() },
    ...(transcript.length > 0 && { context: transcript.read() }),
    src: { ptr: '/choices/0/message/audio', raw: node },
  });
}

/**
 * Ends an answer of which no more comes. `told`: the server said that this is all. Without that, and without counts at the end or a
 * word about it, the answer was broken off. Throws TranslationError for ends that are failures.
 */
export function endAnswer(reader: AnswerReader, told: boolean): void {
  if (reader.done) return;
  const { said, counted, parts, context } = reader;
  if (said.word === undefined && !reader.counting && !told) {
    throw new TranslationError('upstream', 'the stream of the backend ended without a reason', {
      code: 'upstream_incomplete',
    });
  }
  if (!reader.started) start(reader, {});
  endParts(parts, isCutWord(said.word), decodeSources(reader.sources));
  endAudio(reader);
  const refusal = parts.refused.length > 0 ? parts.refused.read() : undefined;
  const finish = decodeFinish(said, { calls: parts.calls.answerable, text: parts.said, refusal }, context.losses);
  if (counted?.odd !== undefined) context.losses.add('/usage', 'usage', 'approximated', counted.odd);
  reader.done = true;
  if (counted !== undefined) reader.emit({ type: 'usage', usage: counted.usage });
  reader.emit({ type: 'finish', finish });
  reader.emit({ type: 'end', ...(reader.tier !== undefined && { tier: reader.tier }), ext: bagOf(reader) });
}

/** What of an answer only this dialect knows. */
function bagOf({ bags: { telemetry, body, choice, message } }: AnswerReader): Extensions {
  const inside: JsonObject = {};
  if (Object.keys(choice).length > 0) inside['/choices/0'] = choice;
  if (Object.keys(message).length > 0) inside['/choices/0/message'] = message;
  return {
    [DIALECT]: {
      ...body,
      ...(Object.keys(inside).length > 0 && { [INSIDE]: inside }),
      ...(Object.keys(telemetry).length > 0 && { telemetry }),
    },
  };
}
