import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../../src/config/load.js';
import { ConfigError } from '../../../src/config/problem.js';
import { asking, inParallel } from '../../backend/faults/cells.js';
import { type Cell, TEXT } from '../../backend/faults/fault.js';
import { stageConfig } from '../../backend/faults/stage.js';
import { FAULTS } from '../../backend/faults/table.js';
import { type FaultyBackend, rawAnswer, startFaultyBackend } from '../../support/faulty-backend.js';
import { DIALECTS, json, type Recorder, send, startRecorder } from '../../support/gateway/harness.js';
import { SHORT } from '../../support/runs.js';
import { wholeFor } from './answers.js';
import {
  ALL_SECRETS,
  BACKEND_SECRETS,
  CALLER_KEY,
  CALLER_SECRETS,
  COLLECTOR_SECRET,
  ENVIRONMENT,
  FILE,
  found,
  HEADER_SECRET,
  KEPT_PROMPT,
  OTHER_KEY,
  PRIVATE_HEADERS,
  PROCESS_SECRETS,
  PROMPT,
  UPSTREAM_KEY,
  WRONG_KEY,
} from './secrets.js';
import { type Spawned, spawnProgram } from './spawned.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-sweep-'));
let faulty: FaultyBackend;
let other: Recorder;
let collector: Recorder;
let gateway: Spawned;
let url = '';
let host = '';
let metrics = '';

interface Told {
  readonly name: string;
  readonly text: string;
}
/** Everything that callers got: heads and bodies. */
const told: Told[] = [];

/** Every fault for every client, in the short run for one; its backends and modes take turns. */
const CASES = FAULTS.flatMap((fault, index) =>
  DIALECTS.flatMap((client, turn) => {
    if (SHORT && turn !== index % DIALECTS.length) return [];
    const modes = fault.modes ?? ['plain', 'stream'];
    const cell: Cell = {
      client,
      backend: DIALECTS[(index + turn * 2) % DIALECTS.length] ?? 'messages',
      mode:
        (index + turn) % 2 === 0 && modes.includes('plain')
          ? 'plain'
          : modes.includes('stream')
            ? 'stream'
            : (modes[0] ?? 'plain'),
    };
    return { id: `sweep-${index}-${client}`, fault, cell };
  }),
);

/** Sends a request with everything secret that a caller may have on it. */
async function tell(
  name: string,
  path: string,
  body: unknown,
  more: Record<string, string> = {},
  method = 'POST',
): Promise<void> {
  const headers = { ...PRIVATE_HEADERS, authorization: `Bearer ${CALLER_KEY}`, ...more };
  const answer = await send(url, path, { method, headers, ...(body !== undefined && { body }) }).catch(
    (error: Error) => ({
      status: 0,
      headers: {},
      text: `broken off: ${error.message}`,
    }),
  );
  told.push({ name, text: `${JSON.stringify(answer.headers)}\n${answer.text}` });
}

beforeAll(async () => {
  faulty = await startFaultyBackend();
  other = await startRecorder();
  other.reply = (response, { path }) => json(response, 200, wholeFor(path));
  collector = await startRecorder();
  host = `127.0.0.1:${faulty.port}`;
  const { backends, models, limits } = stageConfig(faulty.url);
  const withSecret = Object.entries(backends).map(([name, backend]) => [
    name,
    { ...backend, headers: { 'x-tenant-token': HEADER_SECRET } },
  ]);
  gateway = spawnProgram(
    folder,
    'serve',
    {
      backends: {
        ...Object.fromEntries(withSecret),
        other: { dialect: 'generateContent', baseUrl: other.url, apiKey: OTHER_KEY, retries: 0 },
      },
      models: { ...models, other: { backend: 'other' } },
      keys: [{ name: 'caller', key: CALLER_KEY }],
      limits,
      store: { type: 'lmdb', path: join(folder, 'store') },
      log: { level: 'trace' },
    },
    {
      args: ['--port', '0'],
      env: {
        SOME_SECRET: ENVIRONMENT,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: `x-collector=${COLLECTOR_SECRET}`,
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    },
  );
  url = await gateway.url;
  // Lists of models, which name none.
  faulty.on('', ({ socket }) => socket.end(rawAnswer('403 No', `{"error":{"message":"${UPSTREAM_KEY}"}}`)));
  const faults = CASES.map(({ id, fault, cell }) => async () => {
    faulty.on(id, fault.serve);
    const { path, body } = asking(cell.client, cell.mode, `${cell.backend}-${fault.limits ?? 'calm'}-${id}`);
    await tell(`${fault.name}, ${cell.client} client, ${cell.backend} backend, ${cell.mode}`, path, {
      ...JSON.parse(JSON.stringify(body).replace('Hello', PROMPT)),
      ...(cell.client === 'responses' && { store: false }),
    });
  });
  // What waits for the clocks of the gateway goes first.
  const slow = CASES.map(({ fault }) => fault.limits !== undefined);
  await inParallel([...faults.filter((_, at) => slow[at]), ...faults.filter((_, at) => !slow[at])], 48);

  const data = Buffer.from(FILE).toString('base64');
  await tell('a file', '/v1/messages', {
    model: 'other',
    max_tokens: 9,
    messages: [
      {
        role: 'user',
        content: [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }],
      },
    ],
  });
  await tell('an answer that is kept', '/v1/responses', { model: 'other', input: KEPT_PROMPT });
  await tell(
    'a wrong key',
    '/v1/responses',
    { model: 'other', input: PROMPT, store: false },
    { authorization: `Bearer ${WRONG_KEY}` },
  );
  await tell('a key in the query', `/v1/models?key=${CALLER_KEY}`, undefined, {}, 'GET');
  await tell(
    'a wrong key in the query',
    `/v1/models?key=${WRONG_KEY}`,
    undefined,
    { authorization: 'Bearer x' },
    'GET',
  );
  await tell('an unknown route', `/v1/nowhere?key=${CALLER_KEY}`, { prompt: PROMPT });
  await tell('broken JSON', '/v1/messages', `{"messages":"${PROMPT}`);
  await tell('an unknown model', '/v1/messages', {
    model: 'nobody',
    max_tokens: 9,
    messages: [{ role: 'user', content: PROMPT }],
  });
  await tell('an odd id', '/v1/models', undefined, { 'x-request-id': `${'x'.repeat(200)} \u00e4` }, 'GET');
  await tell('the metrics', '/metrics', undefined, {}, 'GET');
  metrics = told.at(-1)?.text ?? '';
  gateway.child.kill('SIGTERM');
  await gateway.ended;
}, 60_000);

afterAll(async () => {
  gateway.child.kill('SIGKILL');
  await faulty.close();
  await other.close();
  await collector.close();
  rmSync(folder, { recursive: true });
});

test('every fault was asked for and answered', () => {
  expect(told.length).toBe(CASES.length + 10);
  for (const { id } of CASES) expect([id, faulty.seen.has(id)]).toEqual([id, true]);
  expect(told.filter(({ text }) => text.includes('"error"')).length).toBeGreaterThan(CASES.length / 3);
});

describe('no secret is found where it does not belong (hardening.md rows 23 to 29)', () => {
  test('in what the program prints at its loudest, neither are prompts, files, answers, and words of a backend', () => {
    expect(gateway.stderr.split('\n').length).toBeGreaterThan(CASES.length);
    const printed = gateway.stdout + gateway.stderr;
    expect(found(printed, [...ALL_SECRETS, TEXT, 'Wrong key', 'sign in'])).toEqual([]);
  });

  test('in any answer', () => {
    const secrets = [...BACKEND_SECRETS, ...CALLER_SECRETS, ...PROCESS_SECRETS, host, PROMPT, FILE];
    const leaks = told.flatMap(({ name, text }) => found(text, secrets).map((secret) => [name, secret]));
    expect(leaks).toEqual([]);
  });

  test('in the metrics', () => {
    expect(found(metrics, ALL_SECRETS)).toEqual([]);
  });

  test('in the store: of what was said only what is to be kept', () => {
    const stored = readdirSync(join(folder, 'store'), { recursive: true })
      .map((name) => join(folder, 'store', String(name)))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path).toString('latin1'))
      .join('\n');
    expect(stored).toContain(KEPT_PROMPT);
    expect(
      found(
        stored,
        ALL_SECRETS.filter((secret) => secret !== KEPT_PROMPT),
      ),
    ).toEqual([]);
  });

  test('in what a backend is asked, but for its own key in its own header', () => {
    const heads = [...faulty.seen.values()].flat();
    expect(heads.length).toBeGreaterThanOrEqual(CASES.length);
    for (const { head, body } of heads) {
      expect(found(head + body, [...CALLER_SECRETS, ...PROCESS_SECRETS, OTHER_KEY])).toEqual([]);
      const lines = head.split('\r\n').filter((line) => line.includes(UPSTREAM_KEY) || line.includes(HEADER_SECRET));
      expect(lines.map((line) => line.replace(/:.*/, '').toLowerCase()).sort()).toEqual([
        expect.stringMatching(/^(?:authorization|x-api-key|x-goog-api-key)$/),
        'x-tenant-token',
      ]);
      expect(body).not.toContain(UPSTREAM_KEY);
    }
    expect(other.seen.length).toBeGreaterThan(1);
    for (const { headers, body, path } of other.seen) {
      const { 'x-goog-api-key': own, ...rest } = headers;
      expect(own).toBe(OTHER_KEY);
      expect(
        found(path + JSON.stringify(rest) + body, [...BACKEND_SECRETS, ...CALLER_SECRETS, ...PROCESS_SECRETS]),
      ).toEqual([]);
    }
  });

  test('in what the collector of traces is told', () => {
    expect(collector.seen.length).toBeGreaterThan(0);
    for (const { headers, body, path } of collector.seen) {
      const { 'x-collector': own, ...rest } = headers;
      expect(own).toBe(COLLECTOR_SECRET);
      expect(found(path + JSON.stringify(rest) + body, ALL_SECRETS)).toEqual([]);
    }
  });
});

test('every line of the log is one line of JSON (hardening.md row 31)', () => {
  const lines = gateway.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('interlingua: '));
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
});

test('the password of a store that cannot be reached is told nobody', async () => {
  const password = 'redis-canary-password-0d9f';
  const { port } = new URL(other.url);
  const base = {
    backends: { a: { dialect: 'messages', simulator: true } },
    models: { m: { backend: 'a' } },
    log: { level: 'trace' },
  };
  const store = { type: 'redis', url: `redis://user:${password}@127.0.0.1:${port}/0` };
  const program = spawnProgram(folder, 'serve', { ...base, store }, { args: ['--port', '0'] });
  try {
    const at = await program.url;
    const { text } = await send(at, '/v1/responses', { body: { model: 'm', input: 'Hello' } });
    const health = await send(at, '/readyz');
    expect(found(text + health.text, [password])).toEqual([]);
  } finally {
    program.child.kill('SIGTERM');
    await program.ended;
  }
  expect(program.stderr).not.toBe('');
  expect(found(program.stdout + program.stderr, [password])).toEqual([]);
});

test.each([
  ['an unknown field beside it', { extra: true }],
  ['a store of the wrong kind', { store: { type: 'lmdb', url: 'redis://:store-canary-77@h/' } }],
  [
    'a key that is no string',
    { backends: { a: { dialect: 'messages', baseUrl: 'http://x.example', apiKey: [UPSTREAM_KEY] } } },
  ],
  ['a URL with a password', { backends: { a: { dialect: 'messages', baseUrl: 'http://u:url-canary-31@x.example' } } }],
  ['a key with a line break', { keys: [{ name: 'a', key: `${CALLER_KEY}\n` }] }],
  ['the same key twice', { keys: ['a', 'a'].map((name) => ({ name, key: CALLER_KEY })) }],
  ['a key in the place of a name', { keys: [{ name: `${CALLER_KEY}/`, key: CALLER_KEY }] }],
])('a configuration with %s is refused without its secrets', (_name, more) => {
  const config = {
    backends: { a: { dialect: 'messages', baseUrl: 'http://x.example', apiKey: UPSTREAM_KEY } },
    keys: [{ name: 'caller', key: CALLER_KEY }],
    ...more,
  };
  let said = '';
  try {
    parseConfig(config);
  } catch (error) {
    said = error instanceof ConfigError ? `${inspect(error, { depth: 9 })}${JSON.stringify(error.problems)}` : '';
  }
  expect(said).not.toBe('');
  expect(found(said, [...ALL_SECRETS, 'store-canary', 'url-canary'])).toEqual([]);
});
