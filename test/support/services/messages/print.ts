import { REDACTED_BINDING } from '../../../../src/simulator/rules/index.js';
import { messageEvents } from '../../wire/messages.js';
import type { Cut, Wire } from '../../wire/wire.js';
import type { PlannedCall, Printing, Usage } from '../plan.js';
import type { DialectStream, Frame } from '../stream.js';
import { cutByLength, cutIntoDeltas } from '../tokens.js';
import { errorBody } from './errors.js';

/** A message answer to print. With `omitted`, thinking blocks are signed but show nothing [M §2.7]. */
export interface MessagePrinting extends Printing {
  readonly display: 'summarized' | 'omitted';
  /** Also writes a `redacted_thinking` block behind the thinking. */
  readonly redacted?: boolean;
}

interface PlacedBlock {
  readonly block: Wire;
  /** The argument text of a call, as it is streamed. */
  readonly json?: string;
}

/** The Message body of a plain answer [M §4.1]. */
export function printMessage(printing: MessagePrinting): object {
  return bodyOf(printing, placeBlocks(printing));
}

function bodyOf(printing: MessagePrinting, placed: readonly PlacedBlock[]) {
  return {
    ...envelope(printing),
    content: placed.map(({ block }) => block),
    ...printStop(printing),
    usage: printUsage(printing.usage),
  };
}

/** The event stream of the same answer [M §5]. */
export function streamMessage(printing: MessagePrinting): DialectStream {
  const writer = createWriter();
  return {
    frames: messageFrames(printing, writer),
    fail: (status, message) => [writer({ ...errorBody(status, message, null) }).text],
  };
}

function envelope(printing: MessagePrinting) {
  return { id: printing.mint('msg_'), type: 'message', role: 'assistant', model: printing.model };
}

function placeBlocks({ plan, mint, state, display, redacted }: MessagePrinting): PlacedBlock[] {
  const blocks: PlacedBlock[] = [];
  if (plan.reasoning) {
    const thinking = display === 'omitted' ? '' : plan.reasoning.join('\n\n');
    blocks.push({ block: { type: 'thinking', thinking, signature: state.issue(thinking) } });
  }
  if (redacted) blocks.push({ block: { type: 'redacted_thinking', data: state.issue(REDACTED_BINDING) } });
  if (plan.text) blocks.push({ block: { type: 'text', text: plan.text } });
  for (const call of plan.calls ?? []) blocks.push(placeCall(call, mint('toolu_')));
  return blocks;
}

function placeCall(call: PlannedCall, id: string): PlacedBlock {
  const unfinished = call.cut !== undefined;
  const json = call.cut ?? (Object.keys(call.arguments).length > 0 ? JSON.stringify(call.arguments) : '');
  return { block: { type: 'tool_use', id, name: call.name, input: unfinished ? {} : call.arguments }, json };
}

function printStop({ plan: { finish } }: MessagePrinting) {
  const bare = { stop_sequence: null };
  switch (finish.kind) {
    case 'end':
      return { stop_reason: 'end_turn', ...bare };
    case 'calls':
      return { stop_reason: 'tool_use', ...bare };
    case 'length':
      return { stop_reason: 'max_tokens', ...bare };
    case 'stop':
      return { stop_reason: 'stop_sequence', stop_sequence: finish.sequence };
    case 'refusal':
      return {
        stop_reason: 'refusal',
        ...bare,
        stop_details: { type: 'refusal', category: 'general_harms', explanation: finish.text },
      };
  }
}

function printCounters(usage: Usage) {
  return {
    input_tokens: usage.input - usage.cached - usage.cacheWritten,
    cache_creation_input_tokens: usage.cacheWritten,
    cache_read_input_tokens: usage.cached,
  };
}

function printOutput(usage: Usage) {
  return {
    output_tokens: usage.output,
    ...(usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
  };
}

function printUsage(usage: Usage) {
  return { ...printCounters(usage), ...printPlace(usage), ...printOutput(usage) };
}

function printPlace(usage: Usage) {
  return {
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWritten, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
    inference_geo: 'not_available',
  };
}

type Writer = (event: { readonly type: string; readonly [key: string]: unknown }, mark?: Frame['mark']) => Frame;

/** Events are padded with spaces in front of the last brace [M §5.1]; the count runs through 0..10. */
function createWriter(): Writer {
  let written = 0;
  return (event, mark) => {
    const padding = ' '.repeat((written * 7) % 11);
    written += 1;
    const json = JSON.stringify(event);
    const text = `event: ${event.type}\ndata: ${json.slice(0, -1)}${padding}}\n\n`;
    return mark ? { text, mark } : { text };
  };
}

function* messageFrames(printing: MessagePrinting, write: Writer): Generator<Frame> {
  const placed = placeBlocks(printing);
  const jsons = new Map<object, string | undefined>(placed.map(({ block, json }) => [block, json]));
  // The first fragment is always empty [M §5.4].
  const cut: Cut = (text, member, block) =>
    member === 'input' ? ['', ...cutByLength(jsons.get(block) ?? '', FRAGMENT)] : cutIntoDeltas(text);
  for (const event of messageEvents(bodyOf(printing, placed), cut)) {
    const type = String(event.type);
    yield write({ ...event, type }, MARKS[type]);
    if (type === 'content_block_start' && event.index === 0) yield write({ type: 'ping' });
  }
}

const MARKS: Readonly<Record<string, Frame['mark']>> = { content_block_delta: 'delta', message_delta: 'end' };
const FRAGMENT = 12;
