import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inParallel } from '../../backend/faults/cells.js';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import { share } from '../../support/runs.js';
import { wholeFor } from './answers.js';
import { probesOf } from './surface.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
  const backend = { baseUrl: recorder.url, retries: 0, breaker: false } as const;
  gateway = await startGateway({
    backends: Object.fromEntries([
      ...DIALECTS.map((dialect) => [dialect, { ...backend, dialect, apiKey: `sk-own-key-of-${dialect}` }] as const),
      ...DIALECTS.map((dialect) => [`bare-${dialect}`, { ...backend, dialect }] as const),
    ]),
    models: Object.fromEntries(
      DIALECTS.flatMap((name) => [name, `bare-${name}`]).map((name) => [name, { backend: name }]),
    ),
    // Without keys other pages are refused, and nothing goes to a backend.
    listen: { cors: [PAGE] },
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
});

const CANARY = 'client-canary-8e21';
const PAGE = `https://${CANARY}-origin.example`;

/** What a client may have on a request that is nobody's business behind the gateway. */
const NAMES = [
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-connection',
  'cookie',
  'cookie2',
  'set-cookie',
  'referer',
  'origin',
  'from',
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-user',
  'x-forwarded-access-token',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-access-jwt-assertion',
  'x-amz-security-token',
  'x-amzn-oidc-data',
  'x-goog-iap-jwt-assertion',
  'x-goog-user-project',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-session-id',
  'x-user-id',
  'x-vault-token',
  'x-gitlab-token',
  'x-hub-signature',
  'openai-organization',
  'openai-project',
  'anthropic-workspace-id',
  'anthropic-user-profile-id',
  'x-hop-by-hop',
  'keep-alive',
  'x-interlingua-secret',
] as const;

/** What is said to a backend: the form of the body, who calls, and what the dialect itself gives a meaning. */
const ALLOWED = new Set([
  'host',
  'connection',
  'accept-encoding',
  'content-type',
  'content-length',
  'user-agent',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'idempotency-key',
  // The way of a trace, which holds no more than numbers.
  'traceparent',
]);

const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key']);

/** The canaries, each with its name, so that one that gets through names itself. */
function canaries(): Record<string, string> {
  const values = NAMES.map((name) => [
    name,
    name === 'authorization' ? `Bearer ${CANARY}-${name}` : name === 'origin' ? PAGE : `${CANARY}-${name}`,
  ]);
  return { ...Object.fromEntries(values), connection: 'keep-alive, X-Hop-By-Hop, x-user-id, anthropic-beta' };
}

function expectAllowed(bare: boolean): void {
  const own = /^(?:Bearer )?sk-own-key-of-\w+$/;
  const through = recorder.seen.flatMap(({ path, headers, body }) => [
    ...(body.includes(CANARY) || path.includes(CANARY) ? [[path, 'in the path or the body']] : []),
    ...Object.entries(headers).filter(([name, value]) => {
      if (CREDENTIALS.has(name)) return bare || !own.test(String(value));
      return !ALLOWED.has(name) || String(value).includes(CANARY);
    }),
  ]);
  expect(through).toEqual([]);
}

describe.each([
  ['with a key of its own', ''],
  ['without a key, which is called without any', 'bare-'],
])('a backend %s gets no header of the client (hardening.md row 28)', (_name, prefix) => {
  test('through any route', async () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(40);
    const tasks = DIALECTS.flatMap((dialect, turn) =>
      share(probesOf(prefix + dialect), turn).map(({ method, path, body }) => async () => {
        await send(gateway.url, `${path}?key=${CANARY}-query&access_token=${CANARY}-token`, {
          method,
          body,
          headers: canaries(),
        });
      }),
    );
    await inParallel(tasks, 8);
    if (prefix === '') expect(recorder.seen.some(({ method }) => method !== 'POST')).toBe(true);
    expect(recorder.seen.length).toBeGreaterThan(8);
    // A list asks every backend there is.
    if (prefix === 'bare-')
      recorder.seen.splice(0, Infinity, ...recorder.seen.filter(({ method }) => method === 'POST'));
    expectAllowed(prefix === 'bare-');
  });

  test('through streams, and with what names it a hop', async () => {
    for (const client of DIALECTS) {
      for (const backend of DIALECTS) {
        for (const ask of [ASK, STREAM]) {
          const { path, body } = ask[client](prefix + backend);
          const hop = { 'anthropic-beta': `${CANARY}-beta`, 'openai-beta': 'responses=v1' };
          await send(gateway.url, path, {
            body,
            headers: { ...canaries(), ...hop, connection: 'Anthropic-Beta , OpenAI-Beta' },
          });
        }
      }
    }
    expect(recorder.seen.length).toBe(2 * DIALECTS.length ** 2);
    expectAllowed(prefix === 'bare-');
    expect(recorder.seen.filter(({ headers }) => headers['openai-beta'] !== undefined)).toEqual([]);
  });
});
