import { dropExtras } from '../../adapt/index.js';
import { type AnswerStream, createEncoder, type End, lossComments, type Start } from '../../answer/encoder.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { inOne } from '../../wire/json.js';
import { CHANGING, createEnvelope, type Envelope, reportEnvelope, responseText, tierOf } from '../answer/envelope.js';
import { createOutputWriter, type OutputWriter } from '../answer/writer.js';
import { errorBody, inBandCode } from '../edge/errors.js';
import { DIALECT, echoIn, responseId } from '../nodes.js';
import type { WireEnding } from '../response/stop.js';
import { encodeForeignUsage, encodeOwnUsage } from '../response/usage.js';

/** One answer on its way to the client. */
interface Begun {
  readonly writer: OutputWriter;
  /** The answer came from this dialect: its settings and words stay as they came. */
  readonly own: boolean;
  readonly envelope: string;
}

/** The events of one stream. */
interface Frames {
  readonly context: EncodeResponseContext;
  /** How many losses came before it. */
  readonly known: number;
  /** How events begin, by their type: all before the number. */
  readonly heads: Map<string, string>;
  /** What waits to be sent. */
  out: string;
  sequence: number;
  answer: Begun | undefined;
}

/** A stream of the grammar of [R §5.3]; every frame is numbered here and nowhere else. */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const known = context.losses.list.length;
  const frames: Frames = { context, known, heads: new Map(), out: '', sequence: 0, answer: undefined };
  const stream: AnswerStream = {
    begins: 'start',
    take() {
      const text = frames.out;
      frames.out = '';
      return text;
    },
    begin: (start) => begin(frames, start),
    part: (event) => frames.answer?.writer.parts.write(event),
    opaque({ dialect, name, raw }) {
      if (dialect !== DIALECT || frames.answer?.own !== true) return;
      // Events that only this dialect knows pass under a new number.
      const { type: _type, sequence_number: _number, ...members } = raw;
      frame(frames, name, JSON.stringify(members).slice(1, -1));
    },
    end: (finish, event, usage, bag) => end(frames, finish, event, usage, bag),
    error: (error, usage) => fail(frames, error, usage),
    heartbeat() {
      if (frames.answer === undefined) frames.out += ': waiting\n\n';
      else lifecycle(frames, 'response.in_progress', frames.answer);
    },
  };
  return createEncoder(stream);
}

function frame(frames: Frames, type: string, members: string): void {
  const head = frames.heads.get(type) ?? headOf(frames, type);
  const rest = members === '' ? '' : `,${members}`;
  frames.out += `${head}${frames.sequence}${rest}}\n\n`;
  frames.sequence += 1;
}

function headOf({ heads }: Frames, type: string): string {
  const head = inOne(`event: ${type}\ndata: `, `{"type":"${type}","sequence_number":`);
  heads.set(type, head);
  return head;
}

function lifecycle(
  frames: Frames,
  type: string,
  { envelope, writer }: Begun,
  ending?: WireEnding,
  tier = 'auto',
  counts: JsonObject | null = null,
): void {
  const open = ending === undefined ? writer.snapshot() : undefined;
  const items = open === undefined ? writer.texts() : [...writer.texts(), JSON.stringify(open)];
  const completedAt = ending?.status === 'completed' ? Math.floor(frames.context.now) : undefined;
  const progress = { status: ending?.status ?? 'in_progress', usage: counts, tier, completedAt, ending };
  frame(frames, type, `"response":${responseText(envelope, items, progress)}`);
}

function begin(frames: Frames, start: Start): void {
  const { context } = frames;
  const own = echoIn(start.ext) !== undefined;
  const id = own ? start.id : responseId(start.id, context);
  const envelope = own ? ownEnvelope(start) : createEnvelope(id, start.model, context);
  const writer = createOutputWriter({
    responseId: id,
    own,
    asIssuer: context.asIssuer,
    losses: context.losses,
    frame: (type, members) => frame(frames, type, members),
  });
  const begun = { writer, own, envelope: JSON.stringify(envelope) };
  frames.answer = begun;
  lifecycle(frames, 'response.created', begun);
  lifecycle(frames, 'response.in_progress', begun);
}

function end(frames: Frames, finish: Finish, event: End, usage: Usage | undefined, bag: Extensions | undefined): void {
  const { answer, context, known } = frames;
  if (answer === undefined) return;
  const { writer, own } = answer;
  const ending = writer.end(finish);
  const counts = usageOf(usage, own, ending, context);
  const type = `response.${TERMINAL[ending.status]}`;
  if (own) {
    frames.out += lossComments(context.losses, known);
    lifecycle(frames, type, settled(answer, event), ending, event.tier ?? 'default', counts);
    return;
  }
  dropExtras({ ext: bag, usage }, DIALECT, context.losses);
  reportEnvelope(event, context.losses);
  frames.out += lossComments(context.losses, known);
  lifecycle(frames, type, answer, ending, tierOf(event.tier), counts);
}

function usageOf(
  usage: Usage | undefined,
  own: boolean,
  { status }: WireEnding,
  { losses }: EncodeResponseContext,
): JsonObject | null {
  if (usage === undefined && status === 'failed') return null;
  return own && usage !== undefined ? encodeOwnUsage(usage) : encodeForeignUsage(usage, losses);
}

/** The settings at the end may differ from those at the start, such as a resolved tier. */
function settled(answer: Begun, { ext }: End): Begun {
  const echo = echoIn(ext);
  if (echo === undefined) return answer;
  const envelope = { ...JSON.parse(answer.envelope), ...withoutChanging(echo), ...ext?.[DIALECT] };
  return { ...answer, envelope: JSON.stringify(envelope) };
}

function fail(frames: Frames, error: CanonicalError, usage: Usage | undefined): void {
  const { answer, context } = frames;
  const body = errorBody(error);
  answer?.writer.abort();
  const counts = usage === undefined ? null : encodeForeignUsage(usage, context.losses);
  frames.out += lossComments(context.losses, frames.known);
  const { code, message, param } = body;
  frame(frames, 'error', `"error":${JSON.stringify(body)},${JSON.stringify({ code, message, param }).slice(1, -1)}`);
  if (answer === undefined) return;
  const ending: WireEnding = { status: 'failed', error: { code: inBandCode(error), message } };
  lifecycle(frames, 'response.failed', answer, ending, 'default', counts);
}

const TERMINAL = { completed: 'completed', incomplete: 'incomplete', failed: 'failed', cancelled: 'failed' } as const;

function ownEnvelope(event: Start): Envelope {
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
