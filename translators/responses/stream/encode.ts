import { dropExtras } from '../../adapt/index.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { type AnswerWriter, createAnswerWriter } from '../answer/writer.js';
import { errorBody, inBandCode } from '../edge/errors.js';
import { DIALECT, echoIn, responseId } from '../nodes.js';
import { CHANGING, createEnvelope, type Envelope, reportEnvelope, responseText, tierOf } from '../response/encode.js';
import type { WireEnding } from '../response/stop.js';
import { encodeForeignUsage, encodeOwnUsage } from '../response/usage.js';

/** One answer on its way to the client. */
interface Answer {
  readonly writer: AnswerWriter;
  /** The answer came from this dialect: its settings and words stay as they came. */
  readonly native: boolean;
  readonly envelope: string;
}

/** What is known of a stream between its events. `out` is what waits to be sent, `known` how many losses came before it. */
interface EncoderState {
  readonly context: EncodeResponseContext;
  readonly known: number;
  /** How events begin, by their type: all before the number. */
  readonly heads: Map<string, string>;
  out: string;
  sequence: number;
  answer: Answer | undefined;
  usage: Usage | undefined;
  finish: Finish | undefined;
  startBag: Extensions | undefined;
  over: boolean;
}

/** A stream of the grammar of [R §5.3]; every frame is numbered here and nowhere else. */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const known = context.losses.list.length;

  const state: EncoderState = {
    context,
    known,
    heads: new Map(),
    out: '',
    sequence: 0,
    answer: undefined,
    usage: undefined,
    finish: undefined,
    startBag: undefined,
    over: false,
  };

  return {
    encode(event) {
      if (!state.over) take(state, event);
      return flush(state);
    },
    heartbeat() {
      if (state.over) return '';
      if (state.answer === undefined) return ': waiting\n\n';
      lifecycle(state, 'response.in_progress', state.answer);
      return flush(state);
    },
  };
}

function frame(state: EncoderState, type: string, members: string): void {
  const head = state.heads.get(type) ?? headOf(state, type);
  const rest = members === '' ? '' : `,${members}`;
  state.out += `${head}${state.sequence}${rest}}\n\n`;
  state.sequence += 1;
}

function headOf({ heads }: EncoderState, type: string): string {
  const head = `event: ${type}\ndata: {"type":"${type}","sequence_number":`;
  heads.set(type, head);
  return head;
}

function lifecycle(
  state: EncoderState,
  type: string,
  { envelope, writer }: Answer,
  ending?: WireEnding,
  tier = 'auto',
  counts: JsonObject | null = null,
): void {
  const open = ending === undefined ? writer.snapshot() : undefined;
  const items = open === undefined ? writer.texts() : [...writer.texts(), JSON.stringify(open)];
  const completedAt = ending?.status === 'completed' ? Math.floor(state.context.now) : undefined;
  const progress = { status: ending?.status ?? 'in_progress', usage: counts, tier, completedAt, ending };
  frame(state, type, `"response":${responseText(envelope, items, progress)}`);
}

function start(state: EncoderState, event: Extract<StreamEvent, { type: 'start' }>): Answer {
  state.startBag = event.ext;
  const native = echoIn(event.ext) !== undefined;
  const id = native ? event.id : responseId(event.id, state.context);
  const envelope = native ? nativeEnvelope(event) : createEnvelope(id, event.model, state.context);
  const writer = createAnswerWriter({
    responseId: id,
    native,
    asIssuer: state.context.asIssuer,
    losses: state.context.losses,
    frame: (type, members) => frame(state, type, members),
  });
  const begun = { writer, native, envelope: JSON.stringify(envelope) };
  state.answer = begun;
  lifecycle(state, 'response.created', begun);
  lifecycle(state, 'response.in_progress', begun);
  return begun;
}

/** Writes the losses of this stream as one comment block before the terminal event (translation.md 0.11). */
function reportLosses(state: EncoderState): void {
  const found = state.context.losses.list
    .slice(state.known)
    .map((loss) => `: interlingua-loss ${JSON.stringify(loss)}\n`);
  if (found.length > 0) state.out += `${found.join('')}\n`;
}

function end(state: EncoderState, event: Extract<StreamEvent, { type: 'end' }>): void {
  state.over = true;
  const { writer, native } = state.answer ?? start(state, { type: 'start', id: '', model: '' });
  const ending = writer.end(state.finish ?? { kind: 'end', raw: '', dialect: '' });
  const counts = usageOf(state, native, ending);
  const tier = native ? (event.tier ?? 'default') : tierOf(event.tier);
  const settled = native ? settledEnvelope(state, event) : undefined;
  if (!native) {
    dropExtras({ ext: event.ext ?? state.startBag, usage: state.usage }, DIALECT, state.context.losses);
    reportEnvelope(event, state.context.losses);
  }
  if (state.answer === undefined) return;
  reportLosses(state);
  lifecycle(
    state,
    `response.${TERMINAL[ending.status]}`,
    settled === undefined ? state.answer : { ...state.answer, envelope: settled },
    ending,
    tier,
    counts,
  );
}

function usageOf(state: EncoderState, native: boolean, ending: WireEnding): JsonObject | null {
  if (state.usage === undefined && ending.status === 'failed') return null;
  return native && state.usage !== undefined
    ? encodeOwnUsage(state.usage)
    : encodeForeignUsage(state.usage, state.context.losses);
}

/** The settings at the end may differ from those at the start, such as a resolved tier. */
function settledEnvelope(state: EncoderState, event: Extract<StreamEvent, { type: 'end' }>): string | undefined {
  const echo = echoIn(event.ext);
  if (echo === undefined || state.answer === undefined) return undefined;
  return JSON.stringify({ ...JSON.parse(state.answer.envelope), ...withoutChanging(echo), ...event.ext?.[DIALECT] });
}

function fail(state: EncoderState, error: CanonicalError): void {
  state.over = true;
  const body = errorBody(error);
  state.answer?.writer.abort();
  const counts = state.usage === undefined ? null : encodeForeignUsage(state.usage, state.context.losses);
  reportLosses(state);
  const { code, message, param } = body;
  frame(state, 'error', `"error":${JSON.stringify(body)},${JSON.stringify({ code, message, param }).slice(1, -1)}`);
  if (state.answer === undefined) return;
  const ending: WireEnding = { status: 'failed', error: { code: inBandCode(error), message: error.message } };
  lifecycle(state, 'response.failed', state.answer, ending, 'default', counts);
}

function take(state: EncoderState, event: StreamEvent): void {
  switch (event.type) {
    case 'part.delta':
    case 'part.start':
    case 'part.end':
    case 'part.citation':
    case 'part.logprobs':
    case 'part.state':
      (state.answer ?? start(state, { type: 'start', id: '', model: '' })).writer.write(event);
      return;
    case 'start':
      state.usage = mergeUsage(state.usage, event.usage);
      if (state.answer === undefined) start(state, event);
      return;
    case 'usage':
      state.usage = mergeUsage(state.usage, event.usage);
      return;
    case 'finish':
      state.finish = event.finish;
      return;
    case 'end':
      end(state, event);
      return;
    case 'error':
      fail(state, event.error);
      return;
    case 'opaque':
      if (event.dialect === DIALECT && state.answer?.native === true) relay(state, event.name, event.raw);
      return;
    case 'ping':
    case 'loss':
      return;
  }
}

/** Events that only this dialect knows pass under a new number. */
function relay(state: EncoderState, name: string, raw: JsonObject): void {
  const { type: _type, sequence_number: _number, ...members } = raw;
  frame(state, name, JSON.stringify(members).slice(1, -1));
}

function flush(state: EncoderState): string {
  const text = state.out;
  state.out = '';
  return text;
}

const TERMINAL = { completed: 'completed', incomplete: 'incomplete', failed: 'failed', cancelled: 'failed' } as const;

function nativeEnvelope(event: Extract<StreamEvent, { type: 'start' }>): Envelope {
  const echo = echoIn(event.ext);
  return {
    id: event.id,
    object: 'response',
    ...(event.createdAt !== undefined && { created_at: event.createdAt }),
    model: event.model,
    ...(echo !== undefined && withoutChanging(echo)),
    ...event.ext?.[DIALECT],
  };
}

/** Echo fields without those that every copy fills anew. */
function withoutChanging(echo: Readonly<JsonObject>): JsonObject {
  return Object.fromEntries(Object.entries(echo).filter(([key]) => !CHANGING.has(key)));
}
