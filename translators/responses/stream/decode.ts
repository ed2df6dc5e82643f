import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { isObject, parseJson, tooDeep } from '../../wire/json.js';
import { createSseCutter } from '../../wire/sse.js';
import { decodeInBandError } from '../edge/errors.js';
import { DIALECT } from '../nodes.js';
import { backendReader, bagsOf } from '../response/decode.js';
import { decodeFinish } from '../response/stop.js';
import { decodeToolUsage, decodeUsage } from '../response/usage.js';
import { createStreamItems } from './parts.js';

/** What a stream that stops without its last word is. */
const INCOMPLETE: CanonicalError = {
  kind: 'upstream',
  message: 'the backend ended its stream without its final event',
  code: 'upstream_incomplete',
};

/** Reads the stream of [R §5]; state is looked up by output index, because some hosts rotate item ids. */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const reader = backendReader(context);
  const items = createStreamItems(reader, emit);
  let started = false;
  let over = false;

  const fail = (error: CanonicalError): void => {
    if (over) return;
    over = true;
    emit({ type: 'error', error });
  };

  const start = (response: JsonObject): void => {
    if (started) return;
    started = true;
    emit({
      type: 'start',
      id: typeof response.id === 'string' ? response.id : '',
      model: typeof response.model === 'string' ? response.model : '',
      createdAt: typeof response.created_at === 'number' ? response.created_at : undefined,
      ext: bagsOf(response),
    });
  };

  const finish = (response: JsonObject, told?: string): void => {
    start(response);
    const parts = items.finish(Array.isArray(response.output) ? response.output : []);
    const ending = decodeFinish(response, parts, told);
    if (isObject(response.usage)) {
      const hosted = decodeToolUsage(response.tool_usage);
      const usage = decodeUsage(response.usage, '/usage', reader);
      emit({ type: 'usage', usage: hosted === undefined ? usage : { ...usage, hosted } });
    }
    if (ending === undefined || ending.error !== undefined) {
      fail(ending?.error ?? INCOMPLETE);
      return;
    }
    over = true;
    emit({ type: 'finish', finish: ending.finish });
    const tier = typeof response.service_tier === 'string' ? response.service_tier : undefined;
    emit({ type: 'end', tier, ext: bagsOf(response) });
  };

  const take = (type: string, event: JsonObject): void => {
    const response = event.response;
    switch (type) {
      case 'response.created':
        if (isObject(response)) start(response);
        return;
      case 'response.queued':
      case 'response.in_progress':
      case 'keepalive':
        if (isObject(response)) start(response);
        emit({ type: 'ping' });
        return;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isObject(response)) finish(response, type.slice('response.'.length));
        else fail(INCOMPLETE);
        return;
      case 'error':
        fail(decodeInBandError(event));
        return;
      default:
        if (!started) start({});
        if (!items.take(type, event)) emit({ type: 'opaque', dialect: DIALECT, name: type, raw: event });
    }
  };

  /** A backend that did not stream answers with the whole object. */
  const takeUnnamed = (event: JsonObject): void => {
    if (event.object === 'response') finish(event);
    else if (event.error !== undefined && event.error !== null) fail(decodeInBandError(event));
    else fail({ kind: 'upstream', message: 'the backend sent something that is not an event of this dialect' });
  };

  const onEvent = (name: string, data: string): void => {
    if (over || data === '[DONE]') return;
    const parsed = parseJson(data, context.maxEventDepth);
    if (!parsed.ok || !isObject(parsed.value)) {
      const message = tooDeep(parsed, context.maxEventDepth) ?? 'the backend sent an event that is not a JSON object';
      fail({ kind: 'upstream', message });
      return;
    }
    const event = parsed.value;
    const type = typeof event.type === 'string' ? event.type : name;
    if (type === '') takeUnnamed(event);
    else take(type, event);
  };

  const cutter = createSseCutter(
    onEvent,
    context.maxEventBytes === undefined ? {} : { maxBytes: context.maxEventBytes },
  );
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      if (thrown instanceof TranslationError) fail(thrown.toCanonical());
      else if (thrown instanceof WireError) fail({ kind: 'upstream', message: thrown.message });
      else throw thrown;
    }
  };
  return {
    push(chunk) {
      if (!over) guarded(() => cutter.push(chunk));
    },
    end() {
      if (!over) guarded(() => cutter.end());
      fail(INCOMPLETE);
    },
  };
}
