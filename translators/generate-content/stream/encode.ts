import { dropExtras, dropForeign } from '../../adapt/index.js';
import type { Citation, Part, ReasoningPart, TextPart } from '../../canonical/content.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { DeltaOp, StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { Losses } from '../../canonical/loss.js';
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
import type { AnswerWriter } from './writer.js';
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

/** What is known of a stream between its events. */
interface EncoderState {
  readonly context: EncodeResponseContext;
  readonly asArray: boolean;
  readonly losses: Losses;
  printer: AnswerWriter;
  own: boolean;
  started: boolean;
  done: boolean;
  first: boolean;
  tail: string;
  startBag: Extensions | undefined;
  usage: Usage | undefined;
  usageText: string;
  finish: Finish | undefined;
  readonly queue: Writing[];
  /** Which text of the answer a part is, for citations that come after it. */
  readonly textPlaces: Map<number, number>;
  readonly told: ToldText[];
  readonly refusals: string[];
}

/** Writes the chunks of a stream, one JSON object each, in either framing (translation.md 6.4). */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const asArray = context.framing === 'array';
  const { losses } = context;

  const state: EncoderState = {
    context,
    asArray,
    losses,
    printer: createAnswerWriter(false, context),
    own: false,
    started: false,
    done: false,
    first: true,
    tail: '',
    startBag: undefined,
    usage: undefined,
    usageText: '',
    finish: undefined,
    queue: [],
    textPlaces: new Map<number, number>(),
    told: [],
    refusals: [],
  };

  return {
    encode: (event) => encode(state, event),
    heartbeat: () => (state.started && !state.done ? chunk(state, '{"text":""}') : ''),
  };
}

function frame(state: EncoderState, text: string): string {
  // The service escapes what readers of some of its clients take for the end of a line.
  const json = onOneLine(text);
  if (!state.asArray) return `data: ${json}\r\n\r\n`;
  const lead = state.first ? '[' : ',\r\n';
  state.first = false;
  return lead + json;
}

/** A chunk around parts that are JSON already. */
function chunk(state: EncoderState, parts: string, more = ''): string {
  return frame(
    state,
    `{"candidates":[{"content":{"parts":[${parts}],"role":"model"}${more},"index":0}]${state.usageText}${state.tail}`,
  );
}

function start(state: EncoderState, event: Extract<StreamEvent, { type: 'start' }>): void {
  state.started = true;
  state.own = event.ext?.generateContent !== undefined;
  state.startBag = event.ext;
  state.printer = createAnswerWriter(state.own, state.context);
  const id = state.own ? event.id : answerId(event.id, state.context.nonce);
  const model = state.own ? event.model : (state.context.model ?? event.model);
  state.tail = `,"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(id)}}`;
  if (!state.own && state.context.request?.toolChoice?.ext?.generateContent?.streamFunctionCallArguments === true) {
    state.losses.add('', 'stream.arguments', 'approximated', 'every call comes whole');
  }
  setUsage(state, event.usage);
}

function setUsage(state: EncoderState, more: Usage | undefined): void {
  if (more === undefined) return;
  state.usage = mergeUsage(state.usage, more);
  if (state.usage !== undefined) state.usageText = `,"usageMetadata":${JSON.stringify(encodeUsage(state.usage))}`;
}

/** One delta as a chunk. The signature stands on the first chunk of its part. */
function text(state: EncoderState, writing: Writing, value: string, thought: boolean): string {
  const isFirst = writing.shown === 'nothing';
  const signs = isFirst && (state.own || !thought);
  const signature = signs ? state.printer.signature(writing.state) : undefined;
  if (signs && writing.state !== undefined) writing.signed = true;
  const signed = signature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(signature)}`;
  return chunk(state, `{"text":${JSON.stringify(value)}${thought ? ',"thought":true' : ''}${signed}}`);
}

function delta(state: EncoderState, writing: Writing, op: DeltaOp, value: string, sub: number | undefined): string {
  if (value === '') return '';
  const { kind } = writing.head;
  if ((kind === 'text' && op === 'text') || (kind === 'refusal' && (op === 'refusal' || op === 'text'))) {
    const out = text(state, writing, value, false);
    writing.shown = 'text';
    return out;
  }
  if (kind !== 'reasoning' || (op !== 'reasoning' && op !== 'raw')) return '';
  const shown = op === 'raw' ? 'raw' : 'text';
  if (writing.shown !== 'nothing' && writing.shown !== shown) return '';
  const isNew = writing.shown !== 'nothing' && sub !== undefined && sub !== writing.sub;
  const out = text(state, writing, isNew ? `\n\n${value}` : value, true);
  writing.shown = shown;
  writing.sub = sub ?? writing.sub;
  return out;
}

function close(state: EncoderState, writing: Writing, part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return closeText(state, writing, part);
    case 'reasoning':
      return closeReasoning(state, writing, part);
    default: {
      const printed = state.printer.part(part);
      return printed.length === 0 ? '' : chunk(state, printed.map((node) => JSON.stringify(node)).join(','));
    }
  }
}

function closeText(state: EncoderState, writing: Writing, part: Extract<Part, { kind: 'text' | 'refusal' }>): string {
  reportForeign(state, part);
  const whole = writing.shown === 'nothing' && (part.text !== '' || part.state !== undefined);
  if (part.state !== undefined) writing.state = part.state;
  const out = whole ? text(state, writing, part.text, false) : '';
  if (!writing.signed && part.state !== undefined) state.printer.defer(part.state);
  state.told.push(part);
  if (part.text === '' && part.state === undefined) return out;
  state.textPlaces.set(writing.ix, state.textPlaces.size);
  const citations: readonly Citation[] | undefined = part.kind === 'text' ? part.citations : undefined;
  if (!state.own) {
    reportCitations(citations, part.src?.ptr ?? '', state.losses);
    reportPhase(part, state.losses);
    if (part.kind === 'text') reportLogprobs(part, state.losses);
  }
  if (part.kind === 'refusal') state.refusals.push(part.src?.ptr ?? '');
  state.printer.sources.text({ text: part.text, citations });
  return out;
}

function reportForeign(state: EncoderState, part: Part): void {
  if (!state.own) dropForeign(part, DIALECT, state.losses);
}

function closeReasoning(state: EncoderState, writing: Writing, part: ReasoningPart): string {
  reportForeign(state, part);
  if (part.state !== undefined) writing.state = part.state;
  const thoughts = writing.shown === 'nothing' ? shownThoughts(part) : [];
  let out = '';
  for (const thought of thoughts) {
    out += text(state, writing, thought, true);
    writing.shown = 'text';
  }
  state.printer.hold(part);
  if (!state.own) reportThoughts(part, state.losses);
  return out;
}

/** Ends the part that is being written and writes what waited behind it. */
function advance(state: EncoderState): string {
  let out = '';
  for (let head = state.queue[0]; head?.end !== undefined; head = state.queue[0]) {
    out += close(state, head, head.end);
    state.queue.shift();
    const following = state.queue[0];
    if (following === undefined) break;
    for (const { op, value, sub } of following.waiting) out += delta(state, following, op, value, sub);
    following.waiting.length = 0;
  }
  return out;
}

function find(state: EncoderState, ix: number): Writing | undefined {
  return state.queue[0]?.ix === ix ? state.queue[0] : state.queue.find((writing) => writing.ix === ix);
}

function end(state: EncoderState, event: Extract<StreamEvent, { type: 'end' }>): string {
  state.done = true;
  if (state.finish === undefined) return '';
  if (state.finish.kind === 'failed' || state.finish.kind === 'cancelled')
    return errorFrames(state, failureOf({ finish: state.finish }).toCanonical());
  if (!state.own) reportEnd(state, event);
  if (state.finish.kind === 'prompt_blocked') {
    const feedback = JSON.stringify(encodeBlock(state.finish));
    return frame(state, `{"promptFeedback":${feedback}${state.usageText}${state.tail}`) + closing(state);
  }
  let out = '';
  for (const left of state.queue) left.end ??= left.head;
  out += advance(state);
  const rest = state.printer.rest();
  const last: TextPart | JsonObject = rest === undefined ? { text: '' } : { text: '', thoughtSignature: rest };
  const logprobsResult = encodeLogprobs(state.told, state.own ? undefined : state.losses);
  if (!state.own) reportRefusals(state.refusals, state.finish, state.losses);
  const more = {
    ...encodeFinish(state.finish, state.losses),
    ...state.printer.sources.print(),
    ...(state.own && ownMetadata(event.ext?.generateContent)),
    ...(logprobsResult !== undefined && { logprobsResult }),
  };
  return out + chunk(state, JSON.stringify(last), `,${JSON.stringify(more).slice(1, -1)}`) + closing(state);
}

/** What of the envelope has no place here; told with the last word. */
function reportEnd(state: EncoderState, event: Extract<StreamEvent, { type: 'end' }>): void {
  dropExtras({ ext: event.ext ?? state.startBag, usage: state.usage }, DIALECT, state.losses);
  if (event.tier !== undefined) state.losses.add('', 'tier', 'dropped', 'the tier belongs to another service');
  if (event.extraCandidates !== undefined)
    state.losses.add('', 'candidates', 'dropped', 'only the first candidate is returned');
  if (state.usage === undefined) return;
  encodeUsage(state.usage, state.losses);
  reportUsage(state.usage, state.losses);
}

function closing(state: EncoderState): string {
  return state.asArray ? ']' : '';
}

/** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
function errorFrames(state: EncoderState, error: CanonicalError): string {
  state.done = true;
  const json = errorFrame(error);
  return state.asArray ? `${frame(state, json)}]` : `${frame(state, json)}${json}\r\n`;
}

function encode(state: EncoderState, event: StreamEvent): string {
  if (state.done) return '';
  switch (event.type) {
    case 'part.delta': {
      const writing = find(state, event.ix);
      if (writing === undefined) return '';
      if (writing === state.queue[0]) return delta(state, writing, event.op, event.value, event.sub);
      writing.waiting.push({ op: event.op, value: event.value, sub: event.sub });
      return '';
    }
    case 'start':
      start(state, event);
      return '';
    case 'part.start':
      state.queue.push({
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
      const writing = find(state, event.ix);
      if (writing !== undefined) writing.state = event.entries;
      return '';
    }
    case 'part.end': {
      const writing = find(state, event.ix);
      if (writing === undefined) return '';
      writing.end =
        writing.state !== undefined && event.part.state === undefined
          ? withState(event.part, writing.state)
          : event.part;
      return writing === state.queue[0] ? advance(state) : '';
    }
    case 'part.citation': {
      const place = state.textPlaces.get(event.ix);
      if (place === undefined) return '';
      if (!state.own) reportCitations([event.citation], '', state.losses);
      state.printer.sources.late(place, event.citation);
      return '';
    }
    case 'usage':
      setUsage(state, event.usage);
      return '';
    case 'finish':
      state.finish = event.finish;
      return '';
    case 'end':
      return end(state, event);
    case 'error':
      return errorFrames(state, event.error);
    case 'part.logprobs':
    case 'ping':
    case 'loss':
    case 'opaque':
      return '';
  }
}

function withState(part: Part, state: readonly StateEntry[]): Part {
  return { ...part, state };
}

/** Keys of a candidate that only this dialect has. */
function ownMetadata(bag: Readonly<JsonObject> | undefined): JsonObject {
  const token = bag?.continuationToken;
  return token === undefined ? {} : { continuationToken: token };
}
