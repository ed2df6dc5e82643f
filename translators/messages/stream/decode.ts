import type { Part } from '../../canonical/content.js';
import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish } from '../../canonical/response.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { isObject, parseJson, tooDeep } from '../../wire/json.js';
import { createPieces, type Pieces } from '../../wire/pieces.js';
import { createSseCutter } from '../../wire/sse.js';
import { decodeCitation } from '../content/citations.js';
import { nodeState } from '../content/reasoning.js';
import { decodeError } from '../edge/errors.js';
import type { Scope } from '../nodes.js';
import { DIALECT } from '../nodes.js';
import { answerScope, decodeAnswerBlock, holdsOf } from '../response/decode.js';
import { decodeFinish, isCut, isPlainDetails } from '../response/stop.js';
import { decodeUsage, tierOf } from '../response/usage.js';
import { decodeToolUse, parseArguments } from '../tools/calls.js';

/** A block that is on its way. */
interface Open {
  readonly ix: number;
  /** The block as it began; grows into the whole block. */
  readonly node: JsonObject;
  readonly citations: unknown[];
  readonly text: Pieces;
  readonly json: Pieces;
  hasJson: boolean;
}

/** A part that is whole but for what only the next event tells: whether it was cut, or got its result. */
interface Held {
  readonly ix: number;
  readonly part: Part;
}

/** Keys of `message_start.message` that the model or the end of the stream holds. */
const MESSAGE_KEYS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);

/** What is known of a stream between its events. */
interface DecoderState {
  readonly context: DecodeResponseContext;
  readonly emit: EventSink;
  readonly scope: Scope;
  readonly blocks: Map<number, Open>;
  calls: boolean;
  anything: boolean;
  held: Held[];
  usage: JsonObject;
  extras: JsonObject;
  count: number;
  started: boolean;
  finish: Finish | undefined;
  closed: boolean;
}

/**
 * Reads a stream of this dialect [M §5]. Blocks are put together as the service's own client does it and then decoded
 * like those of a whole answer, so that both ways give the same parts.
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const scope = answerScope(context);

  const state: DecoderState = {
    context,
    emit,
    scope,
    blocks: new Map<number, Open>(),
    calls: false,
    anything: false,
    held: [],
    usage: {},
    extras: {},
    count: 0,
    started: false,
    finish: undefined,
    closed: false,
  };

  const cutter = createSseCutter(
    (name, data) => onData(state, name, data),
    context.maxEventBytes === undefined ? {} : { maxBytes: context.maxEventBytes },
  );
  return {
    push: (chunk) => {
      if (!state.closed) guard(state, () => cutter.push(chunk));
    },
    end: () =>
      guard(state, () => {
        if (!state.closed) cutter.end();
        if (!state.closed) stop(state);
      }),
  };
}

function fail(state: DecoderState, error: CanonicalError): void {
  if (state.closed) return;
  state.closed = true;
  state.emit({ type: 'error', error });
}

function broken(state: DecoderState, message: string, code: string): void {
  fail(state, { kind: 'upstream', message, code });
}

function start(state: DecoderState, message: JsonObject): void {
  state.started = true;
  const bag: JsonObject = {};
  for (const key in message) if (!MESSAGE_KEYS.has(key)) bag[key] = message[key];
  state.extras = bag;
  const counts = isObject(message.usage) ? message.usage : undefined;
  if (counts !== undefined) {
    // The output count at the start is a placeholder [M §5.5].
    const { output_tokens: _placeholder, ...rest } = counts;
    state.usage = rest;
  }
  state.emit({
    type: 'start',
    id: typeof message.id === 'string' ? message.id : '',
    model: typeof message.model === 'string' ? message.model : '',
    ...(counts !== undefined && { usage: decodeUsage(state.usage, '/usage') }),
    tier: tierOf(state.usage),
    ext: { [DIALECT]: bag },
  });
}

/** Ends held parts: results of hosted calls release their calls, and a next block shows that a call is whole. */
function release(state: DecoderState, from: readonly Held[]): void {
  for (const { ix, part } of from) finishPart(state, ix, part);
  state.held = state.held.filter((one) => !from.includes(one));
}

function finishPart(state: DecoderState, ix: number, part: Part): void {
  if (part.state !== undefined) state.emit({ type: 'part.state', ix, entries: part.state });
  state.emit({ type: 'part.end', ix, part });
}

function open(state: DecoderState, index: number, node: JsonObject): Open {
  release(
    state,
    state.held.filter(({ part }) => part.kind === 'call' || answers(node, part)),
  );
  const text = createPieces();
  const block: Open = { ix: state.count, node: { ...node }, citations: [], text, json: createPieces(), hasJson: false };
  state.count += 1;
  if (Array.isArray(node.citations)) block.citations.push(...node.citations);
  state.blocks.set(index, block);
  const said = block.node.type === 'text' ? { said: text.read } : undefined;
  state.emit({ type: 'part.start', ix: block.ix, part: headOf(state, block.node), ...said });
  return block;
}

function headOf(state: DecoderState, node: JsonObject): Part {
  // Results come whole in their first event; decoding them with the scope would take their calls out of it.
  const part = decodeAnswerBlock(withEmptyPayload(node), '', { ...state.scope, hostedCalls: undefined });
  if (part.kind === 'compaction' || (part.kind === 'reasoning' && part.redacted !== true)) {
    const { state: _unfinished, ...head } = part;
    return head;
  }
  return part;
}

function blockAt(state: DecoderState, index: number, type: string): Open {
  return state.blocks.get(index) ?? open(state, index, withEmptyPayload({ type }));
}

function apply(state: DecoderState, index: number, delta: JsonObject): void {
  switch (delta.type) {
    case undefined:
    case 'text_delta': {
      if (typeof delta.text !== 'string') return;
      const block = blockAt(state, index, 'text');
      block.text.add(delta.text);
      if (delta.text !== '') state.emit({ type: 'part.delta', ix: block.ix, op: 'text', value: delta.text });
      return;
    }
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
    case 'thinking_delta': {
      if (typeof delta.thinking !== 'string') return;
      const block = blockAt(state, index, 'thinking');
      block.text.add(delta.thinking);
      if (delta.thinking !== '')
        state.emit({ type: 'part.delta', ix: block.ix, op: 'reasoning', value: delta.thinking, sub: 0 });
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

function close(state: DecoderState, index: number): void {
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

function wholePart(state: DecoderState, block: Open, ptr: string): Part {
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

/** A call with its arguments as text; text that is no object stays what the client is shown. */
function wholeCall(state: DecoderState, block: Open, ptr: string): Part {
  const json = block.json.take();
  if (json === '') return decodeAnswerBlock(block.node, ptr, state.scope);
  const input = parseArguments(json, state.context.maxEventDepth);
  const part = decodeToolUse({ ...block.node, input: input ?? {} }, ptr, state.scope, json);
  return input === undefined ? { ...part, args: { text: json } } : part;
}

function delta(state: DecoderState, event: JsonObject): void {
  const said = isObject(event.delta) ? event.delta : {};
  const counts = isObject(event.usage) ? event.usage : isObject(said.usage) ? said.usage : undefined;
  for (const index of [...state.blocks.keys()]) close(state, index);
  if (typeof said.stop_reason === 'string') {
    state.finish = decodeFinish(said.stop_reason, said, { calls: state.calls, anything: state.anything });
    settleHeld(state, isCut(state.finish.kind));
  }
  if (counts !== undefined) {
    for (const key in counts) if (counts[key] !== null && counts[key] !== undefined) state.usage[key] = counts[key];
    state.emit({ type: 'usage', usage: decodeUsage(state.usage, '/usage') });
  }
  for (const key in said) if (!DELTA_KEYS.has(key)) state.extras[key] = said[key];
  for (const key in event) if (!EVENT_KEYS.has(key)) state.extras[key] = event[key];
  if (isObject(said.stop_details) && !isPlainDetails(said.stop_details)) state.extras.stop_details = said.stop_details;
  if (state.finish !== undefined) state.emit({ type: 'finish', finish: state.finish });
}

/** The end tells what held parts are: the last call was cut, hosted calls got no result. */
function settleHeld(state: DecoderState, cut: boolean): void {
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

function stop(state: DecoderState): void {
  if (state.finish === undefined) {
    broken(state, 'the stream of the backend ended without a reason', 'upstream_incomplete');
    return;
  }
  state.closed = true;
  const tier = tierOf(state.usage);
  state.emit({ type: 'end', ...(tier !== undefined && { tier }), ext: { [DIALECT]: state.extras } });
}

function onData(state: DecoderState, name: string, data: string): void {
  if (state.closed || data === '[DONE]') return;
  const parsed = parseJson(data, state.context.maxEventDepth);
  if (!parsed.ok || !isObject(parsed.value)) {
    const message = tooDeep(parsed, state.context.maxEventDepth) ?? 'an event of the backend is no JSON object';
    broken(state, message, 'upstream_bad_frame');
    return;
  }
  const event: JsonObject = parsed.value;
  const type = typeof event.type === 'string' ? event.type : name;
  switch (type) {
    case 'content_block_delta':
      if (!state.started) start(state, {});
      if (isObject(event.delta)) apply(state, indexOf(event), event.delta);
      return;
    case 'content_block_start': {
      if (!state.started) start(state, {});
      const node = isObject(event.content_block) ? event.content_block : { type: 'text' };
      open(state, indexOf(event), node);
      return;
    }
    case 'content_block_stop':
      close(state, indexOf(event));
      return;
    case 'message_start':
      // What was open is not whole, and nothing tells it from what begins here [M §5.7 rule 1].
      if (state.started) broken(state, 'the stream of the backend began anew inside an answer', 'upstream_bad_frame');
      else start(state, isObject(event.message) ? event.message : {});
      return;
    case 'message_delta':
      if (!state.started) start(state, {});
      delta(state, event);
      return;
    case 'message_stop':
      stop(state);
      return;
    case 'ping':
      state.emit({ type: 'ping' });
      return;
    case 'error':
      fail(state, decodeError(200, event, {}));
      return;
    default:
      state.emit({ type: 'opaque', dialect: DIALECT, name: type, raw: event });
  }
}

function guard(state: DecoderState, step: () => void): void {
  try {
    step();
  } catch (thrown) {
    if (thrown instanceof WireError) broken(state, thrown.message, 'upstream_bad_frame');
    else fail(state, TranslationError.from(thrown).toCanonical());
  }
}

const DELTA_KEYS: ReadonlySet<string> = new Set(['stop_reason', 'stop_sequence', 'stop_details', 'usage']);
const EVENT_KEYS: ReadonlySet<string> = new Set(['type', 'delta', 'usage']);

function indexOf(event: JsonObject): number {
  return typeof event.index === 'number' ? event.index : 0;
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

/** Whether a block is the result of a hosted call. */
function answers(node: JsonObject, part: Part): boolean {
  return part.kind === 'hostedCall' && node.tool_use_id === part.callId;
}
