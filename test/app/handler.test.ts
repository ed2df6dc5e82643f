import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { createGateway, type GatewayServer } from '../../src/index.js';

/** Servers that are no Express: each hands its requests to `gateway.handler` in its own way. */
const SERVERS: readonly [name: string, path: string, open: (gateway: GatewayServer) => Server][] = [
  ['node:http', '/v1', ({ handler }) => createServer(handler)],
  [
    'a server that takes its prefix off',
    '/llm/v1',
    ({ handler }) =>
      createServer((request, response) => {
        request.url = request.url?.replace(/^\/llm/, '');
        handler(request, response);
      }),
  ],
  [
    // As Fastify with `reply.hijack()`: it has looked at the request, and answers later.
    'a server that hands over later',
    '/v1',
    ({ handler }) =>
      createServer((request, response) => {
        setImmediate(() => handler(request, response));
      }),
  ],
  [
    'a server that has read the body',
    '/v1',
    ({ handler }) =>
      createServer(async (request, response) => {
        let text = '';
        for await (const piece of request) text += piece;
        Object.assign(request, { body: text });
        handler(request, response);
      }),
  ],
];

describe.each(SERVERS)('gateway.handler in %s', (_name, path, open) => {
  let gateway: GatewayServer;
  let server: Server;
  let client: OpenAI;
  beforeAll(async () => {
    gateway = createGateway({
      backends: { sim: { dialect: 'messages', simulator: true } },
      models: { any: { backend: 'sim' } },
      log: { level: 'silent' },
    });
    server = open(gateway);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    client = new OpenAI({ baseURL: `http://127.0.0.1:${port}${path}`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await gateway.close();
  });

  test('the official client gets an answer, a stream and an error', async () => {
    const { output_text } = await client.responses.create({ model: 'any', input: 'Hello' });
    expect(output_text).not.toBe('');
    let text = '';
    for await (const event of await client.responses.create({ model: 'any', input: 'Hello', stream: true }))
      if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).not.toBe('');
    await expect(client.responses.create({ model: 'no', input: 'Hello' })).rejects.toMatchObject({ status: 400 });
  });
});
