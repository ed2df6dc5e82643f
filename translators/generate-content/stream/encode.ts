import { dropExtras, dropForeign } from '../../adapt/index.js';
import type { Citation, Part, ReasoningPart, TextPart } from '../../canonical/content.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { DeltaOp, StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { StateEntry } from '../../canonical/state.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { onOneLine } from '../../wire/json.js';
import { reportThoughts, shownThoughts } from '../content/reasoning.js';
import { errorFrame } from '../edge/errors.js';
import { DIALECT } from '../nodes.js';
import { answerId, failureOf } from '../response/encode.js';
import { encodeLogprobs, type ToldText } from '../response/metadata.js';
import { encodeBlock, encodeFinish, reportRefusals } from '../response/stop.js';
import { encodeUsage, reportUsage } from '../response/usage.js';
import { createAnswerWriter, reportCitations, reportLogprobs, reportPhase } from './writer.js';

/** A part on its way. Only the first of the queue is written; what comes for others waits (translation.md 6.2). */
interface Writing {
  readonly ix: number;
  readonly head: Part;
  readonly waiting: { readonly op: DeltaOp; readonly value: string; readonly sub: number | undefined }[];
  state: readonly StateEntry[] | undefined;
  /** Its state is written. */
  signed: boolean;
  end: Part | undefined;
  /** What was shown so far: nothing, the summary, or the full text of reasoning. */
  shown: 'nothing' | 'text' | 'raw';
  sub: number;
}

/** Writes the chunks of a stream, one JSON object each, in either framing (translation.md 6.4). */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const asArray = context.framing === 'array';
  const { losses } = context;
  let printer = createAnswerWriter(false, context);
  let own = false;
  let started = false;
  let done = false;
  let first = true;
  let tail = '';
  let startBag: Extensions | undefined;
  let usage: Usage | undefined;
  let usageText = '';
  let finish: Finish | undefined;
  const queue: Writing[] = [];
  /** Which text of the answer a part is, for citations that come after it. */
  const textPlaces = new Map<number, number>();
  const told: ToldText[] = [];
  const refusals: string[] = [];

  const frame = (text: string): string => {
    // The service escapes what readers of some of its clients take for the end of a line.
    const json = onOneLine(text);
    if (!asArray) return `data: ${json}\r\n\r\n`;
    const lead = first ? '[' : ',\r\n';
    first = false;
    return lead + json;
  };

  /** A chunk around parts that are JSON already. */
  const chunk = (parts: string, more = ''): string =>
    frame(`{"candidates":[{"content":{"parts":[${parts}],"role":"model"}${more},"index":0}]${usageText}${tail}`);

  const start = (event: Extract<StreamEvent, { type: 'start' }>): void => {
    started = true;
    own = event.ext?.generateContent !== undefined;
    startBag = event.ext;
    printer = createAnswerWriter(own, context);
    const id = own ? event.id : answerId(event.id, context.nonce);
    const model = own ? event.model : (context.model ?? event.model);
    tail = `,"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(id)}}`;
    if (!own && context.request?.toolChoice?.ext?.generateContent?.streamFunctionCallArguments === true) {
      losses.add('', 'stream.arguments', 'approximated', 'every call comes whole');
    }
    setUsage(event.usage);
  };

  const setUsage = (more: Usage | undefined): void => {
    if (more === undefined) return;
    usage = mergeUsage(usage, more);
    if (usage !== undefined) usageText = `,"usageMetadata":${JSON.stringify(encodeUsage(usage))}`;
  };

  /** One delta as a chunk. The signature stands on the first chunk of its part. */
  const text = (writing: Writing, value: string, thought: boolean): string => {
    const isFirst = writing.shown === 'nothing';
    const signs = isFirst && (own || !thought);
    const signature = signs ? printer.signature(writing.state) : undefined;
    if (signs && writing.state !== undefined) writing.signed = true;
    const signed = signature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(signature)}`;
    return chunk(`{"text":${JSON.stringify(value)}${thought ? ',"thought":true' : ''}${signed}}`);
  };

  const delta = (writing: Writing, op: DeltaOp, value: string, sub: number | undefined): string => {
    if (value === '') return '';
    const { kind } = writing.head;
    if ((kind === 'text' && op === 'text') || (kind === 'refusal' && (op === 'refusal' || op === 'text'))) {
      const out = text(writing, value, false);
      writing.shown = 'text';
      return out;
    }
    if (kind !== 'reasoning' || (op !== 'reasoning' && op !== 'raw')) return '';
    const shown = op === 'raw' ? 'raw' : 'text';
    if (writing.shown !== 'nothing' && writing.shown !== shown) return '';
    const isNew = writing.shown !== 'nothing' && sub !== undefined && sub !== writing.sub;
    const out = text(writing, isNew ? `\n\n${value}` : value, true);
    writing.shown = shown;
    writing.sub = sub ?? writing.sub;
    return out;
  };

  const close = (writing: Writing, part: Part): string => {
    switch (part.kind) {
      case 'text':
      case 'refusal':
        return closeText(writing, part);
      case 'reasoning':
        return closeReasoning(writing, part);
      default: {
        const printed = printer.part(part);
        return printed.length === 0 ? '' : chunk(printed.map((node) => JSON.stringify(node)).join(','));
      }
    }
  };

  const closeText = (writing: Writing, part: Extract<Part, { kind: 'text' | 'refusal' }>): string => {
    reportForeign(part);
    const whole = writing.shown === 'nothing' && (part.text !== '' || part.state !== undefined);
    if (part.state !== undefined) writing.state = part.state;
    const out = whole ? text(writing, part.text, false) : '';
    if (!writing.signed && part.state !== undefined) printer.defer(part.state);
    told.push(part);
    if (part.text === '' && part.state === undefined) return out;
    textPlaces.set(writing.ix, textPlaces.size);
    const citations: readonly Citation[] | undefined = part.kind === 'text' ? part.citations : undefined;
    if (!own) {
      reportCitations(citations, part.src?.ptr ?? '', losses);
      reportPhase(part, losses);
      if (part.kind === 'text') reportLogprobs(part, losses);
    }
    if (part.kind === 'refusal') refusals.push(part.src?.ptr ?? '');
    printer.sources.text({ text: part.text, citations });
    return out;
  };

  const reportForeign = (part: Part): void => {
    if (!own) dropForeign(part, DIALECT, losses);
  };

  const closeReasoning = (writing: Writing, part: ReasoningPart): string => {
    reportForeign(part);
    if (part.state !== undefined) writing.state = part.state;
    const thoughts = writing.shown === 'nothing' ? shownThoughts(part) : [];
    let out = '';
    for (const thought of thoughts) {
      out += text(writing, thought, true);
      writing.shown = 'text';
    }
    printer.hold(part);
    if (!own) reportThoughts(part, losses);
    return out;
  };

  /** Ends the part that is being written and writes what waited behind it. */
  const advance = (): string => {
    let out = '';
    for (let head = queue[0]; head?.end !== undefined; head = queue[0]) {
      out += close(head, head.end);
      queue.shift();
      const following = queue[0];
      if (following === undefined) break;
      for (const { op, value, sub } of following.waiting) out += delta(following, op, value, sub);
      following.waiting.length = 0;
    }
    return out;
  };

  const find = (ix: number): Writing | undefined =>
    queue[0]?.ix === ix ? queue[0] : queue.find((writing) => writing.ix === ix);

  const end = (event: Extract<StreamEvent, { type: 'end' }>): string => {
    done = true;
    if (finish === undefined) return '';
    if (finish.kind === 'failed' || finish.kind === 'cancelled')
      return errorFrames(failureOf({ finish }).toCanonical());
    if (!own) reportEnd(event);
    if (finish.kind === 'prompt_blocked') {
      const feedback = JSON.stringify(encodeBlock(finish));
      return frame(`{"promptFeedback":${feedback}${usageText}${tail}`) + closing();
    }
    let out = '';
    for (const left of queue) left.end ??= left.head;
    out += advance();
    const rest = printer.rest();
    const last: TextPart | JsonObject = rest === undefined ? { text: '' } : { text: '', thoughtSignature: rest };
    const logprobsResult = encodeLogprobs(told, own ? undefined : losses);
    if (!own) reportRefusals(refusals, finish, losses);
    const more = {
      ...encodeFinish(finish, losses),
      ...printer.sources.print(),
      ...(own && ownMetadata(event.ext?.generateContent)),
      ...(logprobsResult !== undefined && { logprobsResult }),
    };
    return out + chunk(JSON.stringify(last), `,${JSON.stringify(more).slice(1, -1)}`) + closing();
  };

  /** What of the envelope has no place here; told with the last word. */
  const reportEnd = (event: Extract<StreamEvent, { type: 'end' }>): void => {
    dropExtras({ ext: event.ext ?? startBag, usage }, DIALECT, losses);
    if (event.tier !== undefined) losses.add('', 'tier', 'dropped', 'the tier belongs to another service');
    if (event.extraCandidates !== undefined)
      losses.add('', 'candidates', 'dropped', 'only the first candidate is returned');
    if (usage === undefined) return;
    encodeUsage(usage, losses);
    reportUsage(usage, losses);
  };

  const closing = (): string => (asArray ? ']' : '');

  /** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
  const errorFrames = (error: CanonicalError): string => {
    done = true;
    const json = errorFrame(error);
    return asArray ? `${frame(json)}]` : `${frame(json)}${json}\r\n`;
  };

  const encode = (event: StreamEvent): string => {
    if (done) return '';
    switch (event.type) {
      case 'part.delta': {
        const writing = find(event.ix);
        if (writing === undefined) return '';
        if (writing === queue[0]) return delta(writing, event.op, event.value, event.sub);
        writing.waiting.push({ op: event.op, value: event.value, sub: event.sub });
        return '';
      }
      case 'start':
        start(event);
        return '';
      case 'part.start':
        queue.push({
          ix: event.ix,
          head: event.part,
          waiting: [],
          state: event.part.state,
          signed: false,
          end: undefined,
          shown: 'nothing',
          sub: 0,
        });
        return '';
      case 'part.state': {
        const writing = find(event.ix);
        if (writing !== undefined) writing.state = event.entries;
        return '';
      }
      case 'part.end': {
        const writing = find(event.ix);
        if (writing === undefined) return '';
        writing.end =
          writing.state !== undefined && event.part.state === undefined
            ? withState(event.part, writing.state)
            : event.part;
        return writing === queue[0] ? advance() : '';
      }
      case 'part.citation': {
        const place = textPlaces.get(event.ix);
        if (place === undefined) return '';
        if (!own) reportCitations([event.citation], '', losses);
        printer.sources.late(place, event.citation);
        return '';
      }
      case 'usage':
        setUsage(event.usage);
        return '';
      case 'finish':
        finish = event.finish;
        return '';
      case 'end':
        return end(event);
      case 'error':
        return errorFrames(event.error);
      case 'part.logprobs':
      case 'ping':
      case 'loss':
      case 'opaque':
        return '';
    }
  };

  return {
    encode,
    heartbeat: () => (started && !done ? chunk('{"text":""}') : ''),
  };
}

function withState(part: Part, state: readonly StateEntry[]): Part {
  return { ...part, state };
}

/** Keys of a candidate that only this dialect has. */
function ownMetadata(bag: Readonly<JsonObject> | undefined): JsonObject {
  const token = bag?.continuationToken;
  return token === undefined ? {} : { continuationToken: token };
}
