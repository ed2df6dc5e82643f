import { type Agent, request } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { DialectId } from '../../../translators/index.js';
import type { Framing } from '../wire/requests.js';
import { type Asking, askingOf } from './ask.js';
import { createCutter } from './events.js';
import { type Order, type Piece, piecesIn } from './order.js';
import { type Reading, readEvent, readWhole, startReading } from './reading.js';

/** One exchange that a client is to have. */
export interface Errand {
  readonly client: DialectId;
  readonly backend: DialectId;
  readonly framing: Framing;
  readonly order: Order;
  /** Bytes of the request's body, about. */
  readonly bytes?: number;
  /** The client goes away after so many ms. */
  readonly leaveAfterMs?: number;
}

/** What became of it. */
export interface Ending {
  readonly errand: Errand;
  /** 0 when no answer came. */
  readonly status: number;
  /** Its body, where it was no 200. */
  readonly refusal: string;
  /** The HTTP message was whole. */
  readonly complete: boolean;
  readonly reading: Reading;
  /** What went wrong with the connection, or with reading the answer. */
  readonly error: string | undefined;
  /** The client went away as planned. */
  readonly left: boolean;
  readonly ms: number;
}

export interface Calling {
  readonly url: string;
  readonly agent: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  /** Hears every new piece of streamed text in the moment in which it came. */
  readonly onPiece?: (piece: Piece, now: number) => void;
}

/** How long a client waits before it calls an exchange hung, in ms. */
const PATIENCE_MS = 120_000;

/** Runs one errand to its end; never rejects. */
export function runErrand(calling: Calling, errand: Errand): Promise<Ending> {
  const { client, backend, framing, order, bytes, leaveAfterMs } = errand;
  const { path, body } = askingOf(client, backend, framing, order, bytes);
  return sendAsking(calling, { path, body }, errand, leaveAfterMs);
}

function sendAsking(
  { url, agent, headers, onPiece }: Calling,
  { path, body }: Asking,
  errand: Errand,
  leaveAfterMs: number | undefined,
): Promise<Ending> {
  const started = performance.now();
  const reading = startReading();
  let status = 0;
  let refusal = '';
  let complete = false;
  let error: string | undefined;
  let left = false;
  return new Promise((resolve) => {
    const outgoing = request(url, {
      path,
      method: 'POST',
      agent,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    const leave = (): void => {
      left = true;
      outgoing.destroy();
    };
    const leaving = leaveAfterMs === undefined ? undefined : setTimeout(leave, leaveAfterMs);
    const patience = setTimeout(() => outgoing.destroy(new Error('hangs')), PATIENCE_MS);
    const settle = (): void => {
      clearTimeout(leaving);
      clearTimeout(patience);
      resolve({ errand, status, refusal, complete, reading, error, left, ms: performance.now() - started });
    };
    outgoing.on('error', (failure) => {
      error ??= reasonOf(failure);
    });
    outgoing.on('close', () => {
      if (status === 0) settle();
    });
    outgoing.on('response', (response) => {
      status = response.statusCode ?? 0;
      const take = status === 200 ? reader(errand, reading, onPiece) : undefined;
      const decoder = new StringDecoder('utf8');
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (take === undefined) text += decoder.write(chunk);
        else {
          try {
            take(decoder.write(chunk), false);
          } catch (failure) {
            error ??= `cannot read: ${reasonOf(failure)}`;
          }
        }
      });
      response.on('error', (failure) => {
        error ??= reasonOf(failure);
      });
      response.on('close', () => {
        complete = response.complete;
        refusal = text;
        try {
          if (complete) take?.('', true);
        } catch (failure) {
          error ??= `cannot read: ${reasonOf(failure)}`;
        }
        settle();
      });
    });
    outgoing.end(body);
  });
}

type Taker = (text: string, last: boolean) => void;

/** Reads the body of a 200 as it comes. */
function reader({ client, framing }: Errand, reading: Reading, onPiece: Calling['onPiece']): Taker {
  if (framing === 'plain') {
    let whole = '';
    return (text, last) => {
      whole += text;
      if (last) readWhole(client, reading, JSON.parse(whole));
    };
  }
  const cut = createCutter(framing);
  return (text) => {
    const before = reading.text.length;
    for (const event of cut(text)) readEvent(client, reading, event);
    if (onPiece === undefined || reading.text.length === before) return;
    const now = performance.now();
    for (const piece of piecesIn(reading.text.slice(before))) onPiece(piece, now);
  };
}

/** What Node throws belongs to another realm than what runs in a test: no `instanceof`. */
function reasonOf(failure: unknown): string {
  const { code, message } = Object(failure) as { readonly code?: unknown; readonly message?: unknown };
  return String(code ?? message ?? failure);
}
