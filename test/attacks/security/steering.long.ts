import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { inParallel } from '../../backend/faults/cells.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import { share } from '../../support/runs.js';
import { listen, shut } from '../../support/sockets.js';
import { wholeFor } from './answers.js';
import { type Probe, probesOf } from './surface.js';

const KEY = 'sk-steering-canary-5c02e1';
const MODELS = ['m', 'r', 'g'] as const;

/** Stands for the host that a caller would like to be called. */
let attacker: Server;
let attackerUrl: string;
let connections = 0;
let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  attacker = createServer((_request, response) => response.end('{}'));
  attacker.on('connection', () => {
    connections += 1;
  });
  attackerUrl = await listen(attacker);
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
  const backend = { baseUrl: recorder.url, apiKey: KEY, retries: 0 } as const;
  gateway = await startGateway({
    backends: {
      m: { ...backend, dialect: 'messages' },
      r: { ...backend, dialect: 'responses' },
      g: { ...backend, dialect: 'generateContent' },
    },
    models: Object.fromEntries(MODELS.map((name) => [name, { backend: name }])),
    media: { allowPrivate: ['127.0.0.1'] },
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
  await shut(attacker);
});
beforeEach(() => {
  recorder.seen.length = 0;
});

/** Names under which gateways have let callers choose the upstream, or that look as if they could. */
const FIELDS = [
  'api_base',
  'apiBase',
  'base_url',
  'baseURL',
  'baseUrl',
  'endpoint',
  'api_endpoint',
  'host',
  'hostname',
  'upstream',
  'upstream_url',
  'target',
  'target_url',
  'proxy',
  'proxy_url',
  'http_proxy',
  'provider_url',
  'custom_host',
  'server_url',
  'url_override',
  'deployment',
  'backend',
  'extra_body',
  'httpOptions',
  'api_config',
] as const;

const HEADERS = [
  'x-api-base',
  'x-base-url',
  'x-custom-host',
  'x-portkey-custom-host',
  'x-upstream-host',
  'x-upstream-url',
  'x-openai-base-url',
  'x-anthropic-base-url',
  'x-goog-api-host',
  'x-target-url',
  'x-proxy-url',
  'x-forwarded-host',
  'x-forwarded-server',
  'x-forwarded-proto',
  'x-forwarded-for',
  'x-original-url',
  'x-original-host',
  'x-rewrite-url',
  'x-host',
  'x-http-host-override',
  'x-interlingua-backend',
  'x-interlingua-base-url',
  'forwarded',
  'proxy',
  'via',
] as const;

/** A value of an override: the address, or by turns something that holds it. */
function overrideFor(turn: number): unknown {
  const held = { base_url: attackerUrl, baseUrl: attackerUrl, url: attackerUrl, host: attackerUrl };
  return turn % 2 === 0 ? attackerUrl : held;
}

/** Every way to send the overrides with one request. */
function attempts(
  { name, method, path, body }: Probe,
  turn: number,
): { readonly name: string; run(): Promise<unknown> }[] {
  const { host } = new URL(attackerUrl);
  const query = FIELDS.map((field) => `${field}=${encodeURIComponent(attackerUrl)}`).join('&');
  const asked = (at: string, sending: Parameters<typeof send>[2]) => ({
    name: `${name} with ${at}`,
    run: () => send(gateway.url, at === 'a query' ? `${path}?${query}` : path, { method, body, ...sending }),
  });
  return [
    asked('a query', {}),
    asked('headers that hold a URL', { headers: Object.fromEntries(HEADERS.map((header) => [header, attackerUrl])) }),
    asked('headers that hold a host', { headers: Object.fromEntries(HEADERS.map((header) => [header, host])) }),
    asked('the host as Host', { headers: { host } }),
    ...(body === undefined
      ? []
      : [
          ...share(FIELDS, turn).map((field, index) =>
            asked(field, { body: { ...body, [field]: overrideFor(turn + index) } }),
          ),
          asked('all fields', {
            body: { ...body, ...Object.fromEntries(FIELDS.map((field) => [field, attackerUrl])) },
          }),
        ]),
  ];
}

test('no route goes where a field, a header or a query says (hardening.md rows 1, 2)', async () => {
  expect(FIELDS.length + HEADERS.length).toBe(50);
  // Every route with every override; the backends take turns.
  const probes = MODELS.flatMap((model, turn) =>
    probesOf(model).flatMap((probe, index) => (index % MODELS.length === turn ? attempts(probe, index) : [])),
  );
  await inParallel(
    probes.map(({ run }) => run),
    12,
  );
  expect(connections).toBe(0);
  // The probes did reach the network: the backend of the configuration was called through each dialect's own paths.
  const called = new Set(recorder.seen.map(({ path }) => path.split('?')[0]));
  for (const path of [/^\/v1\/messages$/, /^\/v1\/responses$/, /^\/v1beta\/models\/g:/, /^\/v1\/videos$/]) {
    expect([path, [...called].some((one) => path.test(String(one)))]).toEqual([path, true]);
  }
  expect(recorder.seen.every(({ headers }) => headers.host === new URL(recorder.url).host)).toBe(true);
}, 180_000);

test('a field of the attacker stays in its body: paths and headers of the calls are the same with it and without', async () => {
  const plain = MODELS.flatMap(probesOf).filter(({ body }) => body !== undefined);
  const shape = () =>
    recorder.seen.map(({ method, path, headers }) => [method, path.split('?')[0], Object.keys(headers).sort()]);
  for (const { method, path, body } of plain) await send(gateway.url, path, { method, body });
  const expected = shape();
  recorder.seen.length = 0;
  for (const { method, path, body } of plain) {
    await send(gateway.url, path, {
      method,
      body: { ...body, api_base: attackerUrl, headers: { 'x-evil': attackerUrl }, extra_headers: { 'x-evil': '1' } },
      headers: Object.fromEntries(HEADERS.map((header) => [header, attackerUrl])),
    });
  }
  expect(shape()).toEqual(expected);
  expect(expected.length).toBeGreaterThan(10);
});
