import { dropAnswered } from '../../adapt/index.js';
import type {
  CallPart,
  Citation,
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
  TextPart,
} from '../../canonical/content.js';
import { isSubstance } from '../../canonical/parts.js';
import type { PartEvent } from '../../wire/part-queue.js';
import { wholly } from '../../wire/written.js';
import { encodeCitedText, encodeForeignCitation, reportSource, WIDENED } from '../content/citations.js';
import { reportLost, reportPhase, reportText } from '../content/encode.js';
import { encodeForeignMedia } from '../content/media.js';
import { PARAGRAPH, reportThinking, visibleThinking } from '../content/reasoning.js';
import { DIALECT, DIRECT, textBlock } from '../nodes.js';
import { argumentText, callId, callName, encodeForeignToolUse, reportArguments, reportName } from '../tools/calls.js';
import { encodeForeignHosted } from '../tools/hosted/encode.js';
import { hostedCodecs } from '../tools/hosted/families.js';
import {
  closeBlock,
  closeOpen,
  holdState,
  openBlock,
  placeCarrier,
  putBlock,
  ridesBehind,
  settleCut,
  type WriterState,
  type Writing,
} from './blocks.js';

/** Writes what one event adds to a part. */
export function writeDelta(
  state: WriterState,
  writing: Writing,
  event: Extract<PartEvent, { readonly type: 'part.delta' }>,
): void {
  switch (event.op) {
    case 'text':
    case 'refusal':
      writeText(state, writing, event.value);
      return;
    case 'reasoning':
    case 'raw':
      writeThinking(state, writing, event.op, event.value, event.sub ?? 0);
      return;
    case 'args':
      if (event.value !== '' && writing.head.kind === 'call') writeArguments(state, writing, writing.head, event.value);
      return;
    case 'freeform':
    case 'code':
    case 'partialMedia':
      return;
  }
}

function writeText(state: WriterState, writing: Writing, value: string): void {
  if (value === '') return;
  if (!writing.opened) {
    openBlock(state, writing, textBlock(''));
    for (const citation of writing.early) writeCitation(state, writing, citation);
    writing.early = [];
  }
  writing.text.add(value);
  state.sink.delta('text_delta', 'text', value);
}

/** Writes a citation into the block of its text, which may have ended but not be followed by another. */
export function cite(state: WriterState, ix: number, citation: Citation): void {
  const writing = state.current?.ix === ix ? state.current : state.open?.ix === ix ? state.open : undefined;
  if (writing !== undefined) writing.cited += 1;
  if (writing !== undefined && writing === state.open) writeCitation(state, writing, citation);
  else if (writing !== undefined && !writing.opened && !writing.ended) writing.early.push(citation);
  else state.losses.add(citation.src?.ptr ?? '', 'part.citation', 'dropped', 'the block of the text is closed already');
}

function writeCitation(state: WriterState, writing: Writing, citation: Citation): void {
  const { span } = citation;
  const path = citation.src?.ptr ?? '';
  const cited = span === undefined ? '' : writing.text.read().slice(span.start, span.end);
  const node = encodeForeignCitation(citation, cited, state.view);
  if (node === undefined) {
    state.losses.add(path, 'part.citation', 'dropped', 'it names no address and no document of the request');
    return;
  }
  reportSource(citation, node, state.losses);
  const exact = span === undefined || (writing.ended && span.start === 0 && span.end === writing.text.length);
  if (!exact) state.losses.add(path, 'part.citation', 'approximated', WIDENED);
  state.sink.citation(node);
}

function writeThinking(
  state: WriterState,
  writing: Writing,
  channel: 'reasoning' | 'raw',
  value: string,
  paragraph: number,
): void {
  if (value === '') return;
  if (!state.carriers.visible) {
    state.carriers.omit(writing.head.src?.ptr ?? '');
    return;
  }
  writing.channel ??= channel;
  if (writing.channel !== channel) return;
  const separator = writing.opened && paragraph !== writing.paragraph ? PARAGRAPH : '';
  if (!writing.opened) openBlock(state, writing, { type: 'thinking', thinking: '', signature: '' });
  writing.paragraph = paragraph;
  state.sink.delta('thinking_delta', 'thinking', separator + value);
}

function writeArguments(state: WriterState, writing: Writing, call: CallPart, value: string): void {
  if (!writing.opened) {
    const id = callId(call, writing.ix, state.responseId, state.losses);
    openBlock(state, writing, { type: 'tool_use', id, name: callName(call), input: {}, caller: DIRECT });
  }
  writing.text.add(value);
  state.sink.delta('input_json_delta', 'partial_json', value);
}

/** Writes what its end adds to a part, and reports what it loses. */
export function finishPart(state: WriterState, writing: Writing, part: Part): void {
  dropAnswered(part, DIALECT, state.losses);
  state.answered ||= isSubstance(part);
  if (!ridesBehind(part)) holdState(state, writing, part);
  switch (part.kind) {
    case 'text':
    case 'refusal':
      finishText(state, writing, part);
      return;
    case 'reasoning':
      finishThinking(state, writing, part);
      return;
    case 'call':
      finishCall(state, writing, part);
      return;
    case 'hostedCall':
    case 'hostedResult':
      finishHosted(state, writing, part);
      return;
    case 'media': {
      const block = encodeForeignMedia(part, state.context);
      if (block !== undefined) putBlock(state, writing, block);
      return;
    }
    default:
      reportLost(part, state.losses);
  }
}

function finishText(state: WriterState, writing: Writing, part: Part & { readonly kind: 'text' | 'refusal' }): void {
  if (part.kind === 'text') reportText(part, state.losses);
  if (part.kind === 'text' && !state.sink.streams) {
    if (part.text === '') return;
    for (const block of encodeCitedText(part, state.view, state.losses)) putBlock(state, writing, block);
    return;
  }
  const written = writing.text.read();
  writeText(state, writing, remainder(part.text, written));
  writing.text = wholly(part.text.startsWith(written) ? part.text : written);
  writing.ended = true;
  if (part.kind === 'refusal') {
    state.refused = (state.refused ?? '') + part.text;
    if (part.text === '') return;
    state.refusals.push(part.src?.ptr ?? '');
    reportPhase(part, state.losses);
    return;
  }
  if (part.text !== '') state.texts.add(writing.ix);
  citeRest(state, writing, part);
}

/** Writes citations that only the whole text has. */
function citeRest(state: WriterState, writing: Writing, { citations }: TextPart): void {
  for (const citation of citations?.slice(writing.cited) ?? []) cite(state, writing.ix, citation);
  for (const citation of writing.early) {
    state.losses.add(citation.src?.ptr ?? '', 'part.citation', 'dropped', 'its text is empty');
  }
}

function finishThinking(state: WriterState, writing: Writing, part: ReasoningPart): void {
  if (state.carriers.visible) reportThinking(part, state.losses);
  if (!writing.opened) writeThinking(state, writing, 'reasoning', visibleThinking(part), 0);
  holdState(state, writing, part);
}

function finishCall(state: WriterState, writing: Writing, part: CallPart): void {
  if (state.sink.streams) {
    const rest = remainder(argumentText(part), writing.text.read());
    if (!writing.opened || rest !== '') writeArguments(state, writing, part, rest);
    reportArguments(part, state.context);
    closeBlock(state);
  } else {
    putBlock(state, writing, encodeForeignToolUse(part, writing.ix, state.responseId, state.context));
  }
  reportName(part, state.losses);
  if (part.truncated === true) state.cut = part;
}

function finishHosted(state: WriterState, writing: Writing, part: HostedCallPart | HostedResultPart): void {
  closeOpen(state);
  const picture = part.kind === 'hostedResult' ? hostedCodecs[part.family].picture?.(part) : undefined;
  const block =
    picture === undefined ? encodeForeignHosted(part, state.responseId) : encodeForeignMedia(picture, state.context);
  if (state.hosted.report(part) && block !== undefined) {
    if (picture !== undefined) placeCarrier(state);
    settleCut(state);
    state.sink.put(block);
  }
  holdState(state, writing, part);
}

/** What is still to be written of a text of which the beginning was. */
function remainder(whole: string, written: string): string {
  return whole.startsWith(written) ? whole.slice(written.length) : '';
}
