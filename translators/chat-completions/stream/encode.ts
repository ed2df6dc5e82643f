import { type AnswerStream, createEncoder, lossComments } from '../../answer/encoder.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { escapeText, inOne, isObject } from '../../wire/json.js';
import { answerId, ownMembers, tierMember } from '../answer/envelope.js';
import { headNode, type MessageSink } from '../answer/message.js';
import { createMessageWriter, type MessageWriter } from '../answer/writer.js';
import { errorFrame } from '../edge/errors.js';
import { DIALECT, type Mutable } from '../nodes.js';
import { encodeForeignUsage, encodeOwnUsage, reportUsage } from '../response/usage.js';

/** An answer that has begun. */
interface Begun {
  /** It comes from this dialect. */
  readonly own: boolean;
  readonly writer: MessageWriter;
}

/**
 * Writes a stream of chunks (translation.md 6.8). The first is held back until there is something to say, or until a
 * heartbeat is due.
 */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const frames = createFrames(context, asksForCounts(context));
  let answer: Begun | undefined;
  const stream: AnswerStream = {
    begins: 'part',
    take: frames.take,
    begin({ id, model, createdAt, ext }) {
      const own = ext?.[DIALECT] !== undefined;
      frames.name({
        id: own ? id : answerId(id, context.nonce),
        created: own && createdAt !== undefined ? createdAt : Math.floor(context.now),
        model: own ? model : (context.model ?? model),
      });
      answer = { own, writer: createMessageWriter(id, own, frames, context) };
    },
    part: (event) => answer?.writer.parts.write(event),
    end(finish, { tier, extraCandidates }, usage, bag) {
      if (answer === undefined) return;
      const { own, writer } = answer;
      const word = writer.end(finish, { ext: bag, extraCandidates, usage });
      if (!own) reportUsage(usage, context.losses);
      const counts = own ? usage && encodeOwnUsage(usage) : encodeForeignUsage(usage);
      const members = own
        ? { ...ownMembers(bag).body, ...(tier !== undefined && { service_tier: tier }) }
        : tierMember(tier, context.losses);
      frames.end(word, counts, members, finish.kind === 'prompt_blocked');
    },
    error: frames.error,
    ping() {
      if (frames.started) frames.ping();
    },
    heartbeat() {
      if (frames.started) frames.ping();
      else frames.begin();
    },
  };
  return createEncoder(stream);
}

/** Counts are sent to clients that ask for them, and to those of which nothing is known. */
function asksForCounts({ requestBody }: EncodeResponseContext): boolean {
  if (requestBody === undefined) return true;
  const { stream_options: options } = requestBody;
  return isObject(options) && options.include_usage === true;
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
  /** How chunks with a text begin, by its key: all up to its quote. */
  const textHeads = new Map<string, string>();
  let call = -1;
  /** Neither text nor a refusal nor a call came. */
  let silent = true;
  /** What is around a piece of the arguments of the open call. */
  let open: readonly [head: string, tail: string] | undefined;
  const tail = inOne(',"finish_reason":null}]', counts ? ',"usage":null' : '', '}\n\n');
  const textTail = inOne('"}', tail);

  /** A chunk around a delta that is JSON already; the first of a stream says who answers, and whether with words. */
  const chunk = (delta: string): void => {
    begin(false);
    out += `${head}${delta}${tail}`;
  };
  const begin = (isText: boolean): void => {
    if (frames.started) return;
    frames.started = true;
    out += `${head}{"role":"assistant","content":${isText ? '""' : 'null'}}${tail}`;
  };
  const textHeadOf = (key: string): string => {
    const textHead = inOne(head, `{"${key}":"`);
    textHeads.set(key, textHead);
    return textHead;
  };
  const frame = (members: JsonObject): void => {
    out += `data: ${JSON.stringify({ ...envelope, ...members })}\n\n`;
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
      textHeads.clear();
    },
    begin: () => begin(true),
    text(key, value) {
      if (value === '') return;
      silent &&= key !== 'content' && key !== 'refusal';
      begin(key === 'content');
      out += `${textHeads.get(key) ?? textHeadOf(key)}${escapeText(value)}${textTail}`;
    },
    openCall(given) {
      call += 1;
      silent = false;
      const { legacy, custom, name } = given;
      const [before, after] = legacy
        ? ['{"function_call":{"arguments":"', '"}}']
        : [`{"tool_calls":[{"index":${call},${custom ? '"custom":{"input":"' : '"function":{"arguments":"'}`, '"}}]}'];
      open = [inOne(head, before), inOne(after, tail)];
      const delta = legacy
        ? { function_call: { name, arguments: '' } }
        : { tool_calls: [{ index: call, ...headNode(given, '') }] };
      chunk(JSON.stringify(delta));
    },
    addArguments(value) {
      if (value !== '' && open !== undefined) out += `${open[0]}${escapeText(value)}${open[1]}`;
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
      out += lossComments(losses, known);
      out += 'data: [DONE]\n\n';
    },
    error(error) {
      out += lossComments(losses, known);
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
  return inOne('data: ', JSON.stringify(envelope).slice(0, -1), ',"choices":[{"index":0,"delta":');
}
