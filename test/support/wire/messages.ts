import {
  type Cut,
  type DialectWire,
  inOne,
  listOf,
  printNamed,
  type Said,
  textOf,
  type Wire,
  without,
} from './wire.js';

/** A whole answer of these blocks [M §4.1]. */
export function message(content: readonly object[], more: object = {}): Wire {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm-real',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
    ...more,
  };
}

/** Counts that only the first event has, and those that only the last one has [M §5.4]. */
const OF_THE_START = ['cache_creation', 'service_tier', 'inference_geo'];
const OF_THE_END = ['output_tokens_details', 'server_tool_use', 'iterations'];

/** The events of a stream that gives an answer [M §5.2]. */
export function messageEvents(answer: Wire, cut: Cut = inOne): Wire[] {
  const { stop_reason, stop_sequence = null, stop_details, usage, ...envelope } = answer;
  const counts = usage as Wire;
  const start = { ...without(counts, ...OF_THE_END), output_tokens: 1 };
  const delta = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) };
  return [
    {
      type: 'message_start',
      message: { ...envelope, content: [], stop_reason: null, stop_sequence: null, usage: start },
    },
    ...listOf(answer.content).flatMap((block, index) => blockEvents(block, index, cut)),
    { type: 'message_delta', delta, usage: without(counts, ...OF_THE_START) },
    { type: 'message_stop' },
  ];
}

/** The events of one block [M §5.3]; of a block of another kind the first event has all. */
function blockEvents(block: Wire, index: number, cut: Cut): Wire[] {
  return [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block, cut).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function emptied(block: Wire): Wire {
  switch (block.type) {
    case 'text':
      return { ...block, text: '', ...(Array.isArray(block.citations) && { citations: [] }) };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { ...block, input: {} };
    default:
      return block;
  }
}

function deltasOf(block: Wire, cut: Cut): Wire[] {
  switch (block.type) {
    case 'text':
      return [
        ...cut(textOf(block.text), 'text', block).map((text) => ({ type: 'text_delta', text })),
        ...listOf(block.citations).map((citation) => ({ type: 'citations_delta', citation })),
      ];
    case 'thinking':
      return [
        ...cut(textOf(block.thinking), 'thinking', block).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const pieces = cut(JSON.stringify(block.input), 'input', block);
      return pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    }
    default:
      return [];
  }
}

function blockOf(said: Said): Wire {
  switch (said.kind) {
    case 'text':
      return { type: 'text', text: said.text };
    case 'thought':
      return { type: 'thinking', thinking: said.text, signature: said.state ?? 'c2lnbmF0dXJl' };
    case 'call':
      return { type: 'tool_use', id: said.id, name: said.name, input: JSON.parse(said.args) };
  }
}

export const messagesWire: DialectWire = {
  say: (parts) =>
    message(parts.map(blockOf), parts.some(({ kind }) => kind === 'call') ? { stop_reason: 'tool_use' } : {}),
  events: messageEvents,
  print: printNamed,
  frames: (answer, cut) => messageEvents(answer, cut).map(printNamed),
};
