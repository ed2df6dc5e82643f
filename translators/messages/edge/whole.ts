import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { formatSse } from '../../wire/sse.js';

/** The stream in the place of a whole answer [M §5.3]: each block in one piece. */
export function wholeAsStream(answer: JsonObject): string {
  const { content, stop_reason, stop_sequence, stop_details, container, usage, context_management, ...rest } = answer;
  const counts = isObject(usage) ? usage : {};
  const message = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage: counts };
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const delta = withoutAbsent({ stop_reason, stop_sequence, stop_details, container });
  return [
    frame('message_start', { message }),
    ...blocks.flatMap(framesOf),
    frame('message_delta', { delta, usage: counts, ...withoutAbsent({ context_management }) }),
    frame('message_stop', {}),
  ].join('');
}

function frame(type: string, fields: JsonObject): string {
  return formatSse(type, JSON.stringify({ type, ...fields }));
}

function withoutAbsent(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function framesOf(block: JsonObject, index: number): string[] {
  const { begun, deltas } = inPieces(block);
  return [
    frame('content_block_start', { index, content_block: begun }),
    ...deltas.map((delta) => frame('content_block_delta', { index, delta })),
    frame('content_block_stop', { index }),
  ];
}

/** A block as it begins, and the deltas that bring the rest of it; a block without any begins whole [M §5.3]. */
function inPieces(block: JsonObject): { readonly begun: JsonObject; readonly deltas: readonly JsonObject[] } {
  const { type, text, citations, thinking, signature, input, content } = block;
  if (type === 'text' && typeof text === 'string') {
    const cited = Array.isArray(citations) ? citations : [];
    return {
      begun: { ...block, text: '', ...(Array.isArray(citations) && { citations: [] }) },
      deltas: [
        ...cited.map((citation) => ({ type: 'citations_delta', citation })),
        ...(text === '' ? [] : [{ type: 'text_delta', text }]),
      ],
    };
  }
  if (type === 'thinking') {
    return {
      begun: { ...block, thinking: '', signature: '' },
      deltas: [
        ...(thinking === '' ? [] : [{ type: 'thinking_delta', thinking }]),
        ...(typeof signature === 'string' ? [{ type: 'signature_delta', signature }] : []),
      ],
    };
  }
  if (type === 'compaction') {
    const { type: _type, ...summary } = block;
    return { begun: { ...block, content: null }, deltas: [{ ...summary, type: 'compaction_delta', content }] };
  }
  if (!isObject(input)) return { begun: block, deltas: [] };
  const written = Object.keys(input).length === 0 ? '' : JSON.stringify(input);
  return { begun: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: written }] };
}
