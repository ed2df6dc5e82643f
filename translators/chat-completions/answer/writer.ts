import { dropAnswered, dropExtras, encodeLogprobs, pictureOf, reportLogprobs } from '../../adapt/index.js';
import type { PartEvent } from '../../answer/part-queue.js';
import type { Citation, Part, ReasoningPart, TextPart, TokenLogprob } from '../../canonical/content.js';
import { ptrOf } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import type { CanonicalResponse, Finish } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex } from '../../wire/utf8.js';
import { createWritten, type Written } from '../../wire/written.js';
import { encodeForeignAnnotations, encodeOwnAnnotations, isListed } from '../content/citations.js';
import { createCarriers } from '../content/state.js';
import { DIALECT } from '../nodes.js';
import { type AnswerSoFar, encodeForeignFinish, type FinishWord, isCutWord } from '../response/stop.js';
import { readsWhole } from '../stream/calls.js';
import {
  createAnswerIds,
  finishCall,
  hold,
  type MessageSink,
  PARAGRAPH,
  remainder,
  reportLost,
  showMedia,
  type WriterState,
  type Writing,
  writeArguments,
} from './shown.js';

/** Writes the parts of an answer, whole or as they stream (translation.md 5.1, 6.8). */
export interface AnswerWriter {
  /** Takes an event of a part. Parts come one after the other; citations may come after their text. */
  write(event: PartEvent): void;
  /** Ends everything; gives the word for the end. Throws TranslationError for ends that are failures here. */
  end(finish: Finish, about: AnswerEnd): string | null;
}

/** What the end of an answer brings beside its parts. */
export type AnswerEnd = Pick<CanonicalResponse, 'ext' | 'extraCandidates' | 'usage'>;

/** A writer for the answer that its service calls `responseId`; `own` answers come from this dialect, and nothing of them is lost. */
export function createAnswerWriter(
  responseId: string,
  own: boolean,
  sink: MessageSink,
  context: EncodeResponseContext,
): AnswerWriter {
  const { requestBody: asked } = context;
  const state: WriterState = {
    own,
    sink,
    context,
    losses: context.losses,
    carriers: createCarriers(responseId, context),
    ids: createAnswerIds(responseId, context),
    legacy: asked?.functions !== undefined && asked.tools === undefined,
    current: undefined,
    texts: new Map(),
    pictures: [],
    drawing: new Map(),
    length: 0,
    calls: 0,
    written: [],
    refused: false,
    said: false,
    thought: false,
    moved: false,
  };
  return {
    write: (event) => write(state, event),
    end: (finish, about) => end(state, finish, about),
  };
}

function write(state: WriterState, event: PartEvent): void {
  const { current } = state;
  switch (event.type) {
    case 'part.start':
      state.current = begin(state, event.ix, event.part, createWritten(event.said));
      return;
    case 'part.citation':
      state.texts.get(event.ix)?.citations.push(event.citation);
      return;
    case 'part.logprobs':
      if (state.texts.has(event.ix)) writeTokens(state, event.tokens, '');
      return;
    case 'part.delta':
      if (current?.ix === event.ix) writeDelta(state, current, event);
      return;
    case 'part.state':
      if (current?.ix === event.ix) hold(state, current, event.entries);
      return;
    case 'part.end':
      if (current?.ix !== event.ix) return;
      state.current = undefined;
      finishPart(state, current, event.part);
  }
}

function begin(state: WriterState, ix: number, head: Part, text: Written): Writing {
  const writing: Writing = { ix, head, text, opened: false, held: false, channel: undefined, paragraph: 0 };
  hold(state, writing, head.state);
  return writing;
}

function writeDelta(
  state: WriterState,
  writing: Writing,
  { op, value, sub = 0 }: Extract<PartEvent, { readonly type: 'part.delta' }>,
): void {
  if (value === '') return;
  const { kind } = writing.head;
  if (op === 'text' && kind === 'text') writeText(state, writing, 'content', value);
  else if (kind === 'refusal' && (op === 'refusal' || op === 'text')) writeText(state, writing, 'refusal', value);
  else if (kind === 'reasoning' && (op === 'reasoning' || op === 'raw')) writeThought(state, writing, op, value, sub);
  else if (kind === 'call' && (op === 'args' || op === 'freeform')) writeArguments(state, writing, writing.head, value);
}

function writeText(state: WriterState, writing: Writing, key: 'content' | 'refusal', value: string): void {
  if (value === '') return;
  if (!writing.opened && key === 'content' && state.calls > 0 && !state.own && !state.moved) {
    state.moved = true;
    state.losses.add(ptrOf(writing.head), 'turn.order', 'approximated', 'text behind a call reads as in front of it');
  }
  writing.opened = true;
  writing.text.add(value);
  state.sink.text(key, value);
}

function writeThought(
  state: WriterState,
  writing: Writing,
  channel: 'reasoning' | 'raw',
  value: string,
  paragraph: number,
): void {
  const key = thoughtKey(state, writing.head);
  if (key === undefined) return;
  if (!state.own && !state.carriers.visible) {
    state.carriers.omit(ptrOf(writing.head));
    return;
  }
  writing.channel ??= channel;
  if (writing.channel !== channel) return;
  const follows = writing.opened ? paragraph !== writing.paragraph : state.thought;
  writing.opened = true;
  writing.paragraph = paragraph;
  state.thought = true;
  state.sink.text(key, follows && !state.own ? PARAGRAPH + value : value);
}

/** The key under which words of a thought stream: for an own one that of its server, where it is a text. */
function thoughtKey({ own }: WriterState, { src }: Part): string | undefined {
  if (!own) return 'reasoning_content';
  const key = isObject(src?.raw) ? src.raw.key : undefined;
  return typeof key === 'string' && key.startsWith('reasoning') && key !== 'reasoning_details' ? key : undefined;
}

/** Writes what its end adds to a part, and reports what it loses. */
function finishPart(state: WriterState, writing: Writing, part: Part): void {
  if (!state.own) dropAnswered(part, DIALECT, state.losses);
  if (part.kind !== 'call') hold(state, writing, part.state);
  switch (part.kind) {
    case 'text':
      finishText(state, writing, part);
      return;
    case 'refusal':
      if (part.text === '') return;
      writeText(state, writing, 'refusal', remainder(part.text, writing.text));
      state.refused = true;
      reportPhase(state, part);
      return;
    case 'reasoning':
      if (state.own) finishOwnThought(state, writing, part);
      else finishThought(state, writing, part);
      return;
    case 'call':
      finishCall(state, writing, part);
      return;
    case 'media':
      showMedia(state, part);
      return;
    case 'hostedResult': {
      const picture = pictureOf(part);
      const asked = state.drawing.get(part.callId);
      state.drawing.delete(part.callId);
      if (picture !== undefined) showMedia(state, picture);
      else for (const lost of asked === undefined ? [part] : [asked, part]) reportLost(lost, state.losses);
      return;
    }
    case 'hostedCall':
      // What it drew is shown in its place.
      if (part.family === 'imageGen' && !state.own) state.drawing.set(part.callId, part);
      else reportLost(part, state.losses);
      return;
    default:
      reportLost(part, state.losses);
  }
}

function finishText(state: WriterState, writing: Writing, part: TextPart): void {
  writeText(state, writing, 'content', remainder(part.text, writing.text));
  if (part.text === '') return;
  state.said = true;
  state.texts.set(writing.ix, { part, base: state.length, citations: [...(part.citations ?? [])] });
  state.length += createOffsetIndex(part.text, 'codePoint').fromUtf16(part.text.length);
  if (part.logprobs !== undefined) writeTokens(state, part.logprobs, ptrOf(part));
  reportPhase(state, part);
}

function reportPhase(state: WriterState, part: Part): void {
  if (!state.own && hasPhase(part)) state.losses.add(ptrOf(part), 'part.phase', 'dropped', 'texts have no phase');
}

/** The probabilities of the tokens of a text, which its part knows by now. */
function writeTokens(state: WriterState, tokens: readonly TokenLogprob[], ptr: string): void {
  if (!state.own) reportLogprobs(tokens, ptr, state.losses);
  state.sink.tokens('content', encodeLogprobs(tokens));
}

function finishThought(state: WriterState, writing: Writing, part: ReasoningPart): void {
  const summary = part.text.filter((text) => text !== '');
  const raw = part.raw?.filter((text) => text !== '') ?? [];
  const shown = summary.length > 0 ? summary : raw;
  if (!writing.opened && shown.length > 0) writeThought(state, writing, 'reasoning', shown.join(PARAGRAPH), 0);
  if (state.carriers.visible && summary.length > 0 && raw.length > 0)
    state.losses.add(ptrOf(part), 'reasoning.text', 'dropped', 'its summary is shown in place of the full text');
}

/** The keys of a thought as its server had them, but for the one that was written while it came. */
function finishOwnThought(state: WriterState, writing: Writing, { src }: ReasoningPart): void {
  if (!isObject(src?.raw)) return;
  const { inline, key: _key, ...keys } = src.raw;
  if (typeof inline === 'string') state.sink.text('content', inline);
  const written = writing.opened ? thoughtKey(state, writing.head) : undefined;
  if (written !== undefined) delete keys[written];
  if (Object.keys(keys).length > 0) state.sink.put(keys);
}

function end(state: WriterState, finish: Finish, about: AnswerEnd): string | null {
  const { own, sink, losses, carriers } = state;
  const word = own ? finish.raw : foreignWord(state, finish);
  // A whole answer has lists for sources beside it.
  const placed = (all: readonly Citation[]): readonly Citation[] =>
    sink.streams ? all : all.filter((citation) => !isListed(citation));
  const annotations = [...state.texts.values()].flatMap(({ part, base, citations }) =>
    own ? encodeOwnAnnotations(part, placed(citations), base) : encodeForeignAnnotations(part, citations, base, losses),
  );
  if (!own) reportCut(state, word);
  if (state.pictures.length > 0) sink.put({ images: state.pictures });
  if (annotations.length > 0) sink.put({ annotations });
  const trailing = own ? undefined : carriers.trailing();
  if (trailing !== undefined) sink.put({ reasoning_details: [trailing] });
  for (const asked of state.drawing.values()) reportLost(asked, losses);
  if (!own) {
    dropExtras(about, DIALECT, losses);
    if ((about.extraCandidates?.length ?? 0) > 0)
      losses.add('', 'candidates', 'dropped', 'an answer here is one message');
  }
  return word === '' ? null : word;
}

/** Reports the calls that their client takes for whole or cut where they are not; of a last one the wire does not say. */
function reportCut({ written, calls, losses }: WriterState, word: string | null): void {
  for (const { part, text, place } of written) {
    const whole = !isCutWord(word ?? undefined) || readsWhole(part.freeform !== undefined, text, place === calls);
    if (whole !== (part.truncated === true) || (!whole && place === calls)) continue;
    losses.add(ptrOf(part), 'call.truncated', 'approximated', `the call reads as ${whole ? 'whole' : 'cut'}`);
  }
}

function foreignWord(state: WriterState, finish: Finish): FinishWord {
  const so: AnswerSoFar = { refused: state.refused, calls: state.calls > 0, text: state.said };
  const { word, refusal } = encodeForeignFinish(finish, so, state.losses);
  if (refusal !== undefined) state.sink.text('refusal', refusal);
  return word === 'tool_calls' && state.legacy ? 'function_call' : word;
}
