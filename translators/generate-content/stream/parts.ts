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
interface PartReader {
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

/**
 * A reader of parts. Texts and thoughts are appended while nothing changes; a signed part stands alone. Calls of one
 * run wait for what follows: an update, or the answer of the service itself.
 */
export function createPartReader(read: ReadContext, emit: EventSink): PartReader {
  const texts: PlacedText[] = [];
  let next = 0;
  let wireIndex = 0;
  let open: OpenText | undefined;
  let hosted: OpenHosted | undefined;
  const calls = createOpenCalls();
  let called = false;
  let searched = false;

  const whole = (part: Part): number => {
    const ix = next;
    next += 1;
    emit({ type: 'part.start', ix, part });
    emit({ type: 'part.end', ix, part });
    return ix;
  };

  const closeText = (endText?: EndText): void => {
    if (open === undefined) return;
    const { ix, thought, ptr } = open;
    const text = open.text.read();
    open = undefined;
    if (thought) {
      emit({ type: 'part.end', ix, part: { kind: 'reasoning', text: [text], src: { ptr } } });
      return;
    }
    texts.push({ ix, text });
    const part: TextPart = { kind: 'text', text, src: { ptr } };
    emit({ type: 'part.end', ix, part: endText === undefined ? part : endText(part, ix) });
  };

  const closeHosted = (): void => {
    if (hosted === undefined) return;
    const { ix, part, node } = hosted;
    hosted = undefined;
    const ended: Part = { ...part, state: [nodeEntry('hosted', [node], read)] };
    emit({ type: 'part.end', ix, part: ended });
  };

  const flushCalls = (): void => {
    for (const { part, partial, node, answer } of calls.take()) {
      const call: CallPart = partial === undefined ? part : { ...part, args: { value: partial.value } };
      if (answer === undefined) emitCall(call);
      else emitServed(call, node, answer);
    }
  };

  const emitCall = (part: CallPart): void => {
    const ix = next;
    next += 1;
    called = true;
    emit({ type: 'part.start', ix, part: { ...part, args: { value: {} } } });
    const value = JSON.stringify(part.args.value ?? {});
    if (value !== '{}') emit({ type: 'part.delta', ix, op: 'args', value });
    emit({ type: 'part.end', ix, part });
  };

  /** A call that the service answered itself, with its answer. */
  const emitServed = (call: CallPart, node: JsonObject, answer: NonNullable<OpenCall['answer']>): void => {
    const callId = call.callId === '' ? `served_${next}` : call.callId;
    const { state: _state, ...made } = servedCall(call, callId);
    whole({ ...made, src: { ptr: made.src?.ptr ?? '', raw: node } });
    const result = servedResult(answer.node, callId, answer.ptr);
    whole({ ...result, state: [nodeEntry('hosted', [node, answer.node], read)] });
  };

  const settle = (): void => {
    closeText();
    closeHosted();
    flushCalls();
  };

  const addText = (text: string, thought: boolean, ptr: string): void => {
    if (text === '') return;
    if (open === undefined || open.thought !== thought || open.sealed) {
      settle();
      open = { ix: next, thought, text: createPieces(), ptr, sealed: false };
      next += 1;
      const head: Part = thought
        ? { kind: 'reasoning', text: [], src: { ptr } }
        : { kind: 'text', text: '', src: { ptr } };
      emit({ type: 'part.start', ix: open.ix, part: head, ...(!thought && { said: open.text.read }) });
    }
    open.text.add(text);
    emit({ type: 'part.delta', ix: open.ix, op: thought ? 'reasoning' : 'text', value: text });
  };

  /** A part with a signature, or with more than text, is a part of its own. */
  const addSigned = (part: TextPart | ReasoningPart): void => {
    if (part.kind === 'text' && part.text === '' && open?.thought === false && calls.size === 0) {
      open.sealed = true;
      texts.push({ ix: whole(part), text: '' });
      return;
    }
    settle();
    const ix = next;
    next += 1;
    const text = part.kind === 'text' ? part.text : part.text.join('');
    const head: Part = part.kind === 'text' ? { ...part, text: '' } : { ...part, text: [] };
    emit({ type: 'part.start', ix, part: head });
    if (text !== '') emit({ type: 'part.delta', ix, op: part.kind === 'text' ? 'text' : 'reasoning', value: text });
    emit({ type: 'part.end', ix, part });
    if (part.kind === 'text') texts.push({ ix, text });
  };

  const addCall = (node: JsonObject, ptr: string): void => {
    const { functionCall } = node;
    const { partialArgs, willContinue, ...bare } = isObject(functionCall) ? functionCall : {};
    if (isObject(functionCall) && bare.name === undefined) {
      calls.continued?.partial?.add(partialArgs);
      return;
    }
    const isPartial = partialArgs !== undefined || willContinue !== undefined;
    const part = decodePart(isPartial ? { ...node, functionCall: bare } : node, ptr, read);
    if (part.kind !== 'call') return;
    closeText();
    closeHosted();
    const known = calls.byId(part.callId);
    if (known !== undefined) {
      known.part = { ...part, state: part.state ?? known.part.state };
      return;
    }
    if (!isPartial) {
      calls.add({ part, node });
      return;
    }
    const partial = createPartialArgs(part.args.value);
    partial.add(partialArgs);
    calls.add({ part, node, partial });
  };

  const addHosted = (part: HostedCallPart | HostedResultPart, node: JsonObject): void => {
    const id = part.callId === '' ? `hosted_${wireIndex}` : part.callId;
    if (part.kind === 'hostedCall') {
      settle();
      searched ||= part.family === 'webSearch';
      const head = { ...part, callId: id };
      hosted = { ix: next, part: head, node };
      next += 1;
      emit({ type: 'part.start', ix: hosted.ix, part: head });
      return;
    }
    closeText();
    flushCalls();
    const call = hosted;
    if (call !== undefined && (part.callId === '' || part.callId === call.part.callId)) {
      hosted = undefined;
      emit({ type: 'part.end', ix: call.ix, part: call.part });
      whole({ ...part, callId: call.part.callId, state: [nodeEntry('hosted', [call.node, node], read)] });
      return;
    }
    closeHosted();
    whole({ ...part, callId: id, state: [nodeEntry('hosted', [node], read)] });
  };

  const add = (node: JsonObject): void => {
    const ptr = `${PARTS}/${wireIndex}`;
    const { text, thought } = node;
    if (typeof text === 'string' && isPlainText(node)) addText(text, thought === true, ptr);
    else if (node.functionCall !== undefined) addCall(node, ptr);
    else addOther(decodePart(node, ptr, read), node, ptr);
    wireIndex += 1;
  };

  /** The answer of a server to a call that was not shown. */
  const addOrphan = (node: JsonObject, ptr: string): void => {
    settle();
    whole({ ...servedResult(node, `served_${next}`, ptr), state: [nodeEntry('hosted', [node], read)] });
  };

  const addOther = (part: Part, node: JsonObject, ptr: string): void => {
    switch (part.kind) {
      case 'text':
      case 'reasoning':
        addSigned(part);
        return;
      case 'hostedCall':
      case 'hostedResult':
        addHosted(part, node);
        return;
      case 'result': {
        const call = calls.unanswered(part.callId, part.name);
        if (call !== undefined) call.answer = { node, ptr };
        else addOrphan(node, ptr);
        return;
      }
      case 'call':
        closeText();
        closeHosted();
        calls.add({ part, node });
        return;
      default:
        settle();
        whole(part);
    }
  };

  return {
    add,
    whole,
    end(endText) {
      closeText(endText);
      settle();
    },
    texts,
    get openText() {
      return open?.thought === false ? open.ix : undefined;
    },
    get called() {
      return called;
    },
    get searched() {
      return searched;
    },
  };
}

/** Nothing but text and the thought flag. */
function isPlainText(node: JsonObject): boolean {
  for (const key in node) if (key !== 'text' && key !== 'thought') return false;
  return true;
}
