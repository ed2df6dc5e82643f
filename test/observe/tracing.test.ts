import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json as readBody } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { createGateway, type GatewayServer, type OffloadOptions } from '../../src/index.js';
import { tableOf } from '../support/dialects/index.js';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';
import { until } from '../support/until.js';
import { captureLog, freePort, pairsConfig, replyInKind } from './support.js';

const KEY = 'a-gateway-key-of-tests';
const UPSTREAM_KEY = 'an-upstream-key-canary-5f';
const PROMPT = 'prompt-canary-77a1';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** Takes what is exported, as a collector does over HTTP with JSON. */
interface Collector {
  readonly url: string;
  readonly spans: Span[];
  readonly resources: Tree[];
  readonly headers: IncomingHttpHeaders[];
  readonly text: () => string;
  close(): Promise<void>;
}

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Record<string, unknown>;
}

const SERVER = 2;
const CLIENT = 3;

async function startCollector(): Promise<Collector> {
  const bodies: Tree[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    headers.push({ ...request.headers, path: request.url });
    bodies.push(await readBody(request));
    json(response, 200, {});
  });
  const url = await listen(server);
  const attributesOf = (list: Tree[]) =>
    Object.fromEntries(list.map(({ key, value }) => [key, plain(value)])) as Record<string, unknown>;
  return {
    url,
    headers,
    get spans() {
      return bodies.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }: Tree) =>
          scopeSpans.flatMap(({ spans }: Tree) =>
            spans.map((span: Tree) => ({ ...span, attributes: attributesOf(span.attributes) })),
          ),
        ),
      );
    },
    get resources() {
      return bodies.flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }: Tree) => attributesOf(resource.attributes)),
      );
    },
    text: () => JSON.stringify(bodies),
    close: () => shut(server),
  };
}

function plain(value: Tree): unknown {
  const { stringValue, intValue, boolValue, doubleValue, arrayValue } = value;
  if (arrayValue !== undefined) return arrayValue.values.map(plain);
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue);
}

const TRACED = tableOf('traced');

let backend: Recorder;
let collector: Collector;

beforeAll(async () => {
  backend = await startRecorder();
  collector = await startCollector();
});

afterAll(async () => {
  await backend.close();
  await collector.close();
});

afterEach(() => {
  for (const name in process.env) if (name.startsWith('OTEL_')) delete process.env[name];
  jest.restoreAllMocks();
});

function tracingGateway(
  more: object = {},
  options?: OffloadOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue',
    OTEL_SERVICE_NAME: 'our-gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
  });
  const config = pairsConfig(backend);
  const backends = Object.fromEntries(
    Object.entries(config.backends ?? {}).map(([name, one]) => [name, { ...one, apiKey: UPSTREAM_KEY }]),
  );
  return startGateway(
    { ...config, backends, keys: [{ name: 'tests', key: KEY }], store: { type: 'off' }, ...more },
    options,
  );
}

test('an exchange is a span of its own, with one below it for the call to the backend', async () => {
  backend.reply = replyInKind;
  const gateway = await tracingGateway();
  const port = Number(new URL(backend.url).port);
  const headers = { 'x-api-key': KEY, traceparent: `00-${TRACE}-${PARENT}-01` };
  const asked = DIALECTS.flatMap((client) => [
    ...DIALECTS.map((server) => ({ client, server, stream: false, ...ASK[client](`to-${server}`) })),
    ...DIALECTS.map((server) => ({ client, server, stream: true, ...STREAM[client](`to-${server}`) })),
  ]);
  const ids = asked.map((_one, index) => `traced-${index}`);
  for (const [index, { path, body }] of asked.entries()) {
    const text = JSON.stringify(body).replace('Hello', PROMPT);
    await send(gateway.url, path, { body: text, headers: { ...headers, 'x-request-id': ids[index] ?? '' } });
  }
  const sent = backend.seen.slice(-asked.length).map((seen) => String(seen.headers.traceparent));
  await gateway.close();

  const { spans } = collector;
  expect(spans).toHaveLength(2 * asked.length);
  for (const [index, { client, server, stream, path }] of asked.entries()) {
    const outer = spans.find(({ attributes }) => attributes['interlingua.request.id'] === ids[index]);
    const inner = spans.find(({ parentSpanId }) => parentSpanId === outer?.spanId);
    expect(outer).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: SERVER });
    expect(outer?.name).toMatch(/^POST \/v1/);
    expect(outer?.name).not.toContain('to-');
    expect(outer?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'url.path': path.split('?')[0],
      'http.response.status_code': 200,
      'interlingua.client.dialect': client,
      'interlingua.backend': server,
      'interlingua.key.name': 'tests',
      'interlingua.outcome': 'ok',
    });
    expect(outer?.attributes).toHaveProperty(['interlingua.losses']);
    const { operation } = TRACED[server];
    expect(inner).toMatchObject({ traceId: TRACE, kind: CLIENT, name: `${operation} to-${server}` });
    expect(inner?.attributes).toEqual({
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': TRACED[server].provider,
      'gen_ai.request.model': `to-${server}`,
      'gen_ai.request.stream': stream,
      'gen_ai.response.id': TRACED[server].id,
      'gen_ai.response.model': TRACED[server].model,
      'gen_ai.response.finish_reasons': [TRACED[server].finish],
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 2,
      'server.address': '127.0.0.1',
      'server.port': port,
      'http.response.status_code': 200,
      'interlingua.backend': server,
      'interlingua.backend.dialect': server,
    });
    expect(sent[index]).toBe(`00-${TRACE}-${inner?.spanId}-01`);
  }
  expect(collector.resources[0]).toMatchObject({
    'service.name': 'our-gateway',
    'deployment.environment.name': 'tests',
    'telemetry.sdk.language': 'nodejs',
  });
  expect(collector.headers[0]).toMatchObject({ path: '/v1/traces', 'x-team': 'blue' });
  for (const secret of [KEY, UPSTREAM_KEY, PROMPT, 'Hello there']) expect(collector.text()).not.toContain(secret);
});

test('an answer that is read after its end, since others are served between its steps, is told all the same', async () => {
  const text = 'Hello there'.repeat(200_000);
  backend.reply = (response) => json(response, 200, WHOLE.messages(text));
  // No thread takes it.
  const gateway = await tracingGateway({}, { largeBytes: Number.POSITIVE_INFINITY });
  const { path, body } = ASK.chatCompletions('to-messages');
  const { status } = await send(gateway.url, path, { body, headers: { 'x-api-key': KEY, 'x-request-id': 'large' } });
  await gateway.close();
  expect(status).toBe(200);
  const outer = collector.spans.find(({ attributes }) => attributes['interlingua.request.id'] === 'large');
  const inner = collector.spans.filter(({ parentSpanId }) => parentSpanId === outer?.spanId);
  expect(inner.map(({ attributes }) => attributes)).toEqual([
    expect.objectContaining({
      'gen_ai.response.model': TRACED.messages.model,
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 2,
    }),
  ]);
});

test('failures are told: a backend that refuses, one that is not there', async () => {
  backend.reply = (response) => json(response, 500, { type: 'error', error: { type: 'api_error', message: 'no' } });
  const dead = { dialect: 'messages', baseUrl: `http://127.0.0.1:${await freePort()}`, retries: 0 };
  const live = { dialect: 'messages', baseUrl: backend.url, retries: 0 };
  const gateway = await tracingGateway({
    backends: { dead, live },
    models: { both: [{ backend: 'dead' }, { backend: 'live' }] },
  });
  const { path, body } = ASK.messages('both');
  const { status } = await send(gateway.url, path, { body, headers: { 'x-api-key': KEY, 'x-request-id': 'fails' } });
  await gateway.close();
  expect(status).toBe(500);
  const outer = collector.spans.find(({ attributes }) => attributes['interlingua.request.id'] === 'fails');
  expect(outer?.parentSpanId ?? '').toBe('');
  expect(outer?.status.code).toBe(2);
  expect(outer?.attributes).toMatchObject({ 'error.type': 'internal', 'interlingua.passed_targets': 1 });
  const inner = collector.spans.filter(({ parentSpanId }) => parentSpanId === outer?.spanId);
  expect(inner.map(({ attributes }) => attributes['error.type'])).toEqual(['no_answer', '500']);
  expect(inner.map(({ status: { code } }) => code)).toEqual([2, 2]);
});

test('a key that a client takes for the name of a model is in no trace', async () => {
  backend.reply = replyInKind;
  const gateway = await tracingGateway({ models: { '*': { backend: 'messages' } } });
  const { path, body } = ASK.messages(`m-${UPSTREAM_KEY}`);
  await send(gateway.url, path, { body, headers: { 'x-api-key': KEY, 'x-request-id': UPSTREAM_KEY } });
  await gateway.close();
  const ids = collector.spans.map(({ attributes }) => attributes['interlingua.request.id']);
  expect(ids).toContain('[redacted]');
  expect(collector.text()).toContain('chat m-[redacted]');
  expect(collector.text()).not.toContain(UPSTREAM_KEY);
});

test('what the client did not want to be sampled is not', async () => {
  backend.reply = replyInKind;
  const before = collector.spans.length;
  const gateway = await tracingGateway();
  const { path, body } = ASK.messages('to-messages');
  await send(gateway.url, path, { body, headers: { 'x-api-key': KEY, traceparent: `00-${TRACE}-${PARENT}-00` } });
  await gateway.close();
  expect(collector.spans).toHaveLength(before);
  expect(backend.seen.at(-1)?.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-\\w{16}-00$`));
});

test.each([
  ['nothing asks for traces', {}],
  ['they are switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }],
  ['there is no exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' }],
  ['nobody propagates', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_PROPAGATORS: 'none' }],
])('backends hear of no trace when %s', async (_why, environment) => {
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_TIMEOUT: '100', ...environment });
  backend.reply = replyInKind;
  const gateway = await startGateway(pairsConfig(backend));
  const { path, body } = ASK.messages('to-messages');
  await send(gateway.url, path, { body, headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
  await gateway.close();
  expect(backend.seen.at(-1)?.headers).not.toHaveProperty('traceparent');
});

test('a collector that is not there costs one warning', async () => {
  const log = captureLog();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${await freePort()}/v1/traces`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  });
  backend.reply = replyInKind;
  const gateway: GatewayServer = createGateway({ ...pairsConfig(backend), log: { level: 'warn' } });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const { path, body } = ASK.messages('to-messages');
  for (let round = 0; round < 3; round += 1) {
    expect((await send(url, path, { body })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await until(() => log.lines().length > 0);
  await gateway.close();
  expect(log.lines().map(({ level, msg }) => [level, msg])).toEqual([[40, 'traces cannot be exported']]);
});

test('wishes that cannot be met are told at the start', async () => {
  const log = captureLog();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_PROPAGATORS: 'b3',
    OTEL_TRACES_SAMPLER: 'sometimes',
  });
  const gateway = createGateway({ ...pairsConfig(backend), log: { level: 'warn' } });
  await gateway.close();
  const reasons = log.lines().map(({ reason }) => reason);
  expect(reasons).toEqual([
    expect.stringContaining('OTEL_EXPORTER_OTLP_PROTOCOL'),
    expect.stringContaining('OTEL_PROPAGATORS'),
    expect.stringContaining('OTEL_TRACES_SAMPLER'),
  ]);
});
