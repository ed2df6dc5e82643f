import fc from 'fast-check';
import type { DialectId, JsonObject } from '../../translators/index.js';
import { lawTableOf } from '../laws/dialects/index.js';

/** A call in the words of a backend: its name, or the type of its item, and its arguments. */
export interface Call {
  readonly name: string;
  readonly args: JsonObject;
}

export const CLIENTS = lawTableOf('clientToolRequest');

export const place = fc.nat(900);
export const line = fc.record({ command: fc.constantFrom('ls', 'echo "ü" | wc') });
export const patch = fc.constantFrom(
  '*** Begin Patch\n*** Add File: a\n+b\n*** End Patch',
  '*** Begin Patch\n*** Add File: a\n+b\n*** Delete File: c\n*** End Patch',
);

export function named(name: string, args: fc.Arbitrary<JsonObject>): fc.Arbitrary<Call> {
  return args.map((value) => ({ name, args: value }));
}

export const ANSWERS = lawTableOf('clientToolCalls');

export function items(calls: readonly Call[], status: string, letter: string): JsonObject[] {
  return calls.map(({ name, args }, index) => ({
    type: name,
    id: `x_${index}`,
    call_id: `call_${letter}${index}`,
    status,
    ...args,
  }));
}

export function blocks(calls: readonly Call[]): JsonObject[] {
  return calls.map(({ name, args }, index) => ({ type: 'tool_use', id: `call_a${index}`, name, input: args }));
}

export function parts(calls: readonly Call[]): JsonObject[] {
  return calls.map(({ name, args }, index) => ({ functionCall: { id: `call_a${index}`, name, args } }));
}

/** The answer as one body [M §4.1, R §4.1, G §5.1]. */
export function wholeOf(backend: DialectId, calls: readonly Call[], id = 'a'): JsonObject {
  return WHOLES[backend](calls, id);
}

const WHOLES = lawTableOf('answerOfCalls');

export function message(content: JsonObject[], stop_reason: string | null): JsonObject {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'b',
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  };
}

export function response(output: JsonObject[], status: string): JsonObject {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { id: 'resp_1', object: 'response', created_at: 1, status, model: 'b', output, usage };
}

export function chunk(list: JsonObject[], finishReason?: string): JsonObject {
  const candidate = {
    content: { role: 'model', parts: list },
    index: 0,
    ...(finishReason !== undefined && { finishReason }),
  };
  return { responseId: 'r1', modelVersion: 'b', candidates: [candidate] };
}

/** The same answer as a stream. */
export function streamOf(backend: DialectId, calls: readonly Call[], id = 'a'): string {
  if (backend === 'generateContent') {
    const chunks = [...parts(calls).map((part) => chunk([part])), chunk([{ text: '' }], 'STOP')];
    return chunks.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`).join('');
  }
  const events = backend === 'messages' ? messageEvents(calls) : responseEvents(calls, id);
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function messageEvents(calls: readonly Call[]): JsonObject[] {
  const each = blocks(calls).flatMap((block, index) => {
    const json = JSON.stringify(block.input);
    const half = Math.floor(json.length / 2);
    const delta = (partial_json: string) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    });
    return [
      { type: 'content_block_start', index, content_block: { ...block, input: {} } },
      delta(json.slice(0, half)),
      delta(json.slice(half)),
      { type: 'content_block_stop', index },
    ];
  });
  return [
    { type: 'message_start', message: message([], null) },
    ...each,
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

function responseEvents(calls: readonly Call[], id: string): JsonObject[] {
  const done = items(calls, 'completed', id);
  const each = items(calls, 'in_progress', id).flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: emptied(item) },
    { type: 'response.output_item.done', output_index, item: done[output_index] },
  ]);
  return [
    { type: 'response.created', response: response([], 'in_progress') },
    ...each,
    { type: 'response.completed', response: response(done, 'completed') },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function emptied(item: JsonObject): JsonObject {
  return item.type === 'function_call' ? { ...item, arguments: '' } : { ...item, actions: [] };
}
