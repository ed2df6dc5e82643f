import type {
  CallPart,
  HostedCallPart,
  HostedResultPart,
  Part,
  ReasoningPart,
  TextPart,
} from '../../canonical/content.js';
import type { EventSink } from '../../canonical/events.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import type { PlacedText } from '../content/citations.js';
import { decodePart } from '../content/decode.js';
import { nodeEntry } from '../content/reasoning.js';
import type { ReadContext } from '../nodes.js';
import { createPartialArgs } from '../tools/arguments.js';
import { servedCall, servedResult } from '../tools/hosted/mcp.js';
import { createOpenCalls, type OpenCall, type OpenCalls } from './calls.js';

/** A text or thought that chunks append to. */
interface OpenText {
  readonly ix: number;
  readonly thought: boolean;
  readonly ptr: string;
  readonly text: TextBuffer;
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
  readonly context: ReadContext;
  readonly emit: EventSink;
  /** The visible texts that have ended. */
  readonly texts: PlacedText[];
  /** The number of the next part of the model, and of the wire. */
  next: number;
  wireIndex: number;
  open: OpenText | undefined;
  hosted: OpenHosted | undefined;
  readonly calls: OpenCalls;
  /** The client has a call to answer. */
  called: boolean;
  /** A search was among the parts. */
  searched: boolean;
}

/**
 * A reader of parts. Texts and thoughts are appended while nothing changes; a signed part stands alone. Calls of one
 * run wait for what follows: an update, or the answer of the service itself.
 */
export function createPartReader(context: ReadContext, emit: EventSink): PartReader {
  return {
    context,
    emit,
    texts: [],
    next: 0,
    wireIndex: 0,
    open: undefined,
    hosted: undefined,
    calls: createOpenCalls(),
    called: false,
    searched: false,
  };
}

/** The number of the visible text that is open. */
export function openText({ open }: PartReader): number | undefined {
  return open?.thought === false ? open.ix : undefined;
}

/** Ends everything that is open. */
export function endParts(state: PartReader, endText: EndText): void {
  closeText(state, endText);
  settle(state);
}

/** The number of a part that begins. */
function takeIx(state: PartReader): number {
  state.next += 1;
  return state.next - 1;
}

/** Adds a whole part, which may be one that no chunk held. */
export function addWhole(state: PartReader, part: Part): number {
  const ix = takeIx(state);
  state.emit({ type: 'part.start', ix, part });
  state.emit({ type: 'part.end', ix, part });
  return ix;
}

function closeText(state: PartReader, endText?: EndText): void {
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

function closeHosted(state: PartReader): void {
  if (state.hosted === undefined) return;
  const { ix, part, node } = state.hosted;
  state.hosted = undefined;
  const ended: Part = { ...part, state: [nodeEntry('hosted', [node], state.context)] };
  state.emit({ type: 'part.end', ix, part: ended });
}

function flushCalls(state: PartReader): void {
  for (const { part, partial, node, answer } of state.calls.take()) {
    const call: CallPart = partial === undefined ? part : { ...part, args: { value: partial.value } };
    if (answer === undefined) emitCall(state, call);
    else emitServed(state, call, node, answer);
  }
}

function emitCall(state: PartReader, part: CallPart): void {
  const ix = takeIx(state);
  state.called = true;
  state.emit({ type: 'part.start', ix, part: { ...part, args: { value: {} } } });
  const value = JSON.stringify(part.args.value ?? {});
  if (value !== '{}') state.emit({ type: 'part.delta', ix, op: 'args', value });
  state.emit({ type: 'part.end', ix, part });
}

/** A call that the service answered itself, with its answer. */
function emitServed(
  state: PartReader,
  call: CallPart,
  node: JsonObject,
  answer: NonNullable<OpenCall['answer']>,
): void {
  const callId = call.callId === '' ? `served_${state.next}` : call.callId;
  const { state: _state, ...made } = servedCall(call, callId);
  addWhole(state, { ...made, src: { ptr: ptrOf(made), raw: node } });
  const result = servedResult(answer.node, callId, answer.ptr);
  addWhole(state, { ...result, state: [nodeEntry('hosted', [node, answer.node], state.context)] });
}

function settle(state: PartReader): void {
  closeText(state);
  closeHosted(state);
  flushCalls(state);
}

function addText(state: PartReader, text: string, thought: boolean): void {
  if (text === '') return;
  if (state.open === undefined || state.open.thought !== thought || state.open.sealed) {
    settle(state);
    const ptr = `${PARTS}/${state.wireIndex}`;
    const said = createPackedBuffer();
    state.open = { ix: takeIx(state), thought, text: said, ptr, sealed: false };
    const head: Part = thought
      ? { kind: 'reasoning', text: [], src: { ptr } }
      : { kind: 'text', text: '', src: { ptr } };
    state.emit({ type: 'part.start', ix: state.open.ix, part: head, ...(!thought && { said: () => said.read() }) });
  }
  state.open.text.add(text);
  state.emit({ type: 'part.delta', ix: state.open.ix, op: thought ? 'reasoning' : 'text', value: text });
}

/** A part with a signature, or with more than text, is a part of its own. */
function addSigned(state: PartReader, part: TextPart | ReasoningPart): void {
  if (part.kind === 'text' && part.text === '' && state.open?.thought === false && state.calls.size === 0) {
    state.open.sealed = true;
    state.texts.push({ ix: addWhole(state, part), text: '' });
    return;
  }
  settle(state);
  const ix = takeIx(state);
  const text = part.kind === 'text' ? part.text : part.text.join('');
  const head: Part = part.kind === 'text' ? { ...part, text: '' } : { ...part, text: [] };
  state.emit({ type: 'part.start', ix, part: head });
  if (text !== '') state.emit({ type: 'part.delta', ix, op: part.kind === 'text' ? 'text' : 'reasoning', value: text });
  state.emit({ type: 'part.end', ix, part });
  if (part.kind === 'text') state.texts.push({ ix, text });
}

function addCall(state: PartReader, node: JsonObject, ptr: string): void {
  const { functionCall } = node;
  const { partialArgs, willContinue, ...bare } = isObject(functionCall) ? functionCall : {};
  if (isObject(functionCall) && bare.name === undefined) {
    state.calls.continued?.partial?.add(partialArgs);
    return;
  }
  const isPartial = partialArgs !== undefined || willContinue !== undefined;
  const part = decodePart(isPartial ? { ...node, functionCall: bare } : node, ptr, state.context);
  if (part.kind !== 'call') return;
  closeText(state);
  closeHosted(state);
  const known = state.calls.byId(part.callId);
  if (known !== undefined) {
    known.part = { ...part, state: part.state ?? known.part.state };
    return;
  }
  const partial = isPartial ? createPartialArgs(part.args.value) : undefined;
  partial?.add(partialArgs);
  state.calls.add({ part, node, partial });
}

function addHosted(state: PartReader, part: HostedCallPart | HostedResultPart, node: JsonObject): void {
  const id = part.callId === '' ? `hosted_${state.wireIndex}` : part.callId;
  if (part.kind === 'hostedCall') {
    settle(state);
    state.searched ||= part.family === 'webSearch';
    const head = { ...part, callId: id };
    state.hosted = { ix: takeIx(state), part: head, node };
    state.emit({ type: 'part.start', ix: state.hosted.ix, part: head });
    return;
  }
  closeText(state);
  flushCalls(state);
  const call = state.hosted;
  if (call !== undefined && (part.callId === '' || part.callId === call.part.callId)) {
    state.hosted = undefined;
    state.emit({ type: 'part.end', ix: call.ix, part: call.part });
    addWhole(state, {
      ...part,
      callId: call.part.callId,
      state: [nodeEntry('hosted', [call.node, node], state.context)],
    });
    return;
  }
  closeHosted(state);
  addWhole(state, { ...part, callId: id, state: [nodeEntry('hosted', [node], state.context)] });
}

/** Adds the next part of the wire. Throws for known parts of a wrong shape. */
export function addPart(state: PartReader, node: JsonObject): void {
  const { text, thought } = node;
  if (typeof text === 'string' && isPlainText(node)) addText(state, text, thought === true);
  else addNode(state, node, `${PARTS}/${state.wireIndex}`);
  state.wireIndex += 1;
}

function addNode(state: PartReader, node: JsonObject, ptr: string): void {
  if (node.functionCall !== undefined) addCall(state, node, ptr);
  else addOther(state, decodePart(node, ptr, state.context), node, ptr);
}

/** The answer of a server to a call that was not shown. */
function addOrphan(state: PartReader, node: JsonObject, ptr: string): void {
  settle(state);
  addWhole(state, {
    ...servedResult(node, `served_${state.next}`, ptr),
    state: [nodeEntry('hosted', [node], state.context)],
  });
}

function addOther(state: PartReader, part: Part, node: JsonObject, ptr: string): void {
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
      addWhole(state, part);
  }
}

/** Nothing but text and the thought flag. */
export function isPlainText(node: JsonObject): boolean {
  for (const key in node) if (key !== 'text' && key !== 'thought') return false;
  return true;
}
