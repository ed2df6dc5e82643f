import { dropExtras } from '../../adapt/index.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { errorBody, inBandCode } from '../edge/errors.js';
import { DIALECT, echoIn, responseId } from '../nodes.js';
import { CHANGING, createEnvelope, type Envelope, reportEnvelope, responseText, tierOf } from '../response/encode.js';
import { encodeFinish, type WireEnding } from '../response/stop.js';
import { encodeForeignUsage, encodeOwnUsage } from '../response/usage.js';
import { type AnswerWriter, createAnswerWriter } from './writer.js';

/** One answer on its way to the client. */
interface Answer {
  readonly writer: AnswerWriter;
  /** The answer came from this dialect: its settings and words stand as they came. */
  readonly native: boolean;
  readonly envelope: string;
}

/** A stream of the grammar of [R §5.3]; every frame is numbered here and nowhere else. */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const known = context.losses.list.length;
  let out = '';
  let sequence = 0;
  let answer: Answer | undefined;
  let usage: Usage | undefined;
  let finish: Finish | undefined;
  let startBag: Extensions | undefined;
  let over = false;

  const frame = (type: string, members: string): void => {
    const rest = members === '' ? '' : `,${members}`;
    out += `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence}${rest}}\n\n`;
    sequence += 1;
  };

  const lifecycle = (
    type: string,
    { envelope, writer }: Answer,
    ending?: WireEnding,
    tier = 'auto',
    counts: JsonObject | null = null,
  ): void => {
    const open = ending === undefined ? writer.snapshot() : undefined;
    const items = open === undefined ? writer.texts : [...writer.texts, JSON.stringify(open)];
    const completedAt = ending?.status === 'completed' ? Math.floor(context.now) : undefined;
    const progress = { status: ending?.status ?? 'in_progress', usage: counts, tier, completedAt, ending };
    frame(type, `"response":${responseText(envelope, items, progress)}`);
  };

  const start = (event: Extract<StreamEvent, { type: 'start' }>): Answer => {
    startBag = event.ext;
    const native = echoIn(event.ext) !== undefined;
    const id = native ? event.id : responseId(event.id, context.nonce);
    const envelope = native ? nativeEnvelope(event) : createEnvelope(id, event.model, context);
    const writer = createAnswerWriter({ responseId: id, native, losses: context.losses, frame });
    const begun = { writer, native, envelope: JSON.stringify(envelope) };
    answer = begun;
    lifecycle('response.created', begun);
    lifecycle('response.in_progress', begun);
    return begun;
  };

  /** Losses of this stream ride in one comment block before the last word (translation.md 0.11). */
  const tellLosses = (): void => {
    const found = context.losses.list.slice(known).map((loss) => `: interlingua-loss ${JSON.stringify(loss)}\n`);
    if (found.length > 0) out += `${found.join('')}\n`;
  };

  const end = (event: Extract<StreamEvent, { type: 'end' }>): void => {
    over = true;
    const { writer, native } = answer ?? start({ type: 'start', id: '', model: '' });
    const done = finish ?? { kind: 'end', raw: '', dialect: '' };
    const unspoken = done.kind === 'refusal' && !writer.refused && !native;
    if (unspoken && done.detail) writer.refuse(done.detail);
    const ending = encodeFinish(
      done,
      undefined,
      { refused: writer.refused || native, compacted: writer.compacted },
      context.losses,
    );
    writer.finish(ending.status === 'incomplete');
    const counts = usageOf(native, ending);
    const tier = native ? (event.tier ?? 'default') : tierOf(event.tier);
    const settled = native ? settledEnvelope(event) : undefined;
    if (!native) {
      dropExtras({ ext: event.ext ?? startBag, usage }, DIALECT, context.losses);
      reportEnvelope(event, context.losses);
    }
    if (answer === undefined) return;
    tellLosses();
    lifecycle(
      `response.${TERMINAL[ending.status]}`,
      settled === undefined ? answer : { ...answer, envelope: settled },
      ending,
      tier,
      counts,
    );
  };

  const usageOf = (native: boolean, ending: WireEnding): JsonObject | null => {
    if (usage === undefined && ending.status === 'failed') return null;
    return native && usage !== undefined ? encodeOwnUsage(usage) : encodeForeignUsage(usage, context.losses);
  };

  /** The settings at the end may differ from those at the start, such as a resolved tier. */
  const settledEnvelope = (event: Extract<StreamEvent, { type: 'end' }>): string | undefined => {
    const echo = echoIn(event.ext);
    if (echo === undefined || answer === undefined) return undefined;
    return JSON.stringify({ ...JSON.parse(answer.envelope), ...withoutChanging(echo), ...event.ext?.[DIALECT] });
  };

  const fail = (error: CanonicalError): void => {
    over = true;
    const body = errorBody(error);
    answer?.writer.finish(true);
    const counts = usage === undefined ? null : encodeForeignUsage(usage, context.losses);
    tellLosses();
    const { code, message, param } = body;
    frame('error', `"error":${JSON.stringify(body)},${JSON.stringify({ code, message, param }).slice(1, -1)}`);
    if (answer === undefined) return;
    const ending: WireEnding = { status: 'failed', error: { code: inBandCode(error), message: error.message } };
    lifecycle('response.failed', answer, ending, 'default', counts);
  };

  const take = (event: StreamEvent): void => {
    switch (event.type) {
      case 'part.delta':
      case 'part.start':
      case 'part.end':
      case 'part.citation':
      case 'part.logprobs':
      case 'part.state':
        (answer ?? start({ type: 'start', id: '', model: '' })).writer.write(event);
        return;
      case 'start':
        usage = mergeUsage(usage, event.usage);
        if (answer === undefined) start(event);
        return;
      case 'usage':
        usage = mergeUsage(usage, event.usage);
        return;
      case 'finish':
        finish = event.finish;
        return;
      case 'end':
        end(event);
        return;
      case 'error':
        fail(event.error);
        return;
      case 'opaque':
        if (event.dialect === DIALECT && answer?.native === true) relay(event.name, event.raw);
        return;
      case 'ping':
      case 'loss':
        return;
    }
  };

  /** Events that only this dialect knows pass under a new number. */
  const relay = (name: string, raw: JsonObject): void => {
    const { type: _type, sequence_number: _number, ...members } = raw;
    frame(name, JSON.stringify(members).slice(1, -1));
  };

  const flush = (): string => {
    const text = out;
    out = '';
    return text;
  };

  return {
    encode(event) {
      if (!over) take(event);
      return flush();
    },
    heartbeat() {
      if (over) return '';
      if (answer === undefined) return ': waiting\n\n';
      lifecycle('response.in_progress', answer);
      return flush();
    },
  };
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
