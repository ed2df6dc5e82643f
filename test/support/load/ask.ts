import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../dialects/index.js';
import { type Order, wordsOfOrder } from './order.js';

/** How a client wants its answer framed. */
export type Framing = 'plain' | 'stream' | 'array';

/** One request of a client, ready to be sent. */
export interface Asking {
  readonly path: string;
  readonly body: string;
}

export const SCHEMA = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
export const DESCRIPTION = 'Looks something up.';

/** The name under which a gateway of these runs serves a backend of a dialect. */
export function modelOf(backend: DialectId): string {
  return `to-${backend}`;
}

/** A request of about `bytes` bytes that carries an order. */
export function askingOf(client: DialectId, backend: DialectId, framing: Framing, order: Order, bytes = 512): Asking {
  const words = wordsOfOrder(order);
  const text = `${words} ${'word '.repeat(Math.max(0, Math.floor((bytes - words.length - 200) / 5)))}`;
  const { path, body } = ASKS[client](modelOf(backend), text, framing, order.call);
  return { path, body: JSON.stringify(body) };
}

export type Ask = (
  model: string,
  text: string,
  framing: Framing,
  tool: boolean,
) => { readonly path: string; readonly body: object };

const ASKS = tableOf('askLoad');

export const METHODS: Record<Framing, string> = {
  plain: 'generateContent',
  stream: 'streamGenerateContent?alt=sse',
  array: 'streamGenerateContent',
};
