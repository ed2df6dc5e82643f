import type { DialectId } from '../../../translators/index.js';
import type { Tree } from '../../gateway/harness.js';

/** What a client has read of an answer. */
export interface Reading {
  text: string;
  /** The arguments of its call, as JSON. */
  arguments: string;
  /** Words that only a complete answer has. */
  ends: number;
  /** Words of a failure. */
  failures: number;
  /** The last thing read was the last word of a complete answer. */
  ended: boolean;
}

export function startReading(): Reading {
  return { text: '', arguments: '', ends: 0, failures: 0, ended: false };
}

/** Takes one event of a stream. */
export function readEvent(client: DialectId, reading: Reading, event: Tree): void {
  reading.ended = false;
  EVENTS[client](reading, event);
}

/** Takes a whole answer. */
export function readWhole(client: DialectId, reading: Reading, body: Tree): void {
  WHOLES[client](reading, body);
}

function end(reading: Reading): void {
  reading.ends += 1;
  reading.ended = true;
}

const EVENTS: Record<DialectId, (reading: Reading, event: Tree) => void> = {
  messages(reading, { type, delta }) {
    if (type === 'content_block_delta') {
      reading.text += delta.text ?? '';
      reading.arguments += delta.partial_json ?? '';
    } else if (type === 'message_stop') end(reading);
    else if (type === 'error') reading.failures += 1;
  },
  responses(reading, { type, delta }) {
    if (type === 'response.output_text.delta') reading.text += delta;
    else if (type === 'response.function_call_arguments.delta') reading.arguments += delta;
    else if (type === 'response.completed' || type === 'response.incomplete') end(reading);
    else if (type === 'response.failed' || type === 'error') reading.failures += 1;
  },
  generateContent(reading, event) {
    if (event.error !== undefined) reading.failures += 1;
    else readCandidate(reading, event);
  },
};

const WHOLES: Record<DialectId, (reading: Reading, body: Tree) => void> = {
  messages(reading, { content, stop_reason }) {
    for (const block of content) {
      reading.text += block.text ?? '';
      if (block.type === 'tool_use') reading.arguments += JSON.stringify(block.input);
    }
    if (typeof stop_reason === 'string') end(reading);
  },
  responses(reading, { output, status }) {
    for (const item of output) {
      for (const part of item.content ?? []) reading.text += part.text ?? '';
      reading.arguments += item.arguments ?? '';
    }
    if (status === 'completed') end(reading);
    else reading.failures += 1;
  },
  generateContent: readCandidate,
};

function readCandidate(reading: Reading, { candidates }: Tree): void {
  const [candidate] = candidates ?? [];
  for (const part of candidate?.content?.parts ?? []) {
    reading.text += part.text ?? '';
    if (part.functionCall !== undefined) reading.arguments += JSON.stringify(part.functionCall.args);
  }
  if (candidate?.finishReason !== undefined) end(reading);
}

/** Whether a body is an error as a dialect words it. */
export function isErrorBody(client: DialectId, body: Tree): boolean {
  const { error } = body ?? {};
  return typeof error?.message === 'string' && error.message !== '' && ERRORS[client](body);
}

const ERRORS: Record<DialectId, (body: Tree) => boolean> = {
  messages: ({ type, error }) => type === 'error' && typeof error.type === 'string',
  responses: ({ error }) => ['type', 'param', 'code'].every((key) => key in error),
  generateContent: ({ error }) =>
    typeof error.code === 'number' &&
    typeof error.status === 'string' &&
    error.code < 500 === CALLERS.has(error.status),
};

/** Words for what the caller did, or may do something about. */
const CALLERS: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ABORTED',
  'PAYLOAD_TOO_LARGE',
  'RESOURCE_EXHAUSTED',
  'CANCELLED',
]);
