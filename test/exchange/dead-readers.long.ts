import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { dialectAt } from '../support/dialect-at.js';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  send,
  startRecorder,
  vendorsAt,
  WHOLE,
} from '../support/gateway/harness.js';
import { listen } from '../support/sockets.js';
import { until } from '../support/until.js';

const MB = 1024 * 1024;
/** More than the system's own buffers take. */
const LONG = 12 * MB;

let recorder: Recorder;
let gateway: GatewayServer;
let server: Server;
let url: string;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => {
    const dialect = dialectAt(path);
    const text = path.includes('/images/') ? '' : 'x'.repeat(LONG);
    const pictures = { created: 1, data: [{ b64_json: 'A'.repeat(LONG) }] };
    json(response, 200, path.includes('/images/') ? pictures : WHOLE[dialect](text));
  };
  const vendors = vendorsAt(recorder.url);
  gateway = createGateway({
    backends: vendors.backends,
    models: {
      ...vendors.models,
      'img-multi': { backend: 'responses' },
    },
    limits: { writeIdleSeconds: 1 },
    store: { type: 'memory', entryMb: 64 },
    log: { level: 'silent' },
  });
  server = createServer(gateway.app);
  url = await listen(server);
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await gateway.close();
  await recorder.close();
});

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

test('hardening.md row 50: whoever takes nothing of a long answer is dropped, whatever was asked for', async () => {
  const { body } = await send(url, '/v1/responses', { body: { model: 'messages', input: 'y'.repeat(LONG) } });
  const asked = [
    ...DIALECTS.flatMap((client) => DIALECTS.map((dialect) => ({ method: 'POST', ...ASK[client](dialect) }))),
    { method: 'POST', path: '/v1/images/generations', body: { model: 'img-multi', prompt: 'a cat' } },
    { method: 'GET', path: `/v1/responses/${body.id}`, body: undefined },
    { method: 'GET', path: `/v1/responses/${body.id}/input_items`, body: undefined },
  ];
  await until(async () => (await connections()) === 0);
  const clients = asked.map((one) => {
    const payload = one.body === undefined ? '' : JSON.stringify(one.body);
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.on('error', () => {});
    client.pause();
    client.write(
      `${one.method} ${one.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
    );
    return client;
  });
  await until(async () => (await connections()) === asked.length);
  // Each is dropped a second after its last progress; what takes longer are 19 answers of 12 MB.
  await until(async () => (await connections()) === 0, 150_000);
  for (const client of clients) client.destroy();
}, 200_000);
