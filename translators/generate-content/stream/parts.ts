import type {
  CallPart,
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
  TextPart,
} from '../../canonical/content.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createPieces, type Pieces } from '../../wire/pieces.js';
import type { PlacedText } from '../content/citations.js';
import { decodePart, type ReadContext } from '../content/decode.js';
import { servedCall, servedResult } from '../content/pairs.js';
import { nodeEntry } from '../content/reasoning.js';
import { createPartialArgs } from '../tools/arguments.js';
import type { OpenCalls } from './calls.js';
import { createOpenCalls, type OpenCall } from './calls.js';

/** A text or thought that chunks append to. */
interface OpenText {
  readonly ix: number;
  readonly thought: boolean;
  readonly ptr: string;
  readonly text: Pieces;
  /** A signed empty part followed: more text begins a new part. */
  sealed: boolean;
}

/** A hosted call whose result may follow. */
interface OpenHosted {
  readonly ix: number;
  readonly part: HostedCallPart;
  readonly node: JsonObject;
}

const PARTS = '/candidates/0/content/parts';

/** What a text that ends takes along; the last one may have citations and log probabilities by then. */
type EndText = (part: TextPart, ix: number) => TextPart;

/** Puts the parts of chunks together into parts of the model ([G §6.2], translation.md 6.1). */
export interface PartReader {
  /** The next part of the wire. Throws for known parts of a wrong shape. */
  add(node: JsonObject): void;
  /** A whole part that no chunk held. */
  whole(part: Part): void;
  /** Ends everything that is open. */
  end(endText: EndText): void;
  /** The visible texts that have ended. */
  readonly texts: readonly PlacedText[];
  /** The place of the visible text that is open. */
  readonly openText: number | undefined;
  /** The client has a call to answer. */
  readonly called: boolean;
  /** A search was among the parts. */
  readonly searched: boolean;
}

/** What is known of a stream between its parts. */
interface ReaderState {
  readonly read: ReadContext;
  readonly emit: EventSink;
  readonly texts: PlacedText[];
  next: number;
  wireIndex: number;
  open: OpenText | undefined;
  hosted: OpenHosted | undefined;
  readonly calls: OpenCalls;
  called: boolean;
  searched: boolean;
}

/**
 * A reader of parts. Texts and thoughts are appended while nothing changes; a signed part stands alone. Calls of one
 * run wait for what follows: an update, or the answer of the service itself.
 */
export function createPartReader(read: ReadContext, emit: EventSink): PartReader {
  const texts: PlacedText[] = [];

  const calls = createOpenCalls();

  const state: ReaderState = {
    read,
    emit,
    texts,
    next: 0,
    wireIndex: 0,
    open: undefined,
    hosted: undefined,
    calls,
    called: false,
    searched: false,
  };

  return {
    add: (node) => add(state, node),
    whole: (part) => whole(state, part),
    end(endText) {
      closeText(state, endText);
      settle(state);
    },
    texts,
    get openText() {
      return state.open?.thought === false ? state.open.ix : undefined;
    },
    get called() {
      return state.called;
    },
    get searched() {
      return state.searched;
    },
  };
}

function whole(state: ReaderState, part: Part): number {
  const ix = state.next;
  state.next += 1;
  state.emit({ type: 'part.start', ix, part });
  state.emit({ type: 'part.end', ix, part });
  return ix;
}

function closeText(state: ReaderState, endText?: EndText): void {
  if (state.open === undefined) return;
  const { ix, thought, ptr } = state.open;
  const text = state.open.text.read();
  state.open = undefined;
  if (thought) {
    state.emit({ type: 'part.end', ix, part: { kind: 'reasoning', text: [text], src: { ptr } } });
    return;
  }
  state.texts.push({ ix, text });
  const part: TextPart = { kind: 'text', text, src: { ptr } };
  state.emit({ type: 'part.end', ix, part: endText === undefined ? part : endText(part, ix) });
}

function closeHosted(state: ReaderState): void {
  if (state.hosted === undefined) return;
  const { ix, part, node } = state.hosted;
  state.hosted = undefined;
  const ended: Part = { ...part, state: [nodeEntry('hosted', [node], state.read)] };
  state.emit({ type: 'part.end', ix, part: ended });
}

function flushCalls(state: ReaderState): void {
  for (const { part, partial, node, answer } of state.calls.take()) {
    const call: CallPart = partial === undefined ? part : { ...part, args: { value: partial.value } };
    if (answer === undefined) emitCall(state, call);
    else emitServed(state, call, node, answer);
  }
}

function emitCall(state: ReaderState, part: CallPart): void {
  const ix = state.next;
  state.next += 1;
  state.called = true;
  state.emit({ type: 'part.start', ix, part: { ...part, args: { value: {} } } });
  const value = JSON.stringify(part.args.value ?? {});
  if (value !== '{}') state.emit({ type: 'part.delta', ix, op: 'args', value });
  state.emit({ type: 'part.end', ix, part });
}

/** A call that the service answered itself, with its answer. */
function emitServed(
  state: ReaderState,
  call: CallPart,
  node: JsonObject,
  answer: NonNullable<OpenCall['answer']>,
): void {
  const callId = call.callId === '' ? `served_${state.next}` : call.callId;
  const { state: _state, ...made } = servedCall(call, callId);
  whole(state, { ...made, src: { ptr: made.src?.ptr ?? '', raw: node } });
  const result = servedResult(answer.node, callId, answer.ptr);
  whole(state, { ...result, state: [nodeEntry('hosted', [node, answer.node], state.read)] });
}

function settle(state: ReaderState): void {
  closeText(state);
  closeHosted(state);
  flushCalls(state);
}

function addText(state: ReaderState, text: string, thought: boolean, ptr: string): void {
  if (text === '') return;
  if (state.open === undefined || state.open.thought !== thought || state.open.sealed) {
    settle(state);
    state.open = { ix: state.next, thought, text: createPieces(), ptr, sealed: false };
    state.next += 1;
    const head: Part = thought
      ? { kind: 'reasoning', text: [], src: { ptr } }
      : { kind: 'text', text: '', src: { ptr } };
    state.emit({ type: 'part.start', ix: state.open.ix, part: head, ...(!thought && { said: state.open.text.read }) });
  }
  state.open.text.add(text);
  state.emit({ type: 'part.delta', ix: state.open.ix, op: thought ? 'reasoning' : 'text', value: text });
}

/** A part with a signature, or with more than text, is a part of its own. */
function addSigned(state: ReaderState, part: TextPart | ReasoningPart): void {
  if (part.kind === 'text' && part.text === '' && state.open?.thought === false && state.calls.size === 0) {
    state.open.sealed = true;
    state.texts.push({ ix: whole(state, part), text: '' });
    return;
  }
  settle(state);
  const ix = state.next;
  state.next += 1;
  const text = part.kind === 'text' ? part.text : part.text.join('');
  const head: Part = part.kind === 'text' ? { ...part, text: '' } : { ...part, text: [] };
  state.emit({ type: 'part.start', ix, part: head });
  if (text !== '') state.emit({ type: 'part.delta', ix, op: part.kind === 'text' ? 'text' : 'reasoning', value: text });
  state.emit({ type: 'part.end', ix, part });
  if (part.kind === 'text') state.texts.push({ ix, text });
}

function addCall(state: ReaderState, node: JsonObject, ptr: string): void {
  const { functionCall } = node;
  const { partialArgs, willContinue, ...bare } = isObject(functionCall) ? functionCall : {};
  if (isObject(functionCall) && bare.name === undefined) {
    state.calls.continued?.partial?.add(partialArgs);
    return;
  }
  const isPartial = partialArgs !== undefined || willContinue !== undefined;
  const part = decodePart(isPartial ? { ...node, functionCall: bare } : node, ptr, state.read);
  if (part.kind !== 'call') return;
  closeText(state);
  closeHosted(state);
  const known = state.calls.byId(part.callId);
  if (known !== undefined) {
    known.part = { ...part, state: part.state ?? known.part.state };
    return;
  }
  if (!isPartial) {
    state.calls.add({ part, node });
    return;
  }
  const partial = createPartialArgs(part.args.value);
  partial.add(partialArgs);
  state.calls.add({ part, node, partial });
}

function addHosted(state: ReaderState, part: HostedCallPart | HostedResultPart, node: JsonObject): void {
  const id = part.callId === '' ? `hosted_${state.wireIndex}` : part.callId;
  if (part.kind === 'hostedCall') {
    settle(state);
    state.searched ||= part.family === 'webSearch';
    const head = { ...part, callId: id };
    state.hosted = { ix: state.next, part: head, node };
    state.next += 1;
    state.emit({ type: 'part.start', ix: state.hosted.ix, part: head });
    return;
  }
  closeText(state);
  flushCalls(state);
  const call = state.hosted;
  if (call !== undefined && (part.callId === '' || part.callId === call.part.callId)) {
    state.hosted = undefined;
    state.emit({ type: 'part.end', ix: call.ix, part: call.part });
    whole(state, { ...part, callId: call.part.callId, state: [nodeEntry('hosted', [call.node, node], state.read)] });
    return;
  }
  closeHosted(state);
  whole(state, { ...part, callId: id, state: [nodeEntry('hosted', [node], state.read)] });
}

function add(state: ReaderState, node: JsonObject): void {
  const ptr = `${PARTS}/${state.wireIndex}`;
  const { text, thought } = node;
  if (typeof text === 'string' && isPlainText(node)) addText(state, text, thought === true, ptr);
  else if (node.functionCall !== undefined) addCall(state, node, ptr);
  else addOther(state, decodePart(node, ptr, state.read), node, ptr);
  state.wireIndex += 1;
}

/** The answer of a server to a call that was not shown. */
function addOrphan(state: ReaderState, node: JsonObject, ptr: string): void {
  settle(state);
  whole(state, {
    ...servedResult(node, `served_${state.next}`, ptr),
    state: [nodeEntry('hosted', [node], state.read)],
  });
}

function addOther(state: ReaderState, part: Part, node: JsonObject, ptr: string): void {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      addSigned(state, part);
      return;
    case 'hostedCall':
    case 'hostedResult':
      addHosted(state, part, node);
      return;
    case 'result': {
      const call = state.calls.unanswered(part.callId, part.name);
      if (call !== undefined) call.answer = { node, ptr };
      else addOrphan(state, node, ptr);
      return;
    }
    case 'call':
      closeText(state);
      closeHosted(state);
      state.calls.add({ part, node });
      return;
    default:
      settle(state);
      whole(state, part);
  }
}

/** Nothing but text and the thought flag. */
function isPlainText(node: JsonObject): boolean {
  for (const key in node) if (key !== 'text' && key !== 'thought') return false;
  return true;
}
