import type { DialectId } from '../../../translators/index.js';
import { type Order, wordsOfOrder } from './order.js';

/** How a client wants its answer framed. */
export type Framing = 'plain' | 'stream' | 'array';

/** One request of a client, ready to be sent. */
export interface Asking {
  readonly path: string;
  readonly body: string;
}

const SCHEMA = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
const DESCRIPTION = 'Looks something up.';

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

type Ask = (
  model: string,
  text: string,
  framing: Framing,
  tool: boolean,
) => { readonly path: string; readonly body: object };

const ASKS: Record<DialectId, Ask> = {
  messages: (model, text, framing, tool) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 1000,
      messages: [{ role: 'user', content: text }],
      ...(framing !== 'plain' && { stream: true }),
      ...(tool && { tools: [{ name: 'look', description: DESCRIPTION, input_schema: SCHEMA }] }),
    },
  }),
  responses: (model, text, framing, tool) => ({
    path: '/v1/responses',
    body: {
      model,
      input: text,
      ...(framing !== 'plain' && { stream: true }),
      ...(tool && {
        tools: [{ type: 'function', name: 'look', description: DESCRIPTION, parameters: SCHEMA, strict: false }],
      }),
    },
  }),
  generateContent: (model, text, framing, tool) => ({
    path: `/v1beta/models/${model}:${METHODS[framing]}`,
    body: {
      contents: [{ role: 'user', parts: [{ text }] }],
      ...(tool && {
        tools: [{ functionDeclarations: [{ name: 'look', description: DESCRIPTION, parameters: SCHEMA }] }],
      }),
    },
  }),
};

const METHODS: Record<Framing, string> = {
  plain: 'generateContent',
  stream: 'streamGenerateContent?alt=sse',
  array: 'streamGenerateContent',
};
