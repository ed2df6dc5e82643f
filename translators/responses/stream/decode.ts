import { decodeLogprobs } from '../../adapt/index.js';
import { type CanonicalError, TranslationError } from '../../canonical/errors.js';
import type { DeltaOp, EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { createEventParser } from '../../wire/event-parser.js';
import { isObject, tooDeep } from '../../wire/json.js';
import { createSseCutter } from '../../wire/sse.js';
import { createGrowingOffsets } from '../../wire/utf8.js';
import { decodeAnnotation } from '../content/citations.js';
import { decodeInBandError } from '../edge/errors.js';
import { DIALECT } from '../nodes.js';
import { backendReader, bagsOf } from '../response/decode.js';
import { decodeFinish } from '../response/stop.js';
import { decodeToolUsage, decodeUsage } from '../response/usage.js';
import { asEnded, createPlacing } from '../restored/index.js';
import {
  type Assembly,
  announceItem,
  append,
  appendRest,
  contentAt,
  createAssembly,
  finishAssembly,
  type Item,
  type OpenPart,
  settleItem,
} from './assembly.js';

/** What a stream that stops without its terminal event is. */
const INCOMPLETE: CanonicalError = {
  kind: 'upstream',
  message: 'the backend ended its stream without its final event',
  code: 'upstream_incomplete',
};

/**
 * Reads the stream of [R §5]; state is looked up by output index, because some hosts rotate item ids, and by these where there
 * is no index.
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const reader = backendReader(context);
  const assembly = createAssembly(reader, emit);
  const placed = createPlacing();
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

  const finish = (said: JsonObject, status?: string): void => {
    const response = asEnded(said, context);
    start(response);
    const parts = finishAssembly(assembly, Array.isArray(response.output) ? response.output : []);
    const ending = decodeFinish(response, parts, status);
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
        takeItemEvent(assembly, type, placed(event));
    }
  };

  /** A backend that did not stream answers with the whole object. */
  const takeUnnamed = (event: JsonObject): void => {
    if (event.object === 'response') finish(event);
    else if (event.error !== undefined && event.error !== null) fail(decodeInBandError(event));
    else fail({ kind: 'upstream', message: 'the backend sent something that is not an event of this dialect' });
  };

  const parse = createEventParser({ maxDepth: context.maxEventDepth, isTransient });
  const onEvent = (name: string, data: string): void => {
    if (over || data === '[DONE]') return;
    const parsed = parse(data);
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

/** Deltas of which only their text is taken. */
const TEXT_DELTAS: ReadonlySet<unknown> = new Set([
  'response.output_text.delta',
  'response.function_call_arguments.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
]);

function isTransient({ type, logprobs }: JsonObject): boolean {
  return TEXT_DELTAS.has(type) && !(Array.isArray(logprobs) && logprobs.length > 0);
}

/** Events of items, by type [R §5.3]. Whatever else is reported of an item, its end holds too. */
const ITEM_EVENTS: ReadonlyMap<string, (assembly: Assembly, event: JsonObject) => void> = new Map(
  Object.entries<(assembly: Assembly, event: JsonObject) => void>({
    'response.output_item.added': (assembly, { output_index: index, item }) => {
      if (typeof index === 'number' && isObject(item) && !assembly.items.has(index))
        announceItem(assembly, index, item);
    },
    'response.output_item.done': (assembly, { output_index: index, item }) => {
      if (typeof index !== 'number' || !isObject(item)) return;
      settleItem(assembly, assembly.items.get(index) ?? announceItem(assembly, index, item), item);
    },
    'response.content_part.added': (assembly, event) => {
      const type = isObject(event.part) ? event.part.type : undefined;
      if (type === 'output_text') contentOf(assembly, event, 'text');
      if (type === 'refusal') contentOf(assembly, event, 'refusal');
    },
    'response.output_text.delta': takeText,
    'response.output_text.annotation.added': takeAnnotation,
    'response.output_text.done': (assembly, event) => takeWhole(assembly, event, 'text', event.text),
    'response.refusal.delta': (assembly, event) =>
      appendTo(assembly, contentOf(assembly, event, 'refusal'), 'refusal', event),
    'response.refusal.done': (assembly, event) => takeWhole(assembly, event, 'refusal', event.refusal),
    'response.function_call_arguments.delta': (assembly, event) =>
      appendTo(assembly, itemOf(assembly, event)?.part, 'args', event),
    'response.mcp_call_arguments.delta': (assembly, event) =>
      appendTo(assembly, itemOf(assembly, event)?.part, 'args', event),
    'response.custom_tool_call_input.delta': (assembly, event) =>
      appendTo(assembly, itemOf(assembly, event)?.part, 'freeform', event),
    'response.code_interpreter_call_code.delta': (assembly, event) =>
      appendTo(assembly, itemOf(assembly, event)?.part, 'code', event),
    'response.reasoning_summary_text.delta': (assembly, event) =>
      takeParagraph(assembly, event, 'reasoning', event.summary_index),
    'response.reasoning_text.delta': (assembly, event) => takeParagraph(assembly, event, 'raw', event.content_index),
    'response.image_generation_call.partial_image': (assembly, event) => {
      const { partial_image_b64: value } = event;
      const open = itemOf(assembly, event)?.part;
      if (open !== undefined && typeof value === 'string')
        assembly.emit({ type: 'part.delta', ix: open.ix, op: 'partialMedia', value });
    },
  }),
);

/** Takes an event that is not about the answer as a whole; one that is about no item either only this dialect knows. */
function takeItemEvent(assembly: Assembly, type: string, event: JsonObject): void {
  const take = ITEM_EVENTS.get(type);
  if (take !== undefined) take(assembly, event);
  else if (typeof event.output_index !== 'number')
    assembly.emit({ type: 'opaque', dialect: DIALECT, name: type, raw: event });
}

function itemOf({ items }: Assembly, { output_index: index }: JsonObject): Item | undefined {
  return typeof index === 'number' ? items.get(index) : undefined;
}

function contentOf(assembly: Assembly, event: JsonObject, kind: 'text' | 'refusal'): OpenPart | undefined {
  const item = itemOf(assembly, event);
  const index = typeof event.content_index === 'number' ? event.content_index : 0;
  return item === undefined ? undefined : contentAt(assembly, item, index, kind);
}

function appendTo(assembly: Assembly, open: OpenPart | undefined, op: DeltaOp, event: JsonObject, sub?: number): void {
  if (open !== undefined && typeof event.delta === 'string') append(assembly, open, op, event.delta, sub);
}

function takeText(assembly: Assembly, event: JsonObject): void {
  const open = contentOf(assembly, event, 'text');
  if (open === undefined || typeof event.delta !== 'string') return;
  append(assembly, open, 'text', event.delta);
  const { logprobs } = event;
  const tokens = Array.isArray(logprobs) && logprobs.length > 0 ? decodeLogprobs(logprobs) : undefined;
  if (tokens !== undefined) assembly.emit({ type: 'part.logprobs', ix: open.ix, tokens });
}

function takeAnnotation(assembly: Assembly, event: JsonObject): void {
  const open = contentOf(assembly, event, 'text');
  if (open === undefined || !isObject(event.annotation)) return;
  if (open.offsets === undefined) {
    open.offsets = createGrowingOffsets('codePoint');
    open.offsets.add(open.text[0]?.read() ?? '');
  }
  const content = `/output/${String(event.output_index)}/content/${String(event.content_index)}`;
  const citation = decodeAnnotation(event.annotation, open.offsets, `${content}/annotations/${open.citations}`);
  open.citations += 1;
  if (citation !== undefined) assembly.emit({ type: 'part.citation', ix: open.ix, citation });
}

/** The whole text of a content part. */
function takeWhole(assembly: Assembly, event: JsonObject, kind: 'text' | 'refusal', text: unknown): void {
  const open = contentOf(assembly, event, kind);
  if (open !== undefined && typeof text === 'string') appendRest(assembly, open, kind, text);
}

/** An index beyond it is no count of paragraphs but a fault. */
const MAX_PARAGRAPHS = 10_000;

function takeParagraph(assembly: Assembly, event: JsonObject, op: 'reasoning' | 'raw', index: unknown): void {
  const open = itemOf(assembly, event)?.part;
  const isIndex = typeof index === 'number' && index >= 0 && index < MAX_PARAGRAPHS;
  if (open?.head.kind === 'reasoning') appendTo(assembly, open, op, event, isIndex ? index : 0);
}
