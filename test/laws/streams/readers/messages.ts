import type { Loss } from '../../../../translators/index.js';
import type { Wire } from '../generate/values.js';
import { framesIn } from './events.js';
import { asObject, asText, isCount, must, type Reading } from './reading.js';

/** A block that is open. */
interface Open {
  readonly start: Wire;
  text: string;
  json: string | undefined;
  signature: string | undefined;
  readonly citations: unknown[];
}

const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text_delta: ['text'],
  citations_delta: ['text'],
  thinking_delta: ['thinking'],
  signature_delta: ['thinking'],
  input_json_delta: ['tool_use', 'server_tool_use', 'mcp_tool_use'],
};

/** Stands for the input of a call whose fragments are no JSON object. */
export const UNPARSED = '_raw_arguments';

/** Reads a stream as a strict client of this dialect: the grammar of [M §5.3], and what [M §5.7] demands. */
export function readMessages(text: string): Reading {
  const losses: Loss[] = [];
  const content: Wire[] = [];
  let message: Record<string, unknown> | undefined;
  let open: Open | undefined;
  let ended: 'message_stop' | 'error' | undefined;
  let error: Wire | undefined;
  let stopping = false;
  for (const frame of framesIn(text)) {
    if ('losses' in frame) {
      losses.push(...frame.losses);
      continue;
    }
    const { type, data } = frame;
    must(ended === undefined, `nothing follows ${ended}`, type);
    if (type === 'error') {
      error = asObject(data.error, 'the error');
      asText(error.type, 'the type of the error');
      asText(error.message, 'its message');
      ended = 'error';
      continue;
    }
    if (type === 'message_start') {
      must(message === undefined, 'a stream starts once');
      const started = asObject(data.message, 'the message');
      must(Array.isArray(started.content) && started.content.length === 0, 'a message starts empty');
      must(started.stop_reason === null && started.role === 'assistant', 'a message starts without its end');
      checkUsage(started.usage);
      message = { ...started };
      continue;
    }
    must(message !== undefined, 'message_start comes first', type);
    switch (type) {
      case 'ping':
        break;
      case 'content_block_start': {
        must(open === undefined && !stopping, 'blocks do not overlap');
        must(data.index === content.length, 'blocks are counted from 0', data);
        open = begin(asObject(data.content_block, 'the block'));
        break;
      }
      case 'content_block_delta': {
        must(open !== undefined && data.index === content.length, 'a delta belongs to the open block', data);
        apply(open, asObject(data.delta, 'the delta'));
        break;
      }
      case 'content_block_stop': {
        must(open !== undefined && data.index === content.length, 'a stop belongs to the open block', data);
        content.push(whole(open));
        open = undefined;
        break;
      }
      case 'message_delta': {
        must(open === undefined, 'every block is closed at the end');
        stopping = true;
        finish(message, data);
        break;
      }
      case 'message_stop':
        must(stopping && typeof message.stop_reason === 'string', 'a message stops with a reason');
        ended = 'message_stop';
        break;
      default:
        must(false, 'only known events are written', type);
    }
  }
  must(ended !== undefined, 'a stream ends');
  return ended === 'error' ? { error, losses } : { final: { ...message, content }, losses };
}

function begin(start: Wire): Open {
  const { type } = start;
  if (type === 'text') must(start.text === '', 'a text starts empty', start);
  if (type === 'thinking') must(start.thinking === '' && start.signature === '', 'thinking starts empty', start);
  if (typeof type === 'string' && type.endsWith('tool_use')) {
    must(JSON.stringify(start.input) === '{}', 'an input starts empty', start);
    must(/^[a-zA-Z0-9_-]+$/.test(asText(start.id, 'the id')), 'an id is legal', start);
  }
  return { start, text: '', json: undefined, signature: undefined, citations: [] };
}

function apply(open: Open, delta: Wire): void {
  const type = asText(delta.type, 'the type of a delta');
  must(DELTAS[type]?.includes(String(open.start.type)) === true, 'a delta fits its block', { type, to: open.start });
  must(open.signature === undefined, 'a signature comes last');
  if (type === 'text_delta') open.text += asText(delta.text, 'text');
  else if (type === 'thinking_delta') open.text += asText(delta.thinking, 'thinking');
  else if (type === 'signature_delta') open.signature = asText(delta.signature, 'signature');
  else if (type === 'input_json_delta') open.json = (open.json ?? '') + asText(delta.partial_json, 'partial_json');
  else open.citations.push(asObject(delta.citation, 'the citation'));
}

function whole({ start, text, json, signature, citations }: Open): Wire {
  switch (start.type) {
    case 'text':
      must(text !== '', 'no block of text is empty');
      return { ...start, text, ...(citations.length > 0 && { citations }) };
    case 'thinking':
      must(signature !== undefined && signature !== '', 'thinking is signed');
      return { ...start, thinking: text, signature };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { ...start, input: json === undefined || json === '' ? {} : inputOf(json) };
    default:
      return start;
  }
}

function inputOf(json: string): Wire {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Wire;
  } catch {
    // Shown as it came.
  }
  return { [UNPARSED]: json };
}

/** Counters replace what was known, as the official client has it. */
function finish(message: Record<string, unknown>, data: Wire): void {
  const delta = asObject(data.delta, 'the delta');
  const usage = asObject(data.usage, 'the usage at the end');
  checkUsage(usage);
  must(typeof delta.stop_reason === 'string' && 'stop_sequence' in delta, 'the end has a reason', delta);
  const { usage: _copy, ...said } = delta;
  Object.assign(message, said);
  message.usage = { ...asObject(message.usage, 'usage'), ...usage };
}

function checkUsage(value: unknown): void {
  const usage = asObject(value, 'usage');
  must(isCount(usage.output_tokens) && isCount(usage.input_tokens), 'usage counts', usage);
}
