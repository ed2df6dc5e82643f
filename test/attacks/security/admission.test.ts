import { Agent, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../../src/config/load.js';
import { createAccess } from '../../../src/http/access.js';
import type { ClientCall } from '../../../src/http/client-call.js';
import { inParallel } from '../../backend/faults/cells.js';
import {
  ASK,
  DIALECTS,
  json,
  messageOf,
  type Recorder,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import { share } from '../../support/runs.js';
import { wholeFor } from './answers.js';
import { NAUGHTY } from './naughty.js';
import { probesOf } from './surface.js';

const GOOD = 'good-key-for-every-model';
const LIMITED = 'limited-key-for-nothing-here';

let recorder: Recorder;
let gateway: TestGateway;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
  gateway = await startGateway({
    backends: { r: { dialect: 'responses', baseUrl: recorder.url, apiKey: 'sk-admission-upstream-1', retries: 0 } },
    models: { m: { backend: 'r' }, 'pattern-*': { backend: 'r' } },
    keys: [
      { name: 'good', key: GOOD, operator: true },
      { name: 'limited', key: LIMITED, models: ['some-other-model'] },
    ],
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  agent.destroy();
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
});

interface Told {
  readonly status: number;
  readonly text: string;
  readonly head: string;
}

/** A request over a kept connection, with an id of its own choice, so that answers may be compared as they are. */
function ask(path: string, method: string, headers: Record<string, string>, body?: object): Promise<Told> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const sent = {
    'x-request-id': 'same',
    ...(payload !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(gateway.url + path, { method, agent, headers: sent }, (response) => {
      const head = response.rawHeaders.filter(
        (_, at) => !/^(?:date|keep-alive)$/i.test(response.rawHeaders[at - (at % 2)] ?? ''),
      );
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text, head: head.join('\n') }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** The four places of a key; a text that no header can hold has only the last. */
const POSITIONS: readonly ((key: string) => { headers?: Record<string, string>; query?: string })[] = [
  (key) => ({ headers: { authorization: `Bearer ${key}` } }),
  (key) => ({ headers: { 'x-api-key': key } }),
  (key) => ({ headers: { 'x-goog-api-key': key } }),
  (key) => ({ query: `?key=${encodeURIComponent(Buffer.from(key).toString())}` }),
];

/** A text as its UTF-8 bytes in a header; undefined where it holds what a header cannot. */
function inHeader(text: string): string | undefined {
  const bytes = Buffer.from(text).toString('latin1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that no header may hold
  return /[\x00-\x08\x0a-\x1f\x7f]/.test(bytes) ? undefined : bytes;
}

describe.each(DIALECTS)('%s: whatever is sent as a key', (dialect) => {
  test('gets one and the same 401 (hardening.md rows 14, 25)', async () => {
    expect(NAUGHTY.length).toBeGreaterThan(330);
    const { path, body } = ASK[dialect]('m');
    const answers = new Map<string, string>();
    const tried = share([...NAUGHTY.entries()], DIALECTS.indexOf(dialect));
    const tasks = tried.flatMap(([index, text]) =>
      POSITIONS.flatMap((place, position) => {
        // Each text is tried in each place; the dialects take turns.
        if ((index + position) % DIALECTS.length !== DIALECTS.indexOf(dialect)) return [];
        const written = position === POSITIONS.length - 1 ? text : inHeader(text);
        if (written === undefined) return [];
        const { headers = {}, query = '' } = place(written);
        return async () => {
          const told = await ask(path + query, 'POST', headers, body);
          answers.set(`${told.status}\n${told.head}\n${told.text}`, text);
        };
      }),
    );
    await inParallel(tasks, 16);
    // Some texts are such as no header can hold.
    expect(tasks.length).toBeGreaterThan(0.8 * tried.length);
    expect([...answers.keys()]).toHaveLength(1);
    const [only = ''] = answers.keys();
    expect(only).toMatch(/^401\n/);
    messageOf(dialect, JSON.parse(only.slice(only.lastIndexOf('\n') + 1)));
    expect(recorder.seen).toEqual([]);
  });
});

/** What needs no key: operations, of which the metrics look at the connection, pictures, whose id is the permission, and a page. */
const OPEN = ['/', '/healthz', '/media/{id}', '/metrics', '/playground', '/readyz'];

test('every route asks for the key, and for the right to the model (hardening.md rows 2, 20)', async () => {
  const failures: unknown[] = [];
  let called = 0;
  const opened = probesOf('m').flatMap(({ name, open }) => (open ? [name.replace(/^\w+ /, '')] : []));
  expect([...new Set(opened)].sort()).toEqual(OPEN);
  for (const { name, method, path, body, open } of probesOf('m')) {
    const status = async (headers: Record<string, string>) => {
      recorder.seen.length = 0;
      const told = await ask(path, method, headers, body);
      return { ...told, called: recorder.seen.length };
    };
    const none = await status({});
    const bad = await status({ authorization: 'Bearer nobody-has-this-key' });
    const limited = await status({ authorization: `Bearer ${LIMITED}` });
    const good = await status({ authorization: `Bearer ${GOOD}` });
    called += good.called;
    const found = [none.status, bad.status, limited.status, good.status];
    if (open) {
      // What is open may be absent or elsewhere; a key makes no difference.
      if (found.some((one) => one !== none.status || ![200, 308, 404].includes(one))) failures.push([name, found]);
      continue;
    }
    if (none.status !== 401 || bad.status !== 401 || none.called + bad.called > 0) failures.push([name, found]);
    if (none.text !== bad.text || none.head !== bad.head) failures.push([name, 'refusals differ']);
    if (good.status === 401 || good.status === 403) failures.push([name, found]);
    // Without the right to the model nothing is called for it, and nothing tells that it exists.
    const lists = limited.status === 200 && !limited.text.includes('"m"');
    if ((!lists && ![400, 403, 404, 415].includes(limited.status)) || limited.called > (lists ? 1 : 0)) {
      failures.push([name, found, limited.called]);
    }
    if (body !== undefined && good.status === 200 && limited.status !== 403) failures.push([name, found, 'the model']);
  }
  expect(failures).toEqual([]);
  expect(called).toBeGreaterThan(5);
});

test('keys that begin alike are told apart (hardening.md row 15)', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => ({
    name: `tenant-${index}`,
    key: `${'shared-beginning-of-all-these-keys-'.repeat(2).slice(0, 8 + (index % 53))}${String(index).padStart(8, '0')}`,
  }));
  const config = parseConfig({ backends: { a: { dialect: 'messages', simulator: true } }, keys });
  const access = createAccess(config, { insecure: false });
  const callOf = (key: string) => ({ request: { headers: { 'x-api-key': key } }, query: '' }) as unknown as ClientCall;
  for (const { name, key } of keys.filter((_, index) => index % 7 === 0)) {
    const call = callOf(key);
    access.admit(call);
    expect(call.key?.name).toBe(name);
    for (const wrong of [key.slice(0, -1), `${key}x`, key.toUpperCase(), key.slice(1), `${key}\u0000`]) {
      expect(() => access.admit(callOf(wrong))).toThrow('a valid API key is required');
    }
  }
});

describe('a configuration with a key that is none does not start (hardening.md rows 18, 19)', () => {
  const parsed = (keys: unknown, apiKey?: unknown) => () =>
    parseConfig({ backends: { a: { dialect: 'messages', baseUrl: 'http://x.example', apiKey } }, keys });

  test.each([
    '',
    ' ',
    '\t',
    '\n',
    'undefined',
    'null',
    'None',
    'UNDEFINED',
    ' undefined',
    'a b',
    'ä'.repeat(20),
    'short',
    'x'.repeat(15),
  ])('%j as the key of a caller', (key) => expect(parsed([{ name: 'a', key }])).toThrow());
  test.each([null, 0, {}, [], true])('%j as the key of a caller', (key) =>
    expect(parsed([{ name: 'a', key }])).toThrow(),
  );
  test.each(['', ' ', 'undefined', 'null', 'none', 'a\nb'])('%j as the key of a backend', (key) =>
    expect(parsed([], key)).toThrow(),
  );
  test('no key at all, no digest, an empty digest, both', () => {
    const digest = '0'.repeat(64);
    for (const one of [{}, { sha256: '' }, { sha256: 'x'.repeat(64) }, { key: GOOD, sha256: digest }]) {
      expect(parsed([{ name: 'a', ...one }])).toThrow();
    }
    expect(parsed([{ name: 'a', sha256: digest }])).not.toThrow();
  });
  test('what nobody configures is on loopback', () => {
    expect(parseConfig({ backends: { a: { dialect: 'messages', simulator: true } } }).listen.host).toBe('127.0.0.1');
  });
});

test('a configuration takes no field that it does not know, at any depth (hardening.md row 16)', () => {
  const whole = {
    backends: { a: { dialect: 'messages', baseUrl: 'http://x.example', timeouts: {}, breaker: {}, profile: {} } },
    models: { m: { backend: 'a' } },
    keys: [{ name: 'k', key: GOOD }],
    limits: {},
    media: {},
    store: { type: 'memory' },
    log: {},
    listen: {},
  };
  expect(() => parseConfig(whole)).not.toThrow();
  const objects = (node: unknown): Record<string, unknown>[] =>
    typeof node !== 'object' || node === null
      ? []
      : [...(Array.isArray(node) ? [] : [node as Record<string, unknown>]), ...Object.values(node).flatMap(objects)];
  const count = objects(whole).length;
  for (let index = 0; index < count; index += 1) {
    for (const field of ['admin', 'role', 'isAdmin', 'permissions']) {
      const copy = structuredClone(whole);
      const at = objects(copy)[index] ?? {};
      // Where names are the operator's own, a boolean is no entry.
      at[field] = true;
      expect(() => parseConfig(copy)).toThrow();
    }
  }
});

test('what a caller stores holds no field of the gateway’s own (hardening.md row 16)', async () => {
  const more = {
    owner: 'good',
    tenant: 'x',
    key: 'limited',
    v: 99,
    frames: [],
    pieces: 9,
    state: 'own',
    user_role: 'admin',
  };
  const made = await ask('/v1/responses', 'POST', { 'x-api-key': GOOD }, { model: 'm', input: 'Hello', ...more });
  expect(made.status).toBe(200);
  const { id } = JSON.parse(made.text);
  recorder.seen.length = 0;
  const foreign = await ask(`/v1/responses/${id}`, 'GET', { 'x-api-key': LIMITED });
  expect([foreign.status, recorder.seen.length]).toEqual([404, 0]);
});

test('parameters of lists have limits and know no patterns (hardening.md row 22)', async () => {
  const bodies = new Map<string, unknown>();
  for (const value of [
    '%',
    '_',
    '*',
    '.*',
    '(a+)+$',
    '%'.repeat(8000),
    '99999999999999999999',
    '-1',
    '1e9',
    'NaN',
    '',
    '\u0000',
  ]) {
    for (const path of ['/v1/videos', '/v1/responses/resp_il0123456789abcdef/input_items', '/v1/models']) {
      for (const name of ['limit', 'after', 'order', 'before', 'search', 'q', 'filter', 'pageSize', 'pageToken']) {
        const { status, text } = await ask(`${path}?${name}=${encodeURIComponent(value)}`, 'GET', {
          'x-api-key': GOOD,
        });
        if (status >= 500 || status === 401 || text.length > 10_000)
          bodies.set(`${path} ${name}=${value.slice(0, 20)}`, status);
      }
    }
  }
  expect([...bodies]).toEqual([]);
});
