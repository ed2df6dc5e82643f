import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { createEventParser, type EventParser } from '../../wire/event-parser.js';
import { isObject, tooDeep } from '../../wire/json.js';
import { createSseCutter } from '../../wire/sse.js';
import { decodeError } from '../edge/errors.js';
import { DIALECT } from '../nodes.js';
import { answerScope } from '../response/decode.js';
import { decodeFinish, isCut, isPlainDetails } from '../response/stop.js';
import { decodeUsage, tierOf } from '../response/usage.js';
import { applyDelta, closeBlock, type DecoderState, openBlock, settleHeld } from './assembly.js';

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

/** Keys of `message_delta` and of its delta that the model holds. */
const DELTA_KEYS: ReadonlySet<string> = new Set(['stop_reason', 'stop_sequence', 'stop_details', 'usage']);
const EVENT_KEYS: ReadonlySet<string> = new Set(['type', 'delta', 'usage']);

/**
 * Reads a stream of this dialect [M §5]. Blocks are put together as the service's own client does it and then decoded
 * like those of a whole answer, so that both ways give the same parts.
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const state: DecoderState = {
    context,
    emit,
    scope: answerScope(context),
    blocks: new Map(),
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

  const parse = createEventParser({ maxDepth: context.maxEventDepth, isTransient });
  const cutter = createSseCutter(
    (name, data) => decodeEvent(state, parse, name, data),
    context.maxEventBytes === undefined ? {} : { maxBytes: context.maxEventBytes },
  );
  return {
    push: (chunk) => {
      if (!state.closed) guard(state, () => cutter.push(chunk));
    },
    end: () =>
      guard(state, () => {
        if (!state.closed) cutter.end();
        if (!state.closed) endAnswer(state);
      }),
  };
}

function fail(state: DecoderState, error: CanonicalError): void {
  if (state.closed) return;
  state.closed = true;
  state.emit({ type: 'error', error });
}

function failBroken(state: DecoderState, message: string, code: string): void {
  fail(state, { kind: 'upstream', message, code });
}

function startAnswer(state: DecoderState, message: JsonObject): void {
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

function decodeMessageDelta(state: DecoderState, event: JsonObject): void {
  const delta = isObject(event.delta) ? event.delta : {};
  const counts = isObject(event.usage) ? event.usage : isObject(delta.usage) ? delta.usage : undefined;
  for (const index of [...state.blocks.keys()]) closeBlock(state, index);
  if (typeof delta.stop_reason === 'string') {
    state.finish = decodeFinish(delta.stop_reason, delta, { calls: state.calls, anything: state.anything });
    settleHeld(state, isCut(state.finish.kind));
  }
  if (counts !== undefined) {
    for (const key in counts) if (counts[key] !== null && counts[key] !== undefined) state.usage[key] = counts[key];
    state.emit({ type: 'usage', usage: decodeUsage(state.usage, '/usage') });
  }
  for (const key in delta) if (!DELTA_KEYS.has(key)) state.extras[key] = delta[key];
  for (const key in event) if (!EVENT_KEYS.has(key)) state.extras[key] = event[key];
  if (isObject(delta.stop_details) && !isPlainDetails(delta.stop_details))
    state.extras.stop_details = delta.stop_details;
  if (state.finish !== undefined) state.emit({ type: 'finish', finish: state.finish });
}

function endAnswer(state: DecoderState): void {
  if (state.finish === undefined) {
    failBroken(state, 'the stream of the backend ended without a reason', 'upstream_incomplete');
    return;
  }
  state.closed = true;
  const tier = tierOf(state.usage);
  state.emit({ type: 'end', ...(tier !== undefined && { tier }), ext: { [DIALECT]: state.extras } });
}

/** Deltas of which only their text is taken. */
const TEXT_DELTAS: ReadonlySet<unknown> = new Set(['text_delta', 'thinking_delta', 'input_json_delta']);

function isTransient({ type, delta }: JsonObject): boolean {
  return type === 'content_block_delta' && isObject(delta) && TEXT_DELTAS.has(delta.type);
}

function decodeEvent(state: DecoderState, parse: EventParser, name: string, data: string): void {
  if (state.closed || data === '[DONE]') return;
  const parsed = parse(data);
  if (!parsed.ok || !isObject(parsed.value)) {
    const message =
      tooDeep(parsed, state.context.maxEventDepth) ?? 'the backend sent an event that is not a JSON object';
    failBroken(state, message, 'upstream_bad_frame');
    return;
  }
  const event: JsonObject = parsed.value;
  const type = typeof event.type === 'string' ? event.type : name;
  switch (type) {
    case 'content_block_delta':
      if (!state.started) startAnswer(state, {});
      if (isObject(event.delta)) applyDelta(state, indexOf(event), event.delta);
      return;
    case 'content_block_start': {
      if (!state.started) startAnswer(state, {});
      const node = isObject(event.content_block) ? event.content_block : { type: 'text' };
      openBlock(state, indexOf(event), node);
      return;
    }
    case 'content_block_stop':
      closeBlock(state, indexOf(event));
      return;
    case 'message_start':
      // What was open is not whole, and nothing separates it from what begins here [M §5.7 rule 1].
      if (state.started)
        failBroken(state, 'the stream of the backend began anew inside an answer', 'upstream_bad_frame');
      else startAnswer(state, isObject(event.message) ? event.message : {});
      return;
    case 'message_delta':
      if (!state.started) startAnswer(state, {});
      decodeMessageDelta(state, event);
      return;
    case 'message_stop':
      endAnswer(state);
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
    if (thrown instanceof WireError) failBroken(state, thrown.message, 'upstream_bad_frame');
    else fail(state, TranslationError.from(thrown).toCanonical());
  }
}

function indexOf(event: JsonObject): number {
  return typeof event.index === 'number' ? event.index : 0;
}
