import type { DialectId } from '../../../translators/index.js';
import type { Json } from './issuers.js';

/** An answer's body as the stream that its service would have sent. */
export function streamOf(dialect: DialectId, body: Json): string {
  return PRINTERS[dialect](body);
}

/** What a client's library puts together from a stream: the body of the answer. */
export function foldStream(dialect: DialectId, text: string): Json {
  const events = [...text.matchAll(/^data: (.*?)\r?$/gm)].map(([, data]) => JSON.parse(data ?? '') as Json);
  return FOLDS[dialect](events);
}

function frames(events: readonly Json[]): string {
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const PRINTERS: Record<DialectId, (body: Json) => string> = {
  messages(body) {
    const blocks = body.content as Json[];
    return frames([
      { type: 'message_start', message: { ...body, content: [], stop_reason: null } },
      ...blocks.flatMap((block, index) => [
        ...openBlock(block).map((event) => ({ ...event, index })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: body.stop_reason, stop_sequence: null },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ]);
  },
  responses(body) {
    const items = body.output as Json[];
    const open = { ...body, status: 'in_progress', output: [], usage: null };
    const events = [
      { type: 'response.created', response: open },
      { type: 'response.in_progress', response: open },
      ...items.flatMap((item, output_index) => itemEvents(item, output_index)),
      { type: 'response.completed', response: body },
    ];
    return frames(events.map((event, sequence_number) => ({ ...event, sequence_number })));
  },
  generateContent(body) {
    const [candidate = {}] = body.candidates as Json[];
    const { finishReason, content, ...head } = candidate;
    const { parts } = content as { parts: Json[] };
    const chunks = parts.map((part, index) => ({
      ...body,
      candidates: [
        { ...head, content: { role: 'model', parts: [part] }, ...(index === parts.length - 1 && { finishReason }) },
      ],
    }));
    return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
  },
};

const HALF = (text: string): readonly string[] => {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(''), points.slice(middle).join('')].filter((half) => half !== '');
};

function openBlock(block: Json): Json[] {
  const start = (content_block: Json): Json => ({ type: 'content_block_start', content_block });
  const delta = (fields: Json): Json => ({ type: 'content_block_delta', delta: fields });
  switch (block.type) {
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...HALF(String(block.thinking)).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: block.signature }),
      ];
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...HALF(String(block.text)).map((text) => delta({ type: 'text_delta', text })),
      ];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [
        start({ ...block, input: {} }),
        delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }),
      ];
    default:
      return [start(block)];
  }
}

function itemEvents(item: Json, output_index: number): Json[] {
  const at = { item_id: item.id, output_index };
  const done = { type: 'response.output_item.done', output_index, item };
  const added = (fields: Json): Json => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...fields },
  });
  switch (item.type) {
    case 'reasoning':
      return [
        added({ summary: [] }),
        ...(item.summary as Json[]).flatMap((part, summary_index) => [
          { type: 'response.reasoning_summary_part.added', ...at, summary_index, part: { ...part, text: '' } },
          { type: 'response.reasoning_summary_text.delta', ...at, summary_index, delta: part.text },
          { type: 'response.reasoning_summary_text.done', ...at, summary_index, text: part.text },
          { type: 'response.reasoning_summary_part.done', ...at, summary_index, part },
        ]),
        done,
      ];
    case 'message':
      return [
        added({ status: 'in_progress', content: [] }),
        ...(item.content as Json[]).flatMap((part, content_index) => [
          { type: 'response.content_part.added', ...at, content_index, part: { ...part, text: '' } },
          ...HALF(String(part.text)).map((delta) => ({
            type: 'response.output_text.delta',
            ...at,
            content_index,
            delta,
          })),
          { type: 'response.output_text.done', ...at, content_index, text: part.text },
          { type: 'response.content_part.done', ...at, content_index, part },
        ]),
        done,
      ];
    case 'function_call':
      return [
        added({ status: 'in_progress', arguments: '' }),
        { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments },
        { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
        done,
      ];
    default:
      return [added({ status: 'in_progress' }), done];
  }
}

const FOLDS: Record<DialectId, (events: readonly Json[]) => Json> = {
  messages(events) {
    let message: Json = {};
    const blocks: Json[] = [];
    const inputs: string[] = [];
    for (const event of events) {
      const index = Number(event.index);
      const block = blocks[index];
      const delta = event.delta as Json | undefined;
      if (event.type === 'message_start') message = event.message as Json;
      else if (event.type === 'content_block_start') blocks[index] = { ...(event.content_block as Json) };
      else if (event.type === 'message_delta') message = { ...message, ...delta };
      else if (event.type === 'content_block_stop' && inputs[index] !== undefined && block !== undefined) {
        block.input = JSON.parse(inputs[index] || '{}');
      } else if (event.type === 'content_block_delta' && block !== undefined && delta !== undefined) {
        if (delta.type === 'text_delta') block.text = `${block.text}${delta.text}`;
        else if (delta.type === 'thinking_delta') block.thinking = `${block.thinking}${delta.thinking}`;
        else if (delta.type === 'signature_delta') block.signature = delta.signature;
        else if (delta.type === 'input_json_delta') inputs[index] = `${inputs[index] ?? ''}${delta.partial_json}`;
      }
    }
    return { ...message, content: blocks };
  },
  responses(events) {
    const last = events.findLast(({ type }) => type === 'response.completed');
    if (last === undefined) throw new Error('the stream did not complete');
    return last.response as Json;
  },
  generateContent(events) {
    const parts: Json[] = [];
    for (const event of events) {
      const [candidate] = (event.candidates ?? []) as { content?: { parts?: Json[] } }[];
      for (const part of candidate?.content?.parts ?? []) {
        if (part.text !== '' || part.thoughtSignature !== undefined) parts.push(part);
      }
    }
    return { candidates: [{ content: { role: 'model', parts } }] };
  },
};
