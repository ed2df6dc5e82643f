import type { IncomingMessage, ServerResponse } from 'node:http';
import { credentials } from '../access.js';
import type { ClientCall } from '../http/client-call.js';
import type { Redact } from '../redact.js';
import type { Logger } from './log.js';

/** What was said in one direction, up to a bound. */
interface Said {
  readonly chunks: Buffer[];
  /** Bytes in `chunks`. */
  kept: number;
  /** Bytes that were said. */
  bytes: number;
}

interface Content {
  readonly request: Said;
  readonly answer: Said;
  /** The answer's content type; Node does not give back what goes out with `writeHead`. */
  type: string;
}

/** At most so many bytes of one direction are logged. */
const MAX_BYTES = 64 * 1024;

const watched = new WeakMap<IncomingMessage, Content>();

/** Remembers from now on what is said in an exchange, for a gateway that logs it (`log.content`). */
export function watchContent({ request, response }: Pick<ClientCall, 'request' | 'response'>): void {
  const content: Content = { request: createSaid(), answer: createSaid(), type: '' };
  watched.set(request, content);
  watchAnswer(response, content);
}

/** What was read of a request's body. Costs nothing where nobody watches. */
export function sawRequest(request: IncomingMessage, bytes: Buffer): void {
  const content = watched.get(request);
  if (content !== undefined) add(content.request, bytes);
}

/** A line for what was asked and one for what was answered. Secrets are taken out. */
export function tellContent(logger: Logger, { id: given, request, query }: ClientCall, hide: Redact): void {
  const content = watched.get(request);
  if (content === undefined) return;
  watched.delete(request);
  // Of keys of callers the configuration has digests alone, but this caller's is at hand.
  const keys = credentials(request.headers, query);
  const redact: Redact = (text) => keys.reduce((rest, key) => rest.replaceAll(key, '[redacted]'), hide(text));
  const id = redact(given);
  tellSaid(logger, id, 'request', content.request, redact);
  if (TEXT.test(content.type)) {
    tellSaid(logger, id, 'answer', content.answer, redact);
  } else if (content.answer.bytes > 0) {
    logger.info({ id, side: 'answer', bytes: content.answer.bytes }, 'content');
  }
}

/** A line for an answer that was made in the background. */
export function tellMade(logger: Logger, id: string, text: string, redact: Redact): void {
  const said = createSaid();
  add(said, Buffer.from(text));
  tellSaid(logger, id, 'answer', said, redact);
}

function tellSaid(logger: Logger, id: string, side: 'request' | 'answer', said: Said, redact: Redact): void {
  if (said.bytes === 0) return;
  const text = redact(Buffer.concat(said.chunks).toString());
  logger.info({ id, side, bytes: said.bytes, ...(said.bytes > said.kept && { cut: true }), text }, 'content');
}

function createSaid(): Said {
  return { chunks: [], kept: 0, bytes: 0 };
}

function add(said: Said, bytes: Buffer): void {
  const room = MAX_BYTES - said.kept;
  said.bytes += bytes.length;
  if (room <= 0) return;
  const part = bytes.subarray(0, room);
  said.chunks.push(Buffer.from(part));
  said.kept += part.length;
}

const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?json)/i;

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
