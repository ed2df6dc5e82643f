import { pictureOf } from '../../adapt/index.js';
import { PARAGRAPH, reportThoughts, shownPiece, shownThoughts } from '../../answer/thoughts.js';
import { type AnswerFormat, type PartHandler, remainder, type Writing } from '../../answer/writer.js';
import type {
  CallPart,
  Citation,
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/content.js';
import { ptrOf } from '../../canonical/node.js';
import { isSubstance } from '../../canonical/parts.js';
import { completeText } from '../../wire/appended-text.js';
import { encodeCitedText, encodeForeignCitation, reportSource, WIDENED } from '../content/citations.js';
import { reportLost, reportPhase, reportText, reportTokens } from '../content/encode.js';
import { encodeForeignMedia } from '../content/media.js';
import { DIALECT, DIRECT, textBlock } from '../nodes.js';
import { argumentText, callId, callName, encodeForeignToolUse, reportArguments, reportName } from '../tools/calls.js';
import { encodeForeignHosted } from '../tools/hosted/encode.js';
import {
  type BlockAnswer,
  closeBlock,
  closeOpen,
  hold,
  openBlock,
  placeCarrier,
  putBlock,
  settleCut,
} from './blocks.js';

const text: PartHandler<BlockAnswer, TextPart | RefusalPart> = {
  begin(answer) {
    answer.early = [];
    answer.cited = 0;
  },
  state: hold,
  delta: (answer, writing, { value }) => writeText(answer, writing, value),
  end(answer, writing, part) {
    if (part.kind === 'refusal') {
      finishText(answer, writing, part.text);
      answer.refused = (answer.refused ?? '') + part.text;
      if (part.text === '') return;
      answer.refusals.push(ptrOf(part));
      reportPhase(part, answer.losses);
      return;
    }
    reportText(part, answer.losses);
    if (answer.sink.streams) {
      finishText(answer, writing, part.text);
      citeRest(answer, writing, part);
    } else if (part.text !== '') {
      for (const block of encodeCitedText(part, answer.view, answer.losses)) putBlock(answer, writing, block);
    }
  },
};

const reasoning: PartHandler<BlockAnswer, ReasoningPart> = {
  begin(answer) {
    // Thinking that follows thinking has a carrier of its own.
    if (answer.open?.head.kind === 'reasoning') closeOpen(answer);
  },
  delta(answer, writing, delta) {
    if (shows(answer, writing, delta.value)) writeThinking(answer, writing, shownPiece(writing, delta));
  },
  end(answer, writing, part) {
    if (answer.carriers.visible) reportThoughts(part, answer.losses);
    const thoughts = writing.opened ? '' : shownThoughts(part).join(PARAGRAPH);
    if (shows(answer, writing, thoughts)) writeThinking(answer, writing, thoughts);
    hold(answer, writing, part.state);
  },
};

const call: PartHandler<BlockAnswer, CallPart> = {
  state: hold,
  delta(answer, writing, { op, value }) {
    if (op === 'args' && value !== '') writeArguments(answer, writing, writing.head, value);
  },
  end(answer, writing, part) {
    if (answer.sink.streams) {
      const rest = remainder(argumentText(part), writing.written.read());
      if (!writing.opened || rest !== '') writeArguments(answer, writing, part, rest);
      reportArguments(part, answer.context);
      closeBlock(answer);
    } else {
      putBlock(answer, writing, encodeForeignToolUse(part, writing.ix, answer.responseId, answer.context));
    }
    reportName(part, answer.losses);
    if (part.truncated === true) answer.cut = part;
  },
};

const hosted: PartHandler<BlockAnswer, HostedCallPart | HostedResultPart> = {
  end(answer, writing, part) {
    closeOpen(answer);
    const picture = part.kind === 'hostedResult' ? pictureOf(part) : undefined;
    const block =
      picture === undefined
        ? encodeForeignHosted(part, answer.responseId)
        : encodeForeignMedia(picture, answer.context);
    if (answer.hosted.report(part) && block !== undefined) {
      if (picture !== undefined) placeCarrier(answer);
      settleCut(answer);
      answer.sink.put(block);
    }
    hold(answer, writing, part.state);
  },
};

const lost: PartHandler<BlockAnswer> = {
  state: hold,
  end: ({ losses }, _writing, part) => reportLost(part, losses),
};

/** How each kind of part of another service's answer becomes blocks (translation.md 5.1). */
export const format: AnswerFormat<BlockAnswer> = {
  dialect: DIALECT,
  kinds: {
    text,
    refusal: text,
    reasoning,
    call,
    hostedCall: hosted,
    hostedResult: hosted,
    media: {
      state: hold,
      end(answer, writing, part) {
        const block = encodeForeignMedia(part, answer.context);
        if (block !== undefined) putBlock(answer, writing, block);
      },
    },
    textdoc: lost,
    searchResult: lost,
    result: lost,
    ref: lost,
    compaction: lost,
    approval: lost,
    toolChange: lost,
    handover: lost,
    opaque: lost,
  },
  ending(answer, writing, part) {
    answer.answered ||= isSubstance(part);
    if (!ridesBehind(part)) hold(answer, writing, part.state);
  },
  citation(answer, { ix, citation }, open) {
    if (open === undefined) {
      citeOpen(answer, ix, citation);
      return;
    }
    answer.cited += 1;
    if (open.opened) citeOpen(answer, ix, citation);
    else answer.early.push(citation);
  },
  logprobs({ texts, losses }, { ix, tokens }) {
    if (texts.has(ix)) reportTokens('', tokens, losses);
  },
};

/** Whether the state of a part is known behind its content: thoughts, and pairs of hosted calls and results. */
function ridesBehind({ kind }: Part): boolean {
  return kind === 'reasoning' || kind === 'hostedCall' || kind === 'hostedResult';
}

function writeText(answer: BlockAnswer, writing: Writing, value: string): void {
  if (value === '') return;
  if (!writing.opened) {
    openBlock(answer, writing, textBlock(''));
    for (const citation of answer.early) writeCitation(answer, writing, citation);
    answer.early = [];
  }
  writing.written.add(value);
  answer.sink.delta('text_delta', 'text', value);
}

function finishText(answer: BlockAnswer, writing: Writing, whole: string): void {
  const written = writing.written.read();
  writeText(answer, writing, remainder(whole, written));
  writing.written = completeText(whole.startsWith(written) ? whole : written);
}

/** Writes a citation into the block of its text, which may have ended but not be followed by another. */
function citeOpen(answer: BlockAnswer, ix: number, citation: Citation): void {
  if (answer.open?.ix === ix) writeCitation(answer, answer.open, citation);
  else answer.losses.add(citation, 'part.citation', 'dropped', 'the text block is already closed');
}

function writeCitation(answer: BlockAnswer, { ix, written }: Writing, citation: Citation): void {
  const { span } = citation;
  const cited = span === undefined ? '' : written.read().slice(span.start, span.end);
  const node = encodeForeignCitation(citation, cited, answer.view);
  if (node === undefined) {
    answer.losses.add(citation, 'part.citation', 'dropped', 'the citation has no URL and no document of the request');
    return;
  }
  reportSource(citation, node, answer.losses);
  const exact = span === undefined || (answer.texts.has(ix) && span.start === 0 && span.end === written.length);
  if (!exact) answer.losses.add(citation, 'part.citation', 'approximated', WIDENED);
  answer.sink.citation(node);
}

/** Writes citations that only the whole text has. */
function citeRest(answer: BlockAnswer, { ix }: Writing, { text, citations }: TextPart): void {
  if (text !== '') answer.texts.add(ix);
  for (const citation of citations?.slice(answer.cited) ?? []) citeOpen(answer, ix, citation);
  for (const citation of answer.early) answer.losses.add(citation, 'part.citation', 'dropped', 'its text is empty');
}

/** Whether words of a thought are shown; those that this client does not see are reported. */
function shows({ carriers }: BlockAnswer, { head }: Writing, words: string): boolean {
  if (words === '') return false;
  if (!carriers.visible) carriers.omit(ptrOf(head));
  return carriers.visible;
}

function writeThinking(answer: BlockAnswer, writing: Writing, piece: string | undefined): void {
  if (piece === undefined) return;
  if (!writing.opened) openBlock(answer, writing, { type: 'thinking', thinking: '', signature: '' });
  answer.sink.delta('thinking_delta', 'thinking', piece);
}

function writeArguments(answer: BlockAnswer, writing: Writing, part: CallPart, value: string): void {
  if (!writing.opened) {
    const id = callId(part, writing.ix, answer.responseId, answer.losses);
    openBlock(answer, writing, { type: 'tool_use', id, name: callName(part), input: {}, caller: DIRECT });
  }
  writing.written.add(value);
  answer.sink.delta('input_json_delta', 'partial_json', value);
}
