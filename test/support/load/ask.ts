import type { DialectId } from '../../../translators/index.js';
import { requestTo } from '../requests.js';
import type { Framing } from '../wire/requests.js';
import { type Order, wordsOfOrder } from './order.js';

/** One request of a client, ready to be sent. */
export interface Asking {
  readonly path: string;
  readonly body: string;
}

const SCHEMA = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const LOOK = { name: 'look', description: 'Looks something up.', schema: SCHEMA };

/** The name under which a gateway of these runs serves a backend of a dialect. */
export function modelOf(backend: DialectId): string {
  return `to-${backend}`;
}

/** A request of about `bytes` bytes that carries an order. */
export function askingOf(client: DialectId, backend: DialectId, framing: Framing, order: Order, bytes = 512): Asking {
  const words = wordsOfOrder(order);
  const text = `${words} ${'word '.repeat(Math.max(0, Math.floor((bytes - words.length - 200) / 5)))}`;
  const { path, body } = requestTo(client, {
    model: modelOf(backend),
    turns: [text],
    framing,
    cap: 1000,
    ...(order.call && { tools: [LOOK] }),
  });
  return { path, body: JSON.stringify(body) };
}
