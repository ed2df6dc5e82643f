import { dropExtras, dropForeign } from '../../adapt/index.js';
import type {
  CallPart,
  Citation,
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
} from '../../canonical/content.js';
import type { StreamEvent } from '../../canonical/events.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { isSubstance } from '../../canonical/parts.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { createWritten, type Written, wholly } from '../../wire/written.js';
import type { CitationView } from '../content/citations.js';
import { citationView, encodeForeignCitation, reportSource, WIDENED } from '../content/citations.js';
import { reportLost, reportPhase, reportRefusal, reportText, reportTokens } from '../content/encode.js';
import { encodeForeignMedia, pictureOf } from '../content/media.js';
import type { Carriers } from '../content/reasoning.js';
import { createCarriers, PARAGRAPH, reportThinking, shownThinking } from '../content/reasoning.js';
import { estimateInput } from '../edge/count.js';
import { DIALECT, DIRECT, textBlock } from '../nodes.js';
import { answerId, countForClient, NO_EXTRAS } from '../response/encode.js';
import { cutsCalls, encodeForeignFinish, finishError } from '../response/stop.js';
import { encodeForeignUsage, reportTier, usageExtras } from '../response/usage.js';
import { argumentText, callId, callName, reportArguments, reportCut, reportName } from '../tools/calls.js';
import { encodeForeignHosted } from '../tools/hosted/encode.js';
import type { HostedReporter } from '../tools/hosted/report.js';
import { createHostedReporter } from '../tools/hosted/report.js';
import { type Frames, startMessage } from './frames.js';
import { createSerializer, type PartEvent } from './queue.js';

/** Writes what an answer is made of. There is one for answers of this dialect and one for those of others. */
export interface StreamWriter {
  /** Prints the first event of the stream. */
  begin(usage: Usage): void;
  part(event: PartEvent): void;
  /** Closes everything and prints the end. Throws TranslationError for ends that are failures here. */
  end(finish: Finish, event: Extract<StreamEvent, { readonly type: 'end' }>, usage: Usage): void;
}

/** A part on its way. */
interface Writing {
  readonly ix: number;
  readonly head: Part;
  /** What was written so far of a text or of arguments. */
  text: Written;
  opened: boolean;
  ended: boolean;
  /** Its state waits for a carrier already, or rides in one. */
  held: boolean;
  /** Citations that came before any text. */
  early: Citation[];
  /** How many citations came. */
  cited: number;
  /** What thinking is shown from: the summary or the full text, whichever comes first. */
  channel: 'reasoning' | 'raw' | undefined;
  paragraph: number;
}

/** What is known of an answer between its events. */
interface WriterState {
  readonly frames: Frames;
  readonly context: EncodeResponseContext;
  readonly losses: Losses;
  readonly responseId: string;
  readonly carriers: Carriers;
  readonly view: CitationView;
  readonly hosted: HostedReporter;
  current: Writing | undefined;
  /** The part whose block is open. Text stays open for late citations, thinking for the state of the next part. */
  open: Writing | undefined;
  refused: string | undefined;
  answered: boolean;
  readonly whole: Set<number>;
  readonly refusals: string[];
  /** A call that was cut, as long as nothing follows it. */
  cut: CallPart | undefined;
}

/** Writes an answer of another service by the rules that hold for a whole one (translation.md 6.7). */
export function createForeignWriter(
  start: Extract<StreamEvent, { readonly type: 'start' }> | undefined,
  frames: Frames,
  context: EncodeResponseContext,
): StreamWriter {
  const { losses } = context;
  const responseId = start?.id ?? '';
  const carriers = createCarriers(context);
  const view = citationView(context.request);
  const hosted = createHostedReporter(losses);

  /** Texts that have ended. */
  const whole = new Set<number>();
  const refusals: string[] = [];

  const state: WriterState = {
    frames,
    context,
    losses,
    responseId,
    carriers,
    view,
    hosted,
    current: undefined,
    open: undefined,
    refused: undefined,
    answered: false,
    whole,
    refusals,
    cut: undefined,
  };

  const serial = createSerializer((event) => {
    if (event.type === 'part.start') {
      begin(state, event.ix, event.part, event.said);
    } else if (event.type === 'part.citation') {
      cite(state, event.ix, event.citation);
    } else if (event.type === 'part.logprobs') {
      if (whole.has(event.ix)) reportTokens('', event.tokens, losses);
    } else if (state.current?.ix === event.ix) {
      if (event.type === 'part.delta') delta(state, state.current, event);
      else if (event.type === 'part.end') finishPart(state, state.current, event.part);
      else if (event.type === 'part.state' && !ridesBehind(state.current.head)) {
        holdState(state, state.current, { ...state.current.head, state: event.entries });
      }
    }
  });

  return {
    begin(usage) {
      const model = context.model ?? start?.model ?? '';
      const { node } = encodeForeignUsage(usage);
      if (usage.input === undefined) {
        node.input_tokens = estimateInput(context.request);
        losses.add('', 'usage.input', 'invented', 'the stream begins with an estimate, which its end corrects');
      }
      frames.start({
        ...startMessage(answerId(responseId, context.nonce), model),
        stop_details: null,
        ...NO_EXTRAS,
        usage: { ...node, output_tokens: 1, ...usageExtras(usage, start?.tier) },
      });
    },
    part: (event) => serial.push(event),
    end(finish, event, usage) {
      serial.flush();
      if (finish.kind === 'failed') throw finishError(finish);
      const stop = encodeForeignFinish(finish, { refused: state.refused, answered: state.answered }, losses);
      if (stop.stop_reason !== 'refusal') for (const path of refusals) reportRefusal(path, losses);
      hosted.end();
      if (!cutsCalls(stop)) settleCut(state);
      const thought = state.open?.head.kind === 'reasoning';
      closeOpen(state);
      const signature = thought ? undefined : carriers.takeTrailing();
      if (signature !== undefined) writeCarrier(state, signature);
      dropExtras({ ext: event.ext ?? start?.ext, usage }, DIALECT, losses);
      if ((event.extraCandidates?.length ?? 0) > 0)
        losses.add('', 'candidates', 'dropped', 'an answer here is one message');
      const counts = countForClient(usage, hosted.shown, losses);
      reportTier(event.tier, start?.tier, losses);
      const { input_tokens, output_tokens } = counts;
      // The base specification shows the counts inside; official clients read those beside [M §7].
      frames.end({ ...stop, container: null, usage: { input_tokens, output_tokens } }, counts, {});
    },
  };
}

function closeOpen(state: WriterState): void {
  if (state.open?.head.kind === 'reasoning')
    state.frames.delta('signature_delta', 'signature', state.carriers.signature());
  state.frames.close();
  state.open = undefined;
}

function writeCarrier(state: WriterState, signature: string): void {
  settleCut(state);
  state.frames.open({ type: 'thinking', thinking: '', signature: '' });
  state.frames.delta('signature_delta', 'signature', signature);
  state.frames.close();
}

function placeCarrier(state: WriterState): void {
  const signature = state.carriers.take();
  if (signature !== undefined) writeCarrier(state, signature);
}

/** State stands before its part: in the thinking that is open, else in an empty block of its own. */
function openBlock(state: WriterState, part: Writing, block: JsonObject): void {
  const takesState = state.open?.head.kind === 'reasoning';
  closeOpen(state);
  if (!takesState && part.head.kind !== 'reasoning') placeCarrier(state);
  settleCut(state);
  state.frames.open(block);
  state.open = part;
  part.opened = true;
}

function closeBlock(state: WriterState): void {
  state.frames.close();
  state.open = undefined;
}

function writeWhole(state: WriterState, part: Writing, block: JsonObject): void {
  if (block.type === 'text') {
    openBlock(state, part, textBlock(''));
    state.frames.delta('text_delta', 'text', String(block.text));
  } else {
    openBlock(state, part, block);
  }
  closeBlock(state);
}

function begin(state: WriterState, ix: number, head: Part, said: (() => string) | undefined): void {
  const writing: Writing = {
    ix,
    head,
    text: createWritten(said),
    opened: false,
    ended: false,
    held: false,
    early: [],
    cited: 0,
    channel: undefined,
    paragraph: 0,
  };
  state.current = writing;
  // Thinking that follows thinking has a carrier of its own.
  if (head.kind === 'reasoning' && state.open?.head.kind === 'reasoning') closeOpen(state);
  if (!ridesBehind(head)) holdState(state, writing, head);
}

/** A call that was cut and is not the last reads as whole. */
function settleCut(state: WriterState): void {
  if (state.cut !== undefined) reportCut(state.cut, state.losses);
  state.cut = undefined;
}

function holdState(state: WriterState, writing: Writing, part: Part): void {
  if (writing.held || part.state === undefined) return;
  writing.held = true;
  state.carriers.hold(part.state, part.kind === 'hostedCall' || part.kind === 'hostedResult');
}

function writeText(state: WriterState, part: Writing, value: string): void {
  if (value === '') return;
  if (!part.opened) {
    openBlock(state, part, textBlock(''));
    for (const citation of part.early) writeCitation(state, part, citation);
    part.early = [];
  }
  part.text.add(value);
  state.frames.delta('text_delta', 'text', value);
}

function cite(state: WriterState, ix: number, citation: Citation): void {
  const part = state.current?.ix === ix ? state.current : state.open?.ix === ix ? state.open : undefined;
  if (part !== undefined) part.cited += 1;
  if (part !== undefined && part === state.open) writeCitation(state, part, citation);
  else if (part !== undefined && !part.opened && !part.ended) part.early.push(citation);
  else state.losses.add(citation.src?.ptr ?? '', 'part.citation', 'dropped', 'the block of the text is closed already');
}

function writeCitation(state: WriterState, part: Writing, citation: Citation): void {
  const { span } = citation;
  const path = citation.src?.ptr ?? '';
  const cited = span === undefined ? '' : part.text.read().slice(span.start, span.end);
  const node = encodeForeignCitation(citation, cited, state.view);
  if (node === undefined) {
    state.losses.add(path, 'part.citation', 'dropped', 'it names no address and no document of the request');
    return;
  }
  reportSource(citation, node, state.losses);
  const exact = span === undefined || (part.ended && span.start === 0 && span.end === part.text.length);
  if (!exact) state.losses.add(path, 'part.citation', 'approximated', WIDENED);
  state.frames.deltaOf({ type: 'citations_delta', citation: node });
}

function writeThinking(
  state: WriterState,
  part: Writing,
  channel: 'reasoning' | 'raw',
  value: string,
  paragraph: number,
): void {
  if (value === '') return;
  if (!state.carriers.shown) {
    state.carriers.omit(part.head.src?.ptr ?? '');
    return;
  }
  part.channel ??= channel;
  if (part.channel !== channel) return;
  const separator = part.opened && paragraph !== part.paragraph ? PARAGRAPH : '';
  if (!part.opened) openBlock(state, part, { type: 'thinking', thinking: '', signature: '' });
  part.paragraph = paragraph;
  state.frames.delta('thinking_delta', 'thinking', separator + value);
}

function writeArguments(state: WriterState, part: Writing, value: string): void {
  if (part.head.kind !== 'call') return;
  if (!part.opened) openBlock(state, part, callBlock(state, part.head, part.ix));
  part.text.add(value);
  state.frames.delta('input_json_delta', 'partial_json', value);
}

function callBlock(state: WriterState, head: CallPart, ix: number): JsonObject {
  return {
    type: 'tool_use',
    id: callId(head, ix, state.responseId, state.losses),
    name: callName(head),
    input: {},
    caller: DIRECT,
  };
}

function delta(state: WriterState, part: Writing, event: Extract<PartEvent, { readonly type: 'part.delta' }>): void {
  switch (event.op) {
    case 'text':
    case 'refusal':
      writeText(state, part, event.value);
      return;
    case 'reasoning':
    case 'raw':
      writeThinking(state, part, event.op, event.value, event.sub ?? 0);
      return;
    case 'args':
      if (event.value !== '') writeArguments(state, part, event.value);
      return;
    case 'freeform':
    case 'code':
    case 'partialMedia':
      return;
  }
}

function finishText(state: WriterState, writing: Writing, part: Part & { readonly kind: 'text' | 'refusal' }): void {
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
  reportText(part, state.losses);
  if (part.text !== '') state.whole.add(writing.ix);
  for (const citation of part.citations?.slice(writing.cited) ?? []) cite(state, writing.ix, citation);
  for (const citation of writing.early) {
    state.losses.add(citation.src?.ptr ?? '', 'part.citation', 'dropped', 'its text is empty');
  }
}

function finishThinking(state: WriterState, writing: Writing, part: ReasoningPart): void {
  const shown = shownThinking(part);
  if (state.carriers.shown) reportThinking(part, state.losses);
  if (!writing.opened) writeThinking(state, writing, 'reasoning', shown, 0);
  holdState(state, writing, part);
}

function finishCall(state: WriterState, writing: Writing, part: CallPart): void {
  const rest = remainder(argumentText(part), writing.text.read());
  if (!writing.opened || rest !== '') writeArguments(state, { ...writing, head: part }, rest);
  reportArguments(part, state.context);
  reportName(part, state.losses);
  if (part.truncated === true) state.cut = part;
  closeBlock(state);
}

function finishHosted(state: WriterState, writing: Writing, part: HostedCallPart | HostedResultPart): void {
  closeOpen(state);
  const picture = part.kind === 'hostedResult' ? pictureOf(part) : undefined;
  const told =
    picture === undefined ? encodeForeignHosted(part, state.responseId) : encodeForeignMedia(picture, state.context);
  const block = state.hosted.report(part) ? told : undefined;
  if (block !== undefined && picture !== undefined) placeCarrier(state);
  if (block !== undefined) settleCut(state);
  if (block !== undefined && part.kind === 'hostedCall') {
    state.frames.open({ ...block, input: {} });
    state.frames.delta('input_json_delta', 'partial_json', JSON.stringify(block.input));
  } else if (block?.type === 'text') {
    state.frames.open(textBlock(''));
    state.frames.delta('text_delta', 'text', String(block.text));
  } else if (block !== undefined) {
    state.frames.open(block);
  }
  state.frames.close();
  holdState(state, writing, part);
}

function finishPart(state: WriterState, writing: Writing, part: Part): void {
  dropForeign(part, DIALECT, state.losses);
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
      if (block !== undefined) writeWhole(state, writing, block);
      return;
    }
    default:
      reportLost(part, state.losses);
  }
}

/** Whether the state of a part is known behind its content: thoughts, and pairs of hosted calls and results. */
function ridesBehind(part: Part): boolean {
  return part.kind === 'reasoning' || part.kind === 'hostedCall' || part.kind === 'hostedResult';
}

/** What is still to be written of a text of which the beginning was. */
function remainder(whole: string, written: string): string {
  return whole.startsWith(written) ? whole.slice(written.length) : '';
}
