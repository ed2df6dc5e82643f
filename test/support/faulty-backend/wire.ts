import { tableOf } from '../dialects/index.js';
import { FRAMES } from '../gateway/harness.js';
import type { Asked } from './server.js';

export const LAST_CHUNK = '0\r\n\r\n';

/** The head of an answer. */
export function messageHead(status: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

/** A whole answer with its length, as bytes. Headers given win over those of the body. */
export function rawAnswer(
  status: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string | number>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const head = messageHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...headers,
  });
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}

/** The head of a stream in chunks. */
export function streamHead({ framing }: Asked, headers: Readonly<Record<string, string>> = {}): string {
  return messageHead('200 OK', {
    'content-type': framing === 'sse' ? 'text/event-stream' : 'application/json',
    'transfer-encoding': 'chunked',
    ...headers,
  });
}

/** Text as one chunk of a chunked body. */
export function inChunks(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** The pieces of a whole stream that says `text`, in the framing that was asked for. */
export function framesOf({ dialect, framing }: Asked, text: string): string[] {
  const frames = FRAMES[dialect](text);
  if (framing === 'sse') return frames;
  const elements = frames.map((frame) => frame.replace(/^data: /, '').trimEnd());
  return elements.map(
    (element, index) => `${index === 0 ? '[' : ',\r\n'}${element}${index === elements.length - 1 ? ']' : ''}`,
  );
}

const OPENING = tableOf('openingFrames');

/** The pieces up to the first three characters of `text`. */
export function openingOf(asked: Asked, text: string): string[] {
  return framesOf(asked, text).slice(0, OPENING[asked.dialect]);
}
