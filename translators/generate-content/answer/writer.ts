import { dropAnswered, packState } from '../../adapt/index.js';
import type { PartEvent } from '../../answer/part-queue.js';
import type {
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/content.js';
import type { DeltaOp } from '../../canonical/events.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import type { Finish } from '../../canonical/response.js';
import type { StateEntry } from '../../canonical/state.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { reportCitations } from '../content/citations.js';
import { encodePart } from '../content/encode.js';
import { createSources, type SourceCollector } from '../content/grounding.js';
import { reportThoughts, shownThoughts, signatureIn, withoutRepeats } from '../content/reasoning.js';
import { DIALECT } from '../nodes.js';
import { encodeLogprobs, reportLogprobs } from '../response/metadata.js';
import { encodeFinish, reportRefusals } from '../response/stop.js';
import { encodeForeignCall } from '../tools/calls.js';
import { isDerived } from '../tools/hosted/derived.js';
import { addDerived, createHostedWriter, type HostedWriter } from '../tools/hosted/encode.js';

/** Where the wire parts of an answer go: into chunks of a stream, or into the list of a whole answer. */
export interface PartSink {
  /** A text or a thought, or a piece of one; its signature stands on the first piece. */
  text(text: string, thought: boolean, signature: string | undefined): void;
  part(node: JsonObject): void;
}

/** Writes the parts of an answer, whole or as they stream (translation.md 4.3, 5.1). */
export interface AnswerWriter {
  /** Parts come one after the other; citations may come after their text. */
  write(event: PartEvent): void;
  /** Ends what is open. */
  end(finish: Finish): AnswerEnd;
}

/** What is known at the end of an answer. */
interface AnswerEnd {
  /** The carrier of the state for which no part was left. */
  readonly signature?: string;
  /** What the candidate says besides its content. */
  readonly candidate: JsonObject;
}

/** A part on its way. */
interface OpenPart {
  readonly ix: number;
  readonly head: Part;
  state: readonly StateEntry[] | undefined;
  /** Its state is written. */
  signed: boolean;
  /** What was shown so far: nothing, the summary, or the full text of reasoning. */
  shown: 'nothing' | 'text' | 'raw';
  sub: number;
}

/** What is known of an answer between its parts. */
interface WriterState {
  readonly own: boolean;
  readonly context: EncodeResponseContext;
  readonly losses: Losses;
  readonly sink: PartSink;
  /** What the parts so far say about sources, and the text that citations point into. */
  readonly sources: SourceCollector;
  readonly hosted: HostedWriter;
  /** State that goes out with the next part that can carry it. */
  waiting: StateEntry[];
  open: OpenPart | undefined;
  readonly texts: (TextPart | RefusalPart)[];
  readonly refusals: string[];
}

/** Says that there is no state; it travels in a carrier that no service issued. */
const NO_STATE: StateEntry = { dialect: 'none', domain: 'none', kind: 'none', payload: '' };

/** A writer of one answer; `own` answers come from this dialect, so that nothing of them is lost. */
export function createAnswerWriter(own: boolean, sink: PartSink, context: EncodeResponseContext): AnswerWriter {
  const { losses } = context;
  const sources = createSources();
  const state: WriterState = {
    own,
    context,
    losses,
    sink,
    sources,
    hosted: createHostedWriter(sources, losses),
    waiting: [],
    open: undefined,
    texts: [],
    refusals: [],
  };
  return {
    write: (event) => write(state, event),
    end: (finish) => end(state, finish),
  };
}

function write(state: WriterState, event: PartEvent): void {
  switch (event.type) {
    case 'part.delta':
      if (state.open !== undefined) writeDelta(state, state.open, event.op, event.value, event.sub);
      return;
    case 'part.start':
      abandon(state);
      state.open = { ix: event.ix, head: event.part, state: event.part.state, signed: false, shown: 'nothing', sub: 0 };
      return;
    case 'part.state':
      if (state.open !== undefined) state.open.state = event.entries;
      return;
    case 'part.end':
      if (state.open !== undefined) closePart(state, state.open, withState(event.part, state.open.state));
      return;
    case 'part.citation':
      if (state.sources.late(event.ix, event.citation) && !state.own)
        reportCitations([event.citation], '', state.losses);
      return;
    case 'part.logprobs':
      return;
    default:
      event satisfies never;
  }
}

function end(state: WriterState, finish: Finish): AnswerEnd {
  const { own, losses } = state;
  abandon(state);
  state.hosted.end();
  const signature = state.waiting.length === 0 ? undefined : takeSignature(state, undefined);
  const logprobsResult = encodeLogprobs(state.texts, own ? undefined : losses);
  if (!own) reportRefusals(state.refusals, finish, losses);
  const candidate = {
    ...encodeFinish(finish, losses),
    ...state.sources.encode(),
    ...(logprobsResult !== undefined && { logprobsResult }),
  };
  return { ...(signature !== undefined && { signature }), candidate };
}

/** The signature of what goes out now: its own state, behind everything that waits. */
function takeSignature(state: WriterState, entries: readonly StateEntry[] | undefined): string | undefined {
  const native = entries?.find((entry) => entry.dialect === DIALECT);
  if (native !== undefined) return signatureIn(native);
  if (state.waiting.length === 0 && (entries === undefined || entries.length === 0)) return undefined;
  const all = [...state.waiting, ...(entries ?? [])];
  state.waiting = [];
  return packState(withoutRepeats(all), state.losses);
}

function sign(state: WriterState, node: JsonObject, entries: readonly StateEntry[] | undefined): JsonObject {
  const thoughtSignature = takeSignature(state, entries);
  return thoughtSignature === undefined ? node : { ...node, thoughtSignature };
}

/** Lets state wait that has no part to go out with. */
function defer({ own, waiting }: WriterState, entries: readonly StateEntry[] = []): void {
  if (!own) waiting.push(...entries);
}

/** A text or a piece of one. Thoughts of other services carry no signature: their state waits for the next part. */
function writeText(state: WriterState, open: OpenPart, text: string, thought: boolean): void {
  const signs = open.shown === 'nothing' && (state.own || !thought);
  const signature = signs ? takeSignature(state, open.state) : undefined;
  if (signs && open.state !== undefined) open.signed = true;
  state.sink.text(text, thought, signature);
}

function writeDelta(state: WriterState, open: OpenPart, op: DeltaOp, value: string, sub: number | undefined): void {
  if (value === '') return;
  const { kind } = open.head;
  if ((kind === 'text' && op === 'text') || (kind === 'refusal' && (op === 'refusal' || op === 'text'))) {
    writeText(state, open, value, false);
    open.shown = 'text';
    return;
  }
  if (kind !== 'reasoning' || (op !== 'reasoning' && op !== 'raw')) return;
  const shown = op === 'raw' ? 'raw' : 'text';
  if (open.shown !== 'nothing' && open.shown !== shown) return;
  const isNew = open.shown !== 'nothing' && sub !== undefined && sub !== open.sub;
  writeText(state, open, isNew ? `\n\n${value}` : value, true);
  open.shown = shown;
  open.sub = sub ?? open.sub;
}

/** Closes a part whose end did not come: what was written of it is all there is. */
function abandon(state: WriterState): void {
  if (state.open !== undefined) closePart(state, state.open, withState(state.open.head, state.open.state));
}

function closePart(state: WriterState, open: OpenPart, part: Part): void {
  state.open = undefined;
  if (!state.own) dropAnswered(part, DIALECT, state.losses);
  open.state = part.state;
  if (part.kind === 'text' || part.kind === 'refusal') closeText(state, open, part);
  else if (part.kind === 'reasoning') closeReasoning(state, open, part);
  else {
    const node = state.own ? encodeOwn(state, part) : encodeForeign(state, part);
    if (node !== undefined) state.sink.part(node);
  }
}

function withState(part: Part, state: readonly StateEntry[] | undefined): Part {
  return part.state !== undefined || state === undefined ? part : { ...part, state };
}

function closeText(state: WriterState, open: OpenPart, part: TextPart | RefusalPart): void {
  const blank = part.text === '' && part.state === undefined;
  if (open.shown === 'nothing' && !blank) writeText(state, open, part.text, false);
  if (!open.signed) defer(state, part.state);
  state.texts.push(part);
  if (blank) return;
  const ptr = part.src?.ptr ?? '';
  const citations = part.kind === 'text' ? part.citations : undefined;
  if (!state.own) {
    reportCitations(citations, ptr, state.losses);
    if (hasPhase(part)) state.losses.add(ptr, 'part.phase', 'dropped', 'texts have no phase');
    if (part.kind === 'text') reportLogprobs(part, state.losses);
  }
  if (part.kind === 'refusal') state.refusals.push(ptr);
  state.sources.text(open.ix, part.text, citations);
}

function closeReasoning(state: WriterState, open: OpenPart, part: ReasoningPart): void {
  const thoughts = open.shown === 'nothing' ? shownThoughts(part) : [];
  for (const thought of thoughts) {
    writeText(state, open, thought, true);
    open.shown = 'text';
  }
  if (state.own) return;
  reportThoughts(part, state.losses);
  const entries = part.state ?? [];
  if (state.context.asIssuer === true || entries.some((entry) => entry.dialect === DIALECT)) return;
  defer(state, entries.length > 0 ? entries : [NO_STATE]);
}

/** A part that comes at once. What was read out of metadata goes there again. */
function encodeOwn(state: WriterState, part: Part): JsonObject | undefined {
  if (!isDerived(part)) return encodePart(part, true);
  addDerived(part, state.sources);
  return undefined;
}

type WholePart = Exclude<Part, TextPart | RefusalPart | ReasoningPart>;

/** A part of another service that comes at once; undefined for what is shown elsewhere or not at all. */
function encodeForeign(state: WriterState, part: WholePart): JsonObject | undefined {
  const { losses } = state;
  const ptr = part.src?.ptr ?? '';
  switch (part.kind) {
    case 'call': {
      const node = encodeForeignCall(part, state.context);
      return node && sign(state, node, part.state);
    }
    case 'media': {
      if (part.mime === undefined)
        losses.add(ptr, 'part.media.mime', 'approximated', 'its type is not known; it reads as a file');
      const node = encodePart({ ...part, state: undefined }, false);
      return node && sign(state, node, part.state);
    }
    case 'hostedCall':
    case 'hostedResult':
      return encodeHosted(state, part);
    case 'opaque':
      if (part.dialect === DIALECT) return part.raw;
      losses.add(ptr, 'part.opaque', 'dropped', `a ${part.type} part of the ${part.dialect} dialect`);
      return undefined;
    case 'handover':
      losses.add(ptr, 'handover', 'dropped', 'another model took over');
      return undefined;
    case 'approval':
      losses.add(ptr, 'part.approval', 'dropped', 'the client cannot be asked for consent');
      return undefined;
    case 'compaction':
      losses.add(ptr, 'part.compaction', 'dropped', 'the summary of another service');
      defer(state, part.state);
      return undefined;
    case 'result':
    case 'textdoc':
    case 'searchResult':
    case 'ref':
    case 'toolChange':
      losses.add(ptr, 'part.opaque', 'dropped', `a ${part.kind} part has no form here`);
      return undefined;
    default:
      return part satisfies never;
  }
}

/** A hosted part: among the parts stand runs of code, and pictures that were made. Its state waits for what follows. */
function encodeHosted(state: WriterState, part: HostedCallPart | HostedResultPart): JsonObject | undefined {
  const node = state.hosted.encode(part);
  const signed = node && sign(state, node, undefined);
  defer(state, part.state);
  return signed;
}
