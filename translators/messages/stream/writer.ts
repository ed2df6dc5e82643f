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
import type { JsonObject } from '../../canonical/node.js';
import { isSubstance } from '../../canonical/parts.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { createWritten, type Written, wholly } from '../../wire/written.js';
import { citationView, encodeForeignCitation, reportSource, WIDENED } from '../content/citations.js';
import { reportLost, reportPhase, reportRefusal, reportText, reportTokens } from '../content/encode.js';
import { encodeForeignMedia, pictureOf } from '../content/media.js';
import { createCarriers, PARAGRAPH, reportThinking, shownThinking } from '../content/reasoning.js';
import { estimateInput } from '../edge/count.js';
import { DIALECT, DIRECT, textBlock } from '../nodes.js';
import { answerId, countForClient, NO_EXTRAS } from '../response/encode.js';
import { cutsCalls, encodeForeignFinish, finishError } from '../response/stop.js';
import { encodeForeignUsage, reportTier, usageExtras } from '../response/usage.js';
import { argumentText, callId, callName, reportArguments, reportCut, reportName } from '../tools/calls.js';
import { encodeForeignHosted } from '../tools/hosted/encode.js';
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
  let current: Writing | undefined;
  /** The part whose block is open. Text stays open for late citations, thinking for the state of the next part. */
  let open: Writing | undefined;
  let refused: string | undefined;
  let answered = false;
  /** Texts that have ended. */
  const whole = new Set<number>();
  const refusals: string[] = [];
  /** A call that was cut, as long as nothing follows it. */
  let cut: CallPart | undefined;

  const closeOpen = (): void => {
    if (open?.head.kind === 'reasoning') frames.delta('signature_delta', 'signature', carriers.signature());
    frames.close();
    open = undefined;
  };

  const writeCarrier = (signature: string): void => {
    settleCut();
    frames.open({ type: 'thinking', thinking: '', signature: '' });
    frames.delta('signature_delta', 'signature', signature);
    frames.close();
  };

  const placeCarrier = (): void => {
    const signature = carriers.take();
    if (signature !== undefined) writeCarrier(signature);
  };

  /** State stands before its part: in the thinking that is open, else in an empty block of its own. */
  const openBlock = (part: Writing, block: JsonObject): void => {
    const takesState = open?.head.kind === 'reasoning';
    closeOpen();
    if (!takesState && part.head.kind !== 'reasoning') placeCarrier();
    settleCut();
    frames.open(block);
    open = part;
    part.opened = true;
  };

  const closeBlock = (): void => {
    frames.close();
    open = undefined;
  };

  const writeWhole = (part: Writing, block: JsonObject): void => {
    if (block.type === 'text') {
      openBlock(part, textBlock(''));
      frames.delta('text_delta', 'text', String(block.text));
    } else {
      openBlock(part, block);
    }
    closeBlock();
  };

  const begin = (ix: number, head: Part, said: (() => string) | undefined): void => {
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
    current = writing;
    // Thinking that follows thinking has a carrier of its own.
    if (head.kind === 'reasoning' && open?.head.kind === 'reasoning') closeOpen();
    if (!ridesBehind(head)) holdState(writing, head);
  };

  /** A call that was cut and is not the last reads as whole. */
  const settleCut = (): void => {
    if (cut !== undefined) reportCut(cut, losses);
    cut = undefined;
  };

  const holdState = (writing: Writing, part: Part): void => {
    if (writing.held || part.state === undefined) return;
    writing.held = true;
    carriers.hold(part.state, part.kind === 'hostedCall' || part.kind === 'hostedResult');
  };

  const writeText = (part: Writing, value: string): void => {
    if (value === '') return;
    if (!part.opened) {
      openBlock(part, textBlock(''));
      for (const citation of part.early) writeCitation(part, citation);
      part.early = [];
    }
    part.text.add(value);
    frames.delta('text_delta', 'text', value);
  };

  const cite = (ix: number, citation: Citation): void => {
    const part = current?.ix === ix ? current : open?.ix === ix ? open : undefined;
    if (part !== undefined) part.cited += 1;
    if (part !== undefined && part === open) writeCitation(part, citation);
    else if (part !== undefined && !part.opened && !part.ended) part.early.push(citation);
    else losses.add(citation.src?.ptr ?? '', 'part.citation', 'dropped', 'the block of the text is closed already');
  };

  const writeCitation = (part: Writing, citation: Citation): void => {
    const { span } = citation;
    const path = citation.src?.ptr ?? '';
    const cited = span === undefined ? '' : part.text.read().slice(span.start, span.end);
    const node = encodeForeignCitation(citation, cited, view);
    if (node === undefined) {
      losses.add(path, 'part.citation', 'dropped', 'it names no address and no document of the request');
      return;
    }
    reportSource(citation, node, losses);
    const exact = span === undefined || (part.ended && span.start === 0 && span.end === part.text.length);
    if (!exact) losses.add(path, 'part.citation', 'approximated', WIDENED);
    frames.deltaOf({ type: 'citations_delta', citation: node });
  };

  const writeThinking = (part: Writing, channel: 'reasoning' | 'raw', value: string, paragraph: number): void => {
    if (value === '') return;
    if (!carriers.shown) {
      carriers.omit(part.head.src?.ptr ?? '');
      return;
    }
    part.channel ??= channel;
    if (part.channel !== channel) return;
    const separator = part.opened && paragraph !== part.paragraph ? PARAGRAPH : '';
    if (!part.opened) openBlock(part, { type: 'thinking', thinking: '', signature: '' });
    part.paragraph = paragraph;
    frames.delta('thinking_delta', 'thinking', separator + value);
  };

  const writeArguments = (part: Writing, value: string): void => {
    if (part.head.kind !== 'call') return;
    if (!part.opened) openBlock(part, callBlock(part.head, part.ix));
    part.text.add(value);
    frames.delta('input_json_delta', 'partial_json', value);
  };

  const callBlock = (head: CallPart, ix: number): JsonObject => ({
    type: 'tool_use',
    id: callId(head, ix, responseId, losses),
    name: callName(head),
    input: {},
    caller: DIRECT,
  });

  const delta = (part: Writing, event: Extract<PartEvent, { readonly type: 'part.delta' }>): void => {
    switch (event.op) {
      case 'text':
      case 'refusal':
        writeText(part, event.value);
        return;
      case 'reasoning':
      case 'raw':
        writeThinking(part, event.op, event.value, event.sub ?? 0);
        return;
      case 'args':
        if (event.value !== '') writeArguments(part, event.value);
        return;
      case 'freeform':
      case 'code':
      case 'partialMedia':
        return;
    }
  };

  const finishText = (writing: Writing, part: Part & { readonly kind: 'text' | 'refusal' }): void => {
    const written = writing.text.read();
    writeText(writing, remainder(part.text, written));
    writing.text = wholly(part.text.startsWith(written) ? part.text : written);
    writing.ended = true;
    if (part.kind === 'refusal') {
      refused = (refused ?? '') + part.text;
      if (part.text === '') return;
      refusals.push(part.src?.ptr ?? '');
      reportPhase(part, losses);
      return;
    }
    reportText(part, losses);
    if (part.text !== '') whole.add(writing.ix);
    for (const citation of part.citations?.slice(writing.cited) ?? []) cite(writing.ix, citation);
    for (const citation of writing.early) {
      losses.add(citation.src?.ptr ?? '', 'part.citation', 'dropped', 'its text is empty');
    }
  };

  const finishThinking = (writing: Writing, part: ReasoningPart): void => {
    const shown = shownThinking(part);
    if (carriers.shown) reportThinking(part, losses);
    if (!writing.opened) writeThinking(writing, 'reasoning', shown, 0);
    holdState(writing, part);
  };

  const finishCall = (writing: Writing, part: CallPart): void => {
    const rest = remainder(argumentText(part), writing.text.read());
    if (!writing.opened || rest !== '') writeArguments({ ...writing, head: part }, rest);
    reportArguments(part, losses);
    reportName(part, losses);
    if (part.truncated === true) cut = part;
    closeBlock();
  };

  const finishHosted = (writing: Writing, part: HostedCallPart | HostedResultPart): void => {
    closeOpen();
    const picture = part.kind === 'hostedResult' ? pictureOf(part) : undefined;
    const told = picture === undefined ? encodeForeignHosted(part, responseId) : encodeForeignMedia(picture, context);
    const block = hosted.report(part) ? told : undefined;
    if (block !== undefined && picture !== undefined) placeCarrier();
    if (block !== undefined) settleCut();
    if (block !== undefined && part.kind === 'hostedCall') {
      frames.open({ ...block, input: {} });
      frames.delta('input_json_delta', 'partial_json', JSON.stringify(block.input));
    } else if (block?.type === 'text') {
      frames.open(textBlock(''));
      frames.delta('text_delta', 'text', String(block.text));
    } else if (block !== undefined) {
      frames.open(block);
    }
    frames.close();
    holdState(writing, part);
  };

  const finishPart = (writing: Writing, part: Part): void => {
    dropForeign(part, DIALECT, losses);
    answered ||= isSubstance(part);
    if (!ridesBehind(part)) holdState(writing, part);
    switch (part.kind) {
      case 'text':
      case 'refusal':
        finishText(writing, part);
        return;
      case 'reasoning':
        finishThinking(writing, part);
        return;
      case 'call':
        finishCall(writing, part);
        return;
      case 'hostedCall':
      case 'hostedResult':
        finishHosted(writing, part);
        return;
      case 'media': {
        const block = encodeForeignMedia(part, context);
        if (block !== undefined) writeWhole(writing, block);
        return;
      }
      default:
        reportLost(part, losses);
    }
  };

  const serial = createSerializer((event) => {
    if (event.type === 'part.start') {
      begin(event.ix, event.part, event.said);
    } else if (event.type === 'part.citation') {
      cite(event.ix, event.citation);
    } else if (event.type === 'part.logprobs') {
      if (whole.has(event.ix)) reportTokens('', event.tokens, losses);
    } else if (current?.ix === event.ix) {
      if (event.type === 'part.delta') delta(current, event);
      else if (event.type === 'part.end') finishPart(current, event.part);
      else if (event.type === 'part.state' && !ridesBehind(current.head)) {
        holdState(current, { ...current.head, state: event.entries });
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
      const stop = encodeForeignFinish(finish, { refused, answered }, losses);
      if (stop.stop_reason !== 'refusal') for (const path of refusals) reportRefusal(path, losses);
      hosted.end();
      if (!cutsCalls(stop)) settleCut();
      const thought = open?.head.kind === 'reasoning';
      closeOpen();
      const signature = thought ? undefined : carriers.takeTrailing();
      if (signature !== undefined) writeCarrier(signature);
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

/** Whether the state of a part is known behind its content: thoughts, and pairs of hosted calls and results. */
function ridesBehind(part: Part): boolean {
  return part.kind === 'reasoning' || part.kind === 'hostedCall' || part.kind === 'hostedResult';
}

/** What is still to be written of a text of which the beginning was. */
function remainder(whole: string, written: string): string {
  return whole.startsWith(written) ? whole.slice(written.length) : '';
}
