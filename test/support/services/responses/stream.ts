import { createHash } from 'node:crypto';
import { objectOf } from '../../../../src/simulator/rules/index.js';
import type { DialectStream, Frame } from '../stream.js';
import { cutByLength, cutIntoDeltas } from '../tokens.js';
import { errorBody } from './errors.js';
import { type MessagePart, type OutputItem, printItems } from './items.js';
import { closeResponse, type OpenResponse, openResponse, type ResponsePrinting } from './print.js';

type Event = { readonly type: string; readonly [key: string]: unknown };
type Writer = (event: Event, mark?: Frame['mark']) => Frame;
type ItemOf<T extends OutputItem['type']> = Extract<OutputItem, { readonly type: T }>;

/** A stream of the responses dialect, and the response that it ends with. */
export interface ResponseStream extends DialectStream {
  readonly final: OpenResponse;
}

/** The event stream of an answer [R §5]. With `queued`, it starts as a background response does. */
export function streamResponse(printing: ResponsePrinting, queued = false): ResponseStream {
  const open = openResponse(printing);
  const items = printItems(printing, printing.show);
  const final = closeResponse(printing, open, items);
  const write = createWriter(objectOf(printing.request.stream_options).include_obfuscation !== false);
  return {
    final,
    frames: responseFrames(open, items, final, write, queued),
    fail(status, message) {
      const { error } = errorBody(status, message);
      const failed = { ...open, status: 'failed', error: { code: error.code ?? 'server_error', message } };
      return [write({ type: 'error', error }).text, write({ type: 'response.failed', response: failed }).text];
    },
  };
}

/** Deltas are padded with an `obfuscation` text of changing length unless the caller said no [R §5.1]. */
function createWriter(obfuscate: boolean): Writer {
  let sequence = 0;
  return (event, mark) => {
    const noise = obfuscate && mark === 'delta' ? { obfuscation: noiseFor(sequence) } : {};
    const data = { ...event, sequence_number: sequence, ...noise };
    sequence += 1;
    const text = `event: ${event.type}\ndata: ${JSON.stringify(data)}\n\n`;
    return mark ? { text, mark } : { text };
  };
}

function noiseFor(sequence: number): string {
  const digest = createHash('sha256').update(`obfuscation ${sequence}`).digest('base64url');
  return digest.slice(0, 1 + ((sequence * 5) % 16));
}

function* responseFrames(
  open: OpenResponse,
  items: readonly OutputItem[],
  final: OpenResponse,
  write: Writer,
  queued: boolean,
): Generator<Frame> {
  yield write({ type: 'response.created', response: queued ? { ...open, status: 'queued' } : open });
  if (queued) yield write({ type: 'response.queued', response: { ...open, status: 'queued' } });
  yield write({ type: 'response.in_progress', response: open });
  let index = 0;
  for (const item of items) {
    yield* itemFrames(item, index, write);
    index += 1;
  }
  const type = final.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
  yield write({ type, response: final }, 'end');
}

function* itemFrames(item: OutputItem, output_index: number, write: Writer): Generator<Frame> {
  yield write({ type: 'response.output_item.added', output_index, item: emptied(item) });
  const at = { item_id: item.id, output_index };
  switch (item.type) {
    case 'reasoning':
      yield* reasoningFrames(item, at, write);
      break;
    case 'message':
      yield* messageFrames(item, at, write);
      break;
    case 'function_call':
      yield* callFrames('response.function_call_arguments', 'arguments', item.arguments, item.name, at, write);
      break;
    case 'custom_tool_call':
      yield* callFrames('response.custom_tool_call_input', 'input', item.input, undefined, at, write);
      break;
    case 'image_generation_call':
      for (const step of ['in_progress', 'generating', 'completed']) {
        yield write({ type: `response.image_generation_call.${step}`, ...at });
      }
      break;
  }
  yield write({ type: 'response.output_item.done', output_index, item });
}

interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

function emptied(item: OutputItem): object {
  switch (item.type) {
    case 'reasoning':
      // The state at this event is not final yet [R §5.4].
      return {
        ...item,
        summary: [],
        ...(item.encrypted_content === undefined ? {} : { encrypted_content: item.encrypted_content.slice(0, 24) }),
      };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'image_generation_call':
      return { ...item, status: 'in_progress', result: null };
  }
}

function* reasoningFrames(item: ItemOf<'reasoning'>, place: Place, write: Writer): Generator<Frame> {
  for (const [summary_index, part] of item.summary.entries()) {
    const at = { ...place, summary_index };
    const empty = { type: 'summary_text', text: '' };
    yield write({ type: 'response.reasoning_summary_part.added', ...at, part: empty });
    for (const delta of cutIntoDeltas(part.text)) {
      yield write({ type: 'response.reasoning_summary_text.delta', ...at, delta }, 'delta');
    }
    yield write({ type: 'response.reasoning_summary_text.done', ...at, text: part.text });
    yield write({ type: 'response.reasoning_summary_part.done', ...at, part });
  }
}

function* messageFrames(item: ItemOf<'message'>, place: Place, write: Writer): Generator<Frame> {
  for (const [content_index, part] of item.content.entries()) {
    const at = { ...place, content_index };
    yield write({ type: 'response.content_part.added', ...at, part: emptiedPart(part) });
    yield* partFrames(part, at, write);
    yield write({ type: 'response.content_part.done', ...at, part });
  }
}

function emptiedPart(part: MessagePart): MessagePart {
  return part.type === 'refusal' ? { ...part, refusal: '' } : { ...part, text: '' };
}

function* partFrames(part: MessagePart, at: object, write: Writer): Generator<Frame> {
  if (part.type === 'refusal') {
    for (const delta of cutIntoDeltas(part.refusal)) {
      yield write({ type: 'response.refusal.delta', ...at, delta }, 'delta');
    }
    yield write({ type: 'response.refusal.done', ...at, refusal: part.refusal });
    return;
  }
  for (const delta of cutIntoDeltas(part.text)) {
    yield write({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }, 'delta');
  }
  yield write({ type: 'response.output_text.done', ...at, text: part.text, logprobs: [] });
}

const FRAGMENT = 12;

function* callFrames(
  event: string,
  field: string,
  text: string,
  name: string | undefined,
  place: Place,
  write: Writer,
): Generator<Frame> {
  for (const delta of cutByLength(text, FRAGMENT)) yield write({ type: `${event}.delta`, ...place, delta }, 'delta');
  yield write({ type: `${event}.done`, ...place, ...(name === undefined ? {} : { name }), [field]: text });
}
