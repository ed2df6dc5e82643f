import type { Answer, Writing } from '../../answer/writer.js';
import type { CallPart, Citation, Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext } from '../../dialect.js';
import type { CitationView } from '../content/citations.js';
import type { Carriers } from '../content/reasoning.js';
import { reportCut } from '../tools/calls.js';
import type { HostedReporter } from '../tools/hosted/report.js';

/** Takes the blocks of an answer: the events of a stream, or the content of a whole answer. */
export interface BlockSink {
  /** Whether what was written is with the client already, so that a text can no longer be cut into several blocks. */
  readonly streams: boolean;
  /** Opens the next block. */
  open(block: JsonObject): void;
  /** Adds to the open block. `type` and `key` are words of the wire, so that a frame is put together as text. */
  delta(type: string, key: string, value: string): void;
  citation(citation: JsonObject): void;
  close(): void;
  /** A whole block. */
  put(block: JsonObject): void;
}

/** The blocks of one whole answer, which grow in `content`. */
export function createBlocks(): BlockSink & { readonly content: readonly JsonObject[] } {
  const content: JsonObject[] = [];
  let open: JsonObject = {};
  return {
    content,
    streams: false,
    open(block) {
      open = block;
      content.push(block);
    },
    delta(_type, key, value) {
      open[key] = `${open[key]}${value}`;
    },
    citation(citation) {
      open.citations = [...(Array.isArray(open.citations) ? open.citations : []), citation];
    },
    close() {},
    put: (block) => content.push(block),
  };
}

/** What is known of an answer between its parts. */
export interface BlockAnswer extends Answer {
  readonly sink: BlockSink;
  readonly context: EncodeResponseContext;
  readonly responseId: string;
  readonly carriers: Carriers;
  readonly view: CitationView;
  readonly hosted: HostedReporter;
  /** The part whose block is open. Text stays open for late citations, thinking for the state of the next part. */
  open: Writing | undefined;
  refused: string | undefined;
  answered: boolean;
  /** Texts that have ended, by `ix`. */
  readonly texts: Set<number>;
  /** Citations of the text that is written, as long as no word of it is. */
  early: Citation[];
  /** How many of its citations came. */
  cited: number;
  /** The paths of refusals. */
  readonly refusals: string[];
  /** A call that was cut, as long as nothing follows it. */
  cut: CallPart | undefined;
}

/** Closes the open block; thinking gets its signature. */
export function closeOpen(state: BlockAnswer): void {
  if (state.open?.head.kind === 'reasoning')
    state.sink.delta('signature_delta', 'signature', state.carriers.signature());
  closeBlock(state);
}

export function closeBlock(state: BlockAnswer): void {
  state.sink.close();
  state.open = undefined;
}

/** Writes a block that holds nothing but state. */
export function writeCarrier(state: BlockAnswer, signature: string): void {
  settleCut(state);
  state.sink.open({ type: 'thinking', thinking: '', signature: '' });
  state.sink.delta('signature_delta', 'signature', signature);
  state.sink.close();
}

export function placeCarrier(state: BlockAnswer): void {
  const signature = state.carriers.take();
  if (signature !== undefined) writeCarrier(state, signature);
}

/** State comes before the block of its part: in the thinking that is open, else in an empty block of its own (translation.md 4.3). */
function makeWay(state: BlockAnswer, { head }: Writing): void {
  const takesState = state.open?.head.kind === 'reasoning';
  closeOpen(state);
  if (!takesState && head.kind !== 'reasoning') placeCarrier(state);
  settleCut(state);
}

export function openBlock(state: BlockAnswer, writing: Writing, block: JsonObject): void {
  makeWay(state, writing);
  state.sink.open(block);
  state.open = writing;
  writing.opened = true;
}

export function putBlock(state: BlockAnswer, writing: Writing, block: JsonObject): void {
  makeWay(state, writing);
  state.sink.put(block);
}

/** A call that was cut and is not the last reads as whole. */
export function settleCut(state: BlockAnswer): void {
  if (state.cut !== undefined) reportCut(state.cut, state.losses);
  state.cut = undefined;
}

/** Lets the state of a part wait for its carrier, once. */
export function hold(state: BlockAnswer, writing: Writing, entries: Part['state']): void {
  if (writing.held || entries === undefined) return;
  writing.held = true;
  state.carriers.hold(entries, writing.head.kind === 'hostedCall' || writing.head.kind === 'hostedResult');
}
