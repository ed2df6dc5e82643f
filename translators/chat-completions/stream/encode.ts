import { createPartQueue, type PartQueue } from '../../answer/part-queue.js';
import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { isObject, printText } from '../../wire/json.js';
import { type CallHead, headNode, type MessageSink } from '../answer/shown.js';
import { type AnswerWriter, createAnswerWriter } from '../answer/writer.js';
import { errorFrame } from '../edge/errors.js';
import { DIALECT, type Mutable } from '../nodes.js';
import { answerId, ownMembers, tierMember } from '../response/encode.js';
import { encodeForeignUsage, encodeOwnUsage, reportUsage } from '../response/usage.js';

type Start = Extract<StreamEvent, { readonly type: 'start' }>;
type End = Extract<StreamEvent, { readonly type: 'end' }>;

/** What is known of a stream between its events. */
interface EncoderState {
  readonly context: EncodeResponseContext;
  readonly frames: Frames;
  /** Only one part is written at a time; what comes for others waits (translation.md 6.8). */
  readonly queue: PartQueue;
  writer: AnswerWriter | undefined;
  /** The answer comes from this dialect. */
  own: boolean;
  start: Start | undefined;
  usage: Usage | undefined;
  finish: Finish | undefined;
  over: boolean;
  failure: CanonicalError | undefined;
}

/**
 * Writes a stream of chunks (translation.md 6.8). The first is held back until there is something to say, or until a
 * heartbeat is due.
 */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const state: EncoderState = {
    context,
    frames: createFrames(context, asksForCounts(context)),
    queue: createPartQueue((event) => writerOf(state).write(event)),
    writer: undefined,
    own: false,
    start: undefined,
    usage: undefined,
    finish: undefined,
    over: false,
    failure: undefined,
  };
  return {
    encode(event) {
      if (state.over) return '';
      encode(state, event);
      return state.frames.take();
    },
    heartbeat() {
      if (state.over) return '';
      if (state.frames.started) state.frames.ping();
      else begin(state);
      return state.frames.take();
    },
    get failure() {
      return state.failure;
    },
  };
}

/** Counts are sent to clients that ask for them, and to those of which nothing is known. */
function asksForCounts({ requestBody }: EncodeResponseContext): boolean {
  if (requestBody === undefined) return true;
  const { stream_options: options } = requestBody;
  return isObject(options) && options.include_usage === true;
}

function encode(state: EncoderState, event: StreamEvent): void {
  switch (event.type) {
    case 'start':
      state.start = event;
      state.own = event.ext?.[DIALECT] !== undefined;
      state.usage = mergeUsage(state.usage, event.usage);
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
      state.over = true;
      state.frames.error(event.error);
      return;
    case 'ping':
      if (state.frames.started) state.frames.ping();
      return;
    case 'loss': {
      const { path, feature, kind, detail } = event.loss;
      state.context.losses.add(path, feature, kind, detail);
      return;
    }
    case 'opaque':
      return;
    default:
      state.queue.push(event);
  }
}

/** The writer of the answer, which has a name from then on. */
function writerOf(state: EncoderState): AnswerWriter {
  if (state.writer !== undefined) return state.writer;
  const { context, frames, own } = state;
  const { id = '', model = '', createdAt } = state.start ?? {};
  frames.name({
    id: own ? id : answerId(id, context.nonce),
    created: own && createdAt !== undefined ? createdAt : Math.floor(context.now),
    model: own ? model : (context.model ?? model),
  });
  state.writer = createAnswerWriter(id, own, frames, context);
  return state.writer;
}

function begin(state: EncoderState): void {
  writerOf(state);
  state.frames.begin();
}

function end(state: EncoderState, { tier, ext = state.start?.ext, extraCandidates }: End): void {
  const { context, frames, finish, usage, own } = state;
  state.over = true;
  const writer = writerOf(state);
  try {
    if (finish === undefined) {
      throw new TranslationError('upstream', 'the answer ended without a reason', { code: 'upstream_incomplete' });
    }
    state.queue.flush();
    const blocked = finish.kind === 'prompt_blocked';
    const word = writer.end(finish, { ext, extraCandidates, usage });
    if (own) {
      const { body, choice: _choice, message: _message } = ownMembers(ext);
      const counts = usage === undefined ? undefined : encodeOwnUsage(usage);
      frames.end(word, counts, { ...body, ...(tier !== undefined && { service_tier: tier }) }, blocked);
      return;
    }
    reportUsage(usage, context.losses);
    frames.end(word, encodeForeignUsage(usage), tierMember(tier, context.losses), blocked);
  } catch (thrown) {
    state.failure = TranslationError.from(thrown).toCanonical();
    frames.error(state.failure);
  }
}

/** The chunks of one stream as text. */
interface Frames extends MessageSink {
  /** The text since the last call. */
  take(): string;
  /** Something was written. */
  readonly started: boolean;
  /** What every chunk repeats. */
  name(envelope: Envelope): void;
  /** Says who answers: by itself the first chunk waits for something to say. */
  begin(): void;
  /** `more` are further members of the chunk of the finish; `blocked`: the prompt was not answered. */
  end(finish: string | null, usage: JsonObject | undefined, more: JsonObject, blocked: boolean): void;
  error(error: CanonicalError): void;
  ping(): void;
}

/** What every chunk repeats. */
interface Envelope {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/**
 * Frames for one stream. They satisfy every reader of [H §7.4]: one kind per chunk, ids and names only where a call begins,
 * the finish in a chunk of its own, counts once and last. `counts` says whether the client asked for counts.
 */
function createFrames({ losses, now }: EncodeResponseContext, counts: boolean): Frames {
  const known = losses.list.length;
  let out = '';
  let envelope = envelopeOf({ id: '', created: now, model: '' });
  let head = headOf(envelope);
  let call = -1;
  /** Neither text nor a refusal nor a call came. */
  let silent = true;
  let open: CallHead | undefined;
  const tail = `,"finish_reason":null}]${counts ? ',"usage":null' : ''}}\n\n`;

  /** A chunk around a delta that is JSON already; the first of a stream says who answers, and whether with words. */
  const chunk = (delta: string, isText = false): void => {
    begin(isText);
    out += `${head}${delta}${tail}`;
  };
  const begin = (isText: boolean): void => {
    if (frames.started) return;
    frames.started = true;
    out += `${head}{"role":"assistant","content":${isText ? '""' : 'null'}}${tail}`;
  };
  const frame = (members: JsonObject): void => {
    out += `data: ${JSON.stringify({ ...envelope, ...members })}\n\n`;
  };
  /** Losses of this stream ride in one comment block (translation.md 0.11), which readers pass over. */
  const reportLosses = (): void => {
    const found = losses.list.slice(known).map((loss) => `: interlingua-loss ${JSON.stringify(loss)}\n`);
    if (found.length > 0) out += `${found.join('')}\n`;
  };

  const frames: Mutable<Frames> = {
    streams: true,
    started: false,
    take() {
      const text = out;
      out = '';
      return text;
    },
    name(given) {
      envelope = envelopeOf(given);
      head = headOf(envelope);
    },
    begin: () => begin(true),
    text(key, value) {
      if (value === '') return;
      silent &&= key !== 'content' && key !== 'refusal';
      chunk(`{"${key}":${printText(value)}}`, key === 'content');
    },
    openCall(given) {
      call += 1;
      silent = false;
      open = given;
      const { legacy, name } = given;
      const delta = legacy
        ? { function_call: { name, arguments: '' } }
        : { tool_calls: [{ index: call, ...headNode(given, '') }] };
      chunk(JSON.stringify(delta));
    },
    addArguments(value) {
      if (value === '' || open === undefined) return;
      const text = JSON.stringify(value);
      if (open.legacy) chunk(`{"function_call":{"arguments":${text}}}`);
      else if (open.custom) chunk(`{"tool_calls":[{"index":${call},"custom":{"input":${text}}}]}`);
      else chunk(`{"tool_calls":[{"index":${call},"function":{"arguments":${text}}}]}`);
    },
    put: (members) => chunk(JSON.stringify(members)),
    tokens(key, list) {
      const logprobs = { content: null, refusal: null, [key]: list };
      frame({ choices: [{ index: 0, delta: {}, logprobs, finish_reason: null }], ...(counts && { usage: null }) });
    },
    end(finish, usage, more, blocked) {
      // Clients expect a text of a message that neither calls nor declines.
      if (blocked) begin(false);
      else if (!frames.started) begin(true);
      else if (silent) chunk('{"content":""}');
      const choice = { index: 0, delta: {}, finish_reason: finish };
      frame({ choices: [choice], ...(counts && { usage: null }), ...more });
      if (counts && usage !== undefined) frame({ choices: [], usage });
      reportLosses();
      out += 'data: [DONE]\n\n';
    },
    error(error) {
      reportLosses();
      out += errorFrame(error);
    },
    ping() {
      out += ': keep-alive\n\n';
    },
  };
  return frames;
}

function envelopeOf({ id, created, model }: Envelope): JsonObject {
  return { id, object: 'chat.completion.chunk', created, model };
}

function headOf(envelope: JsonObject): string {
  return `data: ${JSON.stringify(envelope).slice(0, -1)},"choices":[{"index":0,"delta":`;
}
