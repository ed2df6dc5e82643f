import { parseArguments } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish } from '../../canonical/response.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { decodeCitation } from '../content/citations.js';
import { nodeState } from '../content/reasoning.js';
import { DIALECT, type Scope } from '../nodes.js';
import { decodeAnswerBlock, holdsOf } from '../response/decode.js';
import { decodeToolUse } from '../tools/calls.js';

/** A block that is on its way. */
interface OpenBlock {
  readonly ix: number;
  /** The block as it began; grows into the whole block. */
  readonly node: JsonObject;
  readonly citations: unknown[];
  readonly text: TextBuffer;
  readonly json: TextBuffer;
  hasJson: boolean;
}

/** A part that is whole but for what only the next event shows: whether it was cut, or got its result. */
interface WaitingPart {
  readonly ix: number;
  readonly part: Part;
}

/** What is known of a stream between its events. */
export interface DecoderState {
  readonly context: DecodeResponseContext;
  readonly emit: EventSink;
  readonly scope: Scope;
  readonly blocks: Map<number, OpenBlock>;
  calls: boolean;
  anything: boolean;
  held: WaitingPart[];
  usage: JsonObject;
  extras: JsonObject;
  count: number;
  started: boolean;
  finish: Finish | undefined;
  closed: boolean;
}

/** A next block shows that a call is whole; the result of a hosted call ends that call. */
function releaseHeld(state: DecoderState, next: JsonObject): void {
  if (state.held.length === 0) return;
  const waiting: WaitingPart[] = [];
  for (const held of state.held) {
    const { ix, part } = held;
    const ends = part.kind === 'call' || (part.kind === 'hostedCall' && next.tool_use_id === part.callId);
    if (ends) finishPart(state, ix, part);
    else waiting.push(held);
  }
  state.held = waiting;
}

function finishPart(state: DecoderState, ix: number, part: Part): void {
  if (part.state !== undefined) state.emit({ type: 'part.state', ix, entries: part.state });
  state.emit({ type: 'part.end', ix, part });
}

/** Begins a block. */
export function openBlock(state: DecoderState, index: number, node: JsonObject): OpenBlock {
  releaseHeld(state, node);
  const text = createPackedBuffer();
  const block: OpenBlock = {
    ix: state.count,
    node: { ...node },
    citations: [],
    text,
    json: createPackedBuffer(),
    hasJson: false,
  };
  state.count += 1;
  if (Array.isArray(node.citations)) block.citations.push(...node.citations);
  state.blocks.set(index, block);
  const said = block.node.type === 'text' ? { said: () => text.read() } : undefined;
  state.emit({ type: 'part.start', ix: block.ix, part: headOf(state, block.node), ...said });
  return block;
}

function headOf(state: DecoderState, node: JsonObject): Part {
  // A copy, because the block grows and a node that was decoded must not. Results come whole in their first event;
  // decoding them with the scope would take their calls out of it.
  const part = decodeAnswerBlock(withEmptyPayload({ ...node }), '', { ...state.scope, hostedCalls: undefined });
  if (part.kind === 'compaction' || (part.kind === 'reasoning' && part.redacted !== true)) {
    const { state: _unfinished, ...head } = part;
    return head;
  }
  return part;
}

function blockAt(state: DecoderState, index: number, type: string): OpenBlock {
  return state.blocks.get(index) ?? openBlock(state, index, withEmptyPayload({ type }));
}

function addText(state: DecoderState, index: number, type: 'text' | 'thinking', value: unknown): void {
  if (typeof value !== 'string') return;
  const { ix, text } = blockAt(state, index, type);
  text.add(value);
  if (value === '') return;
  if (type === 'text') state.emit({ type: 'part.delta', ix, op: 'text', value });
  else state.emit({ type: 'part.delta', ix, op: 'reasoning', value, sub: 0 });
}

/** Adds the delta of an event to its block, which begins with it if no event began it. */
export function applyDelta(state: DecoderState, index: number, delta: JsonObject): void {
  switch (delta.type) {
    case undefined:
    case 'text_delta':
      addText(state, index, 'text', delta.text);
      return;
    case 'thinking_delta':
      addText(state, index, 'thinking', delta.thinking);
      return;
    case 'input_json_delta': {
      const block = state.blocks.get(index);
      if (block === undefined || typeof delta.partial_json !== 'string') return;
      block.json.add(delta.partial_json);
      block.hasJson = true;
      if (delta.partial_json !== '' && block.node.type === 'tool_use') {
        state.emit({ type: 'part.delta', ix: block.ix, op: 'args', value: delta.partial_json });
      }
      return;
    }
    case 'signature_delta':
      if (typeof delta.signature === 'string') blockAt(state, index, 'thinking').node.signature = delta.signature;
      return;
    case 'citations_delta': {
      const block = blockAt(state, index, 'text');
      block.citations.push(delta.citation);
      const citation = decodeCitation(delta.citation, `/content/${index}/citations/${block.citations.length - 1}`);
      if (citation !== undefined) state.emit({ type: 'part.citation', ix: block.ix, citation });
      return;
    }
    case 'compaction_delta': {
      const block = state.blocks.get(index);
      if (block === undefined) return;
      for (const key in delta) if (key !== 'type') block.node[key] = delta[key];
      return;
    }
    default:
      state.emit({ type: 'opaque', dialect: DIALECT, name: 'content_block_delta', raw: delta });
  }
}

/** Ends a block as a part, which waits where only what follows shows what it is. */
export function closeBlock(state: DecoderState, index: number): void {
  const block = state.blocks.get(index);
  if (block === undefined) return;
  state.blocks.delete(index);
  const part = wholePart(state, block, `/content/${index}`);
  const waits =
    part.kind === 'call' || (part.kind === 'hostedCall' && state.scope.hostedCalls?.has(part.callId) === true);
  const holds = holdsOf([part]);
  state.calls ||= holds.calls;
  state.anything ||= holds.anything;
  if (waits) state.held.push({ ix: block.ix, part });
  else finishPart(state, block.ix, part);
}

function wholePart(state: DecoderState, block: OpenBlock, ptr: string): Part {
  const { node } = block;
  switch (node.type) {
    case 'text':
      node.text = (typeof node.text === 'string' ? node.text : '') + block.text.read();
      if (block.citations.length > 0) node.citations = block.citations;
      break;
    case 'thinking':
      node.thinking = (typeof node.thinking === 'string' ? node.thinking : '') + block.text.take();
      break;
    case 'tool_use':
      return wholeCall(state, block, ptr);
    default:
      if (block.hasJson) node.input = parseArguments(block.json.take(), state.context.maxEventDepth) ?? {};
  }
  return decodeAnswerBlock(node, ptr, state.scope);
}

/** A call with its arguments as text; text that is no object stays as it is. */
function wholeCall(state: DecoderState, block: OpenBlock, ptr: string): Part {
  const json = block.json.take();
  if (json === '') return decodeAnswerBlock(block.node, ptr, state.scope);
  const input = parseArguments(json, state.context.maxEventDepth);
  const part = decodeToolUse({ ...block.node, input: input ?? {} }, ptr, state.scope, json);
  return input === undefined ? { ...part, args: { text: json } } : part;
}

/** The end shows what held parts are: the last call was cut, hosted calls got no result. */
export function settleHeld(state: DecoderState, cut: boolean): void {
  const last = state.held.at(-1);
  const cutIx = cut && last?.part.kind === 'call' && last.ix === state.count - 1 ? last.ix : undefined;
  for (const one of state.held) {
    const { part } = one;
    if (part.kind === 'call' && one.ix === cutIx) finishPart(state, one.ix, { ...part, truncated: true });
    else if (part.kind === 'hostedCall') finishPart(state, one.ix, unanswered(state, part));
    else finishPart(state, one.ix, part);
  }
  state.held = [];
}

function unanswered(state: DecoderState, part: Part & { readonly kind: 'hostedCall' }): Part {
  const node = state.scope.hostedCalls?.get(part.callId);
  return node === undefined ? part : { ...part, state: [nodeState('hosted', [node], state.scope)] };
}

/** Blocks may begin bare; a reader needs their fields (base specification). */
function withEmptyPayload(node: JsonObject): JsonObject {
  switch (node.type) {
    case undefined:
      return { ...node, type: 'text', text: typeof node.text === 'string' ? node.text : '' };
    case 'text':
      return typeof node.text === 'string' ? node : { ...node, text: '' };
    case 'thinking':
      return typeof node.thinking === 'string' ? node : { ...node, thinking: '' };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return isObject(node.input) ? node : { ...node, input: {} };
    default:
      return node;
  }
}
