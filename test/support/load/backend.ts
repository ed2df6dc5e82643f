import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { DialectId } from '../../../translators/index.js';
import { wordsOf } from '../../backend/faults/told.js';
import { WIRES } from '../answers.js';
import { dialectAt } from '../dialect-at.js';
import { tableOf } from '../dialects/index.js';
import { shut } from '../sockets.js';
import { type Cut, call, inTwo, text, type Wire } from '../wire/wire.js';
import { type Order, orderIn, pieceOf, type Trouble } from './order.js';

/** A backend of all three dialects that answers what the prompt orders. */
export interface OrderedBackend {
  readonly url: string;
  /** How often each nonce was asked for; the oldest are forgotten. */
  readonly seen: ReadonlyMap<string, number>;
  /** Requests that are not answered to their end yet. */
  readonly open: number;
  /** From now on nothing is answered until what is given back is called. */
  hold(): () => void;
  /** Closes connections on which nothing happens. */
  rest(): void;
  close(): Promise<void>;
}

/** Bursts of connections come faster than they are taken: it is not the backend that is to refuse them. */
const BACKLOG = 4096;
/** Longer than a busy machine stands still: a connection that ends while it is taken up again is a fault nobody ordered. */
const KEEP_ALIVE_MS = 75_000;

/** A run of hours has millions of nonces. */
const REMEMBERED = 100_000;

interface Asked {
  readonly dialect: DialectId;
  readonly framing: 'plain' | 'stream' | 'array';
  readonly order: Order;
  readonly response: ServerResponse;
}

export async function startOrderedBackend(): Promise<OrderedBackend> {
  const seen = new Map<string, number>();
  let open = 0;
  let held: (() => void)[] | undefined;
  const server = createServer((incoming, response) => {
    open += 1;
    response.on('error', ignore);
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const order = orderIn(body);
      if (order === undefined) return void response.writeHead(400).end('{"error":"there is no order"}');
      seen.set(order.nonce, (seen.get(order.nonce) ?? 0) + 1);
      if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value ?? '');
      const asked = { ...readForm(incoming, body), order, response };
      if (held === undefined) answer(asked);
      else held.push(() => answer(asked));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    seen,
    get open() {
      return open;
    },
    hold() {
      held = [];
      return () => {
        const waiting = held ?? [];
        held = undefined;
        for (const go of waiting) go();
      };
    },
    rest: () => server.closeIdleConnections(),
    close: () => shut(server),
  };
}

function ignore(): void {}

function readForm({ url = '' }: IncomingMessage, body: string): Pick<Asked, 'dialect' | 'framing'> {
  const dialect = dialectAt(url);
  if (dialect === 'generateContent') {
    return { dialect, framing: url.includes('alt=sse') ? 'stream' : url.includes(':stream') ? 'array' : 'plain' };
  }
  return { dialect, framing: /"stream": ?true/.test(body) ? 'stream' : 'plain' };
}

function answer(asked: Asked): void {
  const { dialect, response, order } = asked;
  const refusal = order.trouble === undefined ? undefined : REFUSALS[order.trouble];
  if (refusal !== undefined) {
    const { body } = wordsOf(dialect, refusal.kind, 'the backend says no');
    send(response, refusal.status, JSON.stringify(body));
  } else if (order.trouble === 'html') {
    send(response, 200, '<!doctype html><title>Sign in</title>', 'text/html');
  } else if (order.trouble === 'hang') {
    // The answer never comes: whoever waits has to give up.
  } else if (asked.framing === 'plain') {
    setTimeout(() => answerPlain(asked), order.gapMs);
  } else startStream(asked);
}

const REFUSALS: Partial<
  Record<Trouble, { readonly status: number; readonly kind: 'internal' | 'rate_limit' | 'overloaded' }>
> = {
  '500': { status: 500, kind: 'internal' },
  '429': { status: 429, kind: 'rate_limit' },
  '529': { status: 529, kind: 'overloaded' },
};

function send(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** The texts that an order wants, in as many pieces. */
function piecesOf({ nonce, pieces }: Order): string[] {
  return Array.from({ length: pieces }, (_, index) => pieceOf(nonce, index));
}

/** The whole answer to an order: its text, and a call with a mark in its arguments. */
function answerTo(dialect: DialectId, order: Order): Wire {
  const mark = JSON.stringify({ q: pieceOf(order.nonce, order.pieces).trim() });
  const calls = order.call ? [call('call_01load', 'look', mark)] : [];
  return WIRES[dialect].say([text(piecesOf(order).join('')), ...calls]);
}

function answerPlain({ dialect, order, response }: Asked): void {
  if (response.destroyed) return;
  const body = JSON.stringify(answerTo(dialect, order));
  const half = body.slice(0, body.length / 2);
  if (order.trouble === undefined) send(response, 200, body);
  else if (order.trouble === 'garbage') send(response, 200, half);
  else {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.write(half);
    END[order.trouble === 'reset' ? 'reset' : 'cut'](response);
  }
}

const END = {
  reset: (response: ServerResponse) => void setTimeout(() => response.socket?.resetAndDestroy(), 20),
  cut: (response: ServerResponse) => void response.end(),
};

function startStream(asked: Asked): void {
  const { dialect, framing, order, response } = asked;
  const wire = WIRES[dialect];
  const print = framing === 'stream' ? wire.print : createElementPrinter();
  const pieces = piecesOf(order);
  const cut: Cut = (words, member) => (/^(?:text|content)$/.test(member) ? pieces : inTwo(9)(words, member, {}));
  const events = wire.events(answerTo(dialect, order), cut);
  const first = events.findIndex((event) => TEXT_OF[dialect](event));
  // In the middle, and behind at least one piece.
  const breaksAt = order.trouble === undefined ? Number.POSITIVE_INFINITY : Math.ceil(order.pieces / 2);
  response.writeHead(200, { 'content-type': framing === 'stream' ? 'text/event-stream' : 'application/json' });
  let sent = 0;
  const next = (upTo: number): string => {
    const out = events.slice(sent, upTo).map(print).join('');
    sent = upTo;
    return out;
  };
  let index = 0;
  const step = (): void => {
    if (response.destroyed) return;
    if (index === order.pieces) {
      response.end(next(events.length) + (framing === 'array' ? ']' : ''));
      return;
    }
    if (index === breaksAt) {
      if (order.trouble !== 'garbage') {
        END[order.trouble === 'reset' ? 'reset' : 'cut'](response);
        return;
      }
      response.write(framing === 'stream' ? 'data: {broken\n\n' : ',{broken}');
    }
    response.write(next(first + index + 1));
    index += 1;
    setTimeout(step, order.gapMs);
  };
  setTimeout(step, order.gapMs);
}

const TEXT_OF = tableOf('textOfEvent');

function createElementPrinter(): (event: Wire) => string {
  let first = true;
  return (data) => {
    const lead = first ? '[' : ',\r\n';
    first = false;
    return lead + JSON.stringify(data);
  };
}
