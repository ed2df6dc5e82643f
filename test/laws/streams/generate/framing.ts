import fc from 'fast-check';
import type { Wire } from './values.js';

/** One event of a stream before it is framed. */
export interface WireEvent {
  /** The name in its `event:` line; generateContent has none. */
  readonly name?: string;
  readonly data: Wire;
  /** With it the stream has said how the answer ends. */
  readonly finishes?: boolean;
}

/** A generated stream of a dialect. */
export interface WireStream {
  readonly events: readonly WireEvent[];
  readonly text: string;
  readonly bytes: Uint8Array;
  /** How many bytes it takes until the finish is known; undefined when the stream has none. */
  readonly finishAt: number | undefined;
  /** Parts are on their way at the same time. */
  readonly interleaved: boolean;
  /** The answer that the service would have given whole; absent where no whole answer can say the same. */
  readonly whole?: Wire;
}

/** How a host spells server-sent events; every combination is legal. */
export interface Framing {
  readonly eol: '\n' | '\r\n' | '\r';
  readonly space: boolean;
  readonly comments: boolean;
  readonly mark: boolean;
  readonly json: 'compact' | 'padded' | 'ascii' | 'lines';
  /** The word with which some hosts end every stream. */
  readonly done: boolean;
}

export const framing: fc.Arbitrary<Framing> = fc.record({
  eol: fc.constantFrom('\n' as const, '\n' as const, '\r\n' as const, '\r' as const),
  space: fc.boolean(),
  comments: fc.boolean(),
  mark: fc.boolean(),
  json: fc.constantFrom('compact' as const, 'padded' as const, 'ascii' as const, 'lines' as const),
  done: fc.boolean(),
});

/** Events as the bytes of a stream. */
export function frameStream(events: readonly WireEvent[], how: Framing, interleaved = false): WireStream {
  const { eol, space } = how;
  const field = (name: string, value: string): string => `${name}:${space ? ' ' : ''}${value}${eol}`;
  let text = how.mark ? '\ufeff' : '';
  let finishAt: number | undefined;
  events.forEach(({ name, data, finishes }, index) => {
    if (how.comments && index % 3 === 1) text += `: keep-alive {"a":1}${eol}${eol}`;
    if (name !== undefined) text += field('event', name);
    const json = print(data, how.json);
    text += json
      .split('\n')
      .map((line) => field('data', line))
      .join('');
    if (finishes === true && finishAt === undefined) finishAt = Buffer.byteLength(text) - eol.length;
    text += eol;
  });
  if (how.done) text += `${field('data', '[DONE]')}${eol}`;
  return { events, text, bytes: Buffer.from(text), finishAt, interleaved };
}

/** The chunks of generateContent as one JSON array, written as it grows. */
export function frameArray(chunks: readonly WireEvent[], pretty: boolean): WireStream {
  let text = '[';
  let finishAt: number | undefined;
  chunks.forEach(({ data, finishes }, index) => {
    if (index > 0) text += pretty ? '\n,\r\n' : ',';
    text += print(data, pretty ? 'lines' : 'compact');
    if (finishes === true && finishAt === undefined) finishAt = Buffer.byteLength(text);
  });
  text += pretty ? '\n]\n' : ']';
  return { events: chunks, text, bytes: Buffer.from(text), finishAt, interleaved: false };
}

function print(data: Wire, how: Framing['json']): string {
  switch (how) {
    case 'compact':
      return JSON.stringify(data);
    case 'padded':
      return `${JSON.stringify(data).slice(0, -1)}        }`;
    case 'ascii':
      return JSON.stringify(data).replace(
        /[\u007f-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    case 'lines':
      return JSON.stringify(data, null, 1);
  }
}

/** Sizes that a network may deliver in: repeated in turn until the bytes are used up. */
export const chunkSizes: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc.constant([7]),
  fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
);

/** Bytes cut into chunks of such sizes. */
export function cutBytes(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const out: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    out.push(bytes.subarray(at, at + size));
    at += size;
  }
  return out;
}
