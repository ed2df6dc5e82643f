import type { DialectId } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';
import type { Json } from './issuers.js';

/** An answer's body as the stream that its service would have sent. */
export function streamOf(dialect: DialectId, body: Json): string {
  return PRINTERS[dialect](body);
}

/** What a client's library puts together from a stream: the body of the answer. */
export function foldStream(dialect: DialectId, text: string): Json {
  const lines = [...text.matchAll(/^data: (.*?)\r?$/gm)].map(([, data = '']) => data);
  const events = lines.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data) as Json);
  return FOLDS[dialect](events);
}

export function frames(events: readonly Json[]): string {
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const PRINTERS = lawTableOf('streamOfAnswer');

const HALF = (text: string): readonly string[] => {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(''), points.slice(middle).join('')].filter((half) => half !== '');
};

export function openBlock(block: Json): Json[] {
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

export function itemEvents(item: Json, output_index: number): Json[] {
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

const FOLDS = lawTableOf('answerOfEvents');
