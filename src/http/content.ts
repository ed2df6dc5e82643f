import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Redact } from '../ground/index.js';
import { credentials } from '../protocol/index.js';
import type { ClientCall } from './client-call.js';

/** What was said in one direction, up to a bound. */
export interface Said {
  readonly chunks: Buffer[];
  /** Bytes in `chunks`. */
  kept: number;
  /** Bytes that were said. */
  bytes: number;
  /** Bytes that are kept at most. */
  readonly most: number;
}

export interface Content {
  readonly request: Said;
  readonly answer: Said;
  /** The answer's content type; Node does not give back what goes out with `writeHead`. */
  type: string;
  /** Whether calls of backends for it are watched, and the last of them that was answered. */
  readonly calls: boolean;
  called?: Called;
}

/** What was said to a backend and what it answered, with its content type. */
export type Called = Pick<Content, 'request' | 'answer' | 'type'>;

/** At most so many bytes of one direction are logged. */
export const LOGGED_BYTES = 64 * 1024;

/** What was said in one direction as text, as far as it may be looked at. */
export interface SaidText {
  readonly text: string;
  /** Of all that was said. */
  readonly bytes: number;
  readonly cut?: true;
}

const watched = new WeakMap<IncomingMessage, Content>();

/**
 * Remembers from now on what is said in an exchange, up to so many bytes of either direction, for a gateway that logs it
 * (`log.content`) or records it (`record`); `calls`: what its backends are sent and answer too.
 */
export function watchContent(
  { request, response }: Pick<ClientCall, 'request' | 'response'>,
  most: number,
  calls = false,
): void {
  const content: Content = {
    request: createSaid(undefined, most),
    answer: createSaid(undefined, most),
    type: '',
    calls,
  };
  watched.set(request, content);
  watchAnswer(response, content);
}

/** What was read of a request's body. Costs nothing where nobody watches. */
export function sawRequest(request: IncomingMessage, bytes: Buffer): void {
  const content = watched.get(request);
  if (content !== undefined) add(content.request, bytes);
}

/**
 * Remembers a call of a backend, which answered, in the place of an earlier one of the same exchange. Gives what sees the pieces of its
 * answer; undefined where nobody watches. A body that is a stream is not seen.
 */
export function watchCalled(
  request: IncomingMessage,
  body: unknown,
  type = '',
): ((piece: Uint8Array) => void) | undefined {
  const content = watched.get(request);
  if (content?.calls !== true) return undefined;
  const sent = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : undefined;
  const called = { request: createSaid(sent), answer: createSaid(), type };
  content.called = called;
  return (piece) => add(called.answer, piece);
}

/** What was said in an exchange that was watched; it is forgotten here. */
export function takeContent(request: IncomingMessage): Content | undefined {
  const content = watched.get(request);
  watched.delete(request);
  return content;
}

/** What was said, as far as it is known from the beginning. */
export function createSaid(bytes?: Buffer, most: number = LOGGED_BYTES): Said {
  const said = { chunks: [], kept: 0, bytes: 0, most };
  if (bytes !== undefined) add(said, bytes);
  return said;
}

/** What is said as text, at most {@link LOGGED_BYTES} of it; undefined = nothing was said. */
export function saidText({ chunks, kept, bytes }: Said, redact: Redact): SaidText | undefined {
  if (bytes === 0) return undefined;
  const text = redact(Buffer.concat(chunks).subarray(0, LOGGED_BYTES).toString());
  return { text, bytes, ...(bytes > Math.min(kept, LOGGED_BYTES) && { cut: true }) };
}

/** Whether an answer of this type is text. */
export function isText(type: string): boolean {
  return /^(?:text\/|application\/(?:[\w.+-]+\+)?json)/i.test(type);
}

/** Shorter texts are no secrets, and would be found everywhere. */
const LEAST_KEY = 8;

/** Takes the caller's own key out of a text too: of keys of callers the configuration has digests alone, but this one is at hand. */
export function redactorFor(
  { request, query }: Pick<ClientCall, 'request' | 'query'>,
  hide: Redact,
  mark = '[redacted]',
): Redact {
  const keys = credentials(request.headers, query).filter(({ length }) => length >= LEAST_KEY);
  return (text) => keys.reduce((rest, key) => rest.replaceAll(key, mark), hide(text));
}

function add(said: Said, bytes: Uint8Array): void {
  const room = said.most - said.kept;
  said.bytes += bytes.length;
  if (room <= 0) return;
  const part = bytes.subarray(0, room);
  said.chunks.push(Buffer.from(part));
  said.kept += part.length;
}

/** Sees every piece on its way to the client. */
function watchAnswer(response: ServerResponse, content: Content): void {
  const said = content.answer;
  const { write, end, writeHead } = response;
  const see = (piece: unknown): void => {
    if (typeof piece === 'string') add(said, Buffer.from(piece));
    else if (piece instanceof Uint8Array) add(said, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  };
  Object.assign(response, {
    writeHead(...given: unknown[]) {
      const head = given.at(-1);
      if (typeof head === 'object' && head !== null && 'content-type' in head) {
        content.type = String(head['content-type']);
      }
      return Reflect.apply(writeHead, response, given);
    },
    write(...given: unknown[]) {
      see(given[0]);
      return Reflect.apply(write, response, given);
    },
    end(...given: unknown[]) {
      see(given[0]);
      return Reflect.apply(end, response, given);
    },
  });
}
