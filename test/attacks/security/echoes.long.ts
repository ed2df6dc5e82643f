import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRedactor } from '../../../src/ground/redact.js';
import { indiscretion, KEY_FORMS, leaksIn } from '../../backend/faults/canaries.js';
import { expectLateFailure } from '../../backend/faults/checks.js';
import { wordsOf } from '../../backend/faults/told.js';
import { tableOf } from '../../support/dialects/index.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  type Sending,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';
import { PAIRS } from '../../support/pairs.js';
import { share } from '../../support/runs.js';
import { wholeFor } from './answers.js';

/** A key that a header may hold in its name as well. */
const KEY = 'sk-echo.Canary-4f7d0c93b1a2e865';
const FORMS = [
  KEY,
  KEY.toLowerCase(),
  KEY.toUpperCase(),
  encodeURIComponent(KEY),
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('base64url'),
  // As the middle of a longer text, at each place within a group of base64.
  ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}:${KEY}:x`).toString('base64')),
  KEY.slice(0, 8),
  KEY.slice(-8),
];
/** What is left of a form in a text that holds it; headers come in lower case. */
const SECRETS = [KEY, KEY.slice(0, 8), KEY.slice(-8), ...[0, 1, 2].map(core)].map((text) => text.toLowerCase());

function core(before: number): string {
  return Buffer.from(`${'x'.repeat(before)}${KEY}`)
    .toString('base64')
    .slice(4, -4);
}

let recorder: Recorder;
let gateway: TestGateway;
let host = '';

beforeAll(async () => {
  recorder = await startRecorder();
  ({ host } = new URL(recorder.url));
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url, apiKey: KEY, retries: 0, breaker: false }]),
    ),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    media: { allowPrivate: ['127.0.0.1'] },
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

/** Headers of an answer that tell the key, in values and in names; each may be relayed but for that. */
function leaky(form: string): Record<string, string> {
  const named = /^[\w.-]+$/.test(form)
    ? { [`x-ratelimit-${form}`]: '1', [`anthropic-ratelimit-${form}-limit`]: '1' }
    : {};
  return {
    ...named,
    'request-id': `req-${form}`,
    'x-request-id': form,
    'openai-version': form,
    'openai-processing-ms': form,
    'x-should-retry': form,
    'x-ratelimit-limit-requests': form,
    'anthropic-ratelimit-requests-limit': form,
    'anthropic-priority-input-tokens-limit': form,
    'retry-after': form,
    'retry-after-ms': form,
    'set-cookie': `key=${form}`,
    'www-authenticate': `Bearer realm="${form}"`,
    location: `http://${host}/?key=${form}`,
    'content-location': `http://${host}/${form}`,
    link: `<http://${host}/${form}>`,
    server: `${host} ${form}`,
    via: `1.1 ${host}`,
    'x-debug': form,
  };
}

function expectNoSecret(name: unknown, answer: { headers: object; text: string }, headOnly = false): void {
  const text = (JSON.stringify(answer.headers) + (headOnly ? '' : answer.text)).toLowerCase();
  expect([name, [...SECRETS, host].filter((secret) => text.includes(secret))]).toEqual([name, []]);
}

test.each(PAIRS)(
  'headers of a success tell no key, %s client, %s backend (hardening.md row 26)',
  async (client, backend) => {
    for (const form of share(FORMS, DIALECTS.indexOf(client))) {
      for (const stream of [false, true]) {
        recorder.reply = (response) => {
          const type = stream ? 'text/event-stream' : 'application/json';
          response.writeHead(200, `OK ${form}`, { 'content-type': `${type}; x="${form}"`, ...leaky(form) });
          response.end(stream ? FRAMES[backend]('hello').join('') : JSON.stringify(WHOLE[backend]('hello')));
        };
        const { path, body } = (stream ? STREAM : ASK)[client](backend);
        const answer = await send(gateway.url, path, { body });
        expect(answer.status).toBe(200);
        expect(answer.text).toContain('hel');
        expectNoSecret([form, stream], answer);
      }
    }
  },
);

test.each(DIALECTS)('a failed answer that comes as a success tells no key, %s', async (dialect) => {
  for (const form of FORMS) {
    const message = `Wrong key ${form} for ${host}`;
    const failed = { ...WHOLE[dialect](''), status: 'failed', error: { code: 'server_error', message } };
    recorder.reply = (response) => json(response, 200, failed);
    const { path, body } = ASK[dialect](dialect);
    expectNoSecret(form, await send(gateway.url, path, { body }));
  }
});

/** Everything that is fetched for a caller, and passed on as it came. */
const FETCHED: readonly (readonly [string, string, Sending])[] = [
  ['an answer that a backend keeps', '/v1/responses/resp_1', {}],
  ['its stream', '/v1/responses/resp_1?stream=true', {}],
  ['its input', '/v1/responses/resp_1/input_items', {}],
  ['its end', '/v1/responses/resp_1/cancel', { method: 'POST' }],
  ['its deletion', '/v1/responses/resp_1', { method: 'DELETE' }],
  ['models', '/v1/models', {}],
  ['a list of videos', '/v1/videos', {}],
  ['pictures', '/v1/images/generations', { body: { model: 'responses', prompt: 'x' } }],
  ['a stream of pictures', '/v1/images/generations', { body: { model: 'responses', prompt: 'x', stream: true } }],
];

describe.each(FETCHED)('%s', (_name, path, sending) => {
  test.each([200, 302, 400, 401, 404, 500])('with %d tells no key', async (status) => {
    for (const form of [KEY, FORMS.join(' ')]) {
      const error = {
        message: `Wrong key ${form} at https://${host}/`,
        type: 'invalid_request_error',
        param: null,
        code: null,
      };
      recorder.reply = (response, { path: asked }) => {
        const streamed = /stream/.test(path) || JSON.stringify(sending).includes('stream');
        if (status === 200 && streamed) {
          response.writeHead(200, `OK ${form}`, { ...EVENT_STREAM, ...leaky(form) });
          response.write(FRAMES.responses('hello').slice(0, 5).join(''));
          response.end(
            `event: error\ndata: ${JSON.stringify({ ...error, type: 'error', sequence_number: 5, error })}\n\n`,
          );
          return;
        }
        response.writeHead(status, `Said ${form}`, { 'content-type': `application/json; x="${form}"`, ...leaky(form) });
        response.end(JSON.stringify(status === 200 ? { ...wholeFor(asked), status: 'failed', error } : { error }));
      };
      const answer = await send(gateway.url, path, sending);
      expectNoSecret(form, answer);
      // A redirect is followed by nobody, and passed on to nobody.
      if (status === 302 && path !== '/v1/models') expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });
});

test('a video, its failure and its file tell no key (hardening.md rows 26, 27)', async () => {
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
  const { body } = await send(gateway.url, '/v1/videos', { body: { model: 'responses', prompt: 'x' } });
  for (const form of share(FORMS)) {
    const message = `Wrong key ${form} at https://${host}/`;
    for (const [status, task] of [
      [200, { status: 'failed', error: { code: 'x', message } }],
      [200, { status: 'completed', url: `https://${host}/file?key=${form}`, completed_at: 2 }],
      [200, { status: 'completed', url: `https://cdn.example/file?token=${form}`, completed_at: 2 }],
      [401, { error: { message, type: 'x', param: null, code: null } }],
      [400, { error: { message, type: 'x', param: null, code: null } }],
      [302, {}],
    ] as const) {
      recorder.reply = (response) => {
        response.writeHead(status, `Said ${form}`, { 'content-type': `application/json; x="${form}"`, ...leaky(form) });
        response.end(JSON.stringify({ ...wholeFor('/v1/videos'), ...task }));
      };
      for (const path of [
        `/v1/videos/${body.id}`,
        `/v1/video/generations/${body.id}`,
        `/v1/videos/${body.id}/content`,
      ]) {
        expectNoSecret([form, status, path], await send(gateway.url, path));
      }
    }
    recorder.reply = (response) => {
      response.writeHead(200, `OK ${form}`, { 'content-type': `video/mp4; x="${form}"`, ...leaky(form) });
      response.end('film');
    };
    const file = await send(gateway.url, `/v1/videos/${body.id}/content`);
    expect([file.status, file.text]).toEqual([200, 'film']);
    expectNoSecret(form, file);
  }
});

const OPENING = tableOf('openingFrames');
const ERRORS = tableOf('errorEvent');

describe('a refusal of our own key behind the first words is a failure of the backend, not of the caller', () => {
  test.each(PAIRS.filter(([client, backend]) => client !== backend))(
    '%s client, %s backend',
    async (client, backend) => {
      // Inside a stream of OpenAI nothing tells a missing permission from a bad request.
      for (const kind of backend === 'responses' || backend === 'chatCompletions'
        ? (['authentication'] as const)
        : (['authentication', 'permission'] as const)) {
        const frames = FRAMES[backend]('hello');
        const opening = frames.slice(0, OPENING[backend]);
        const { body } = wordsOf(backend, kind, indiscretion(host));
        const [name, data] = ERRORS[backend](body, 5);
        recorder.reply = (response) => {
          response.writeHead(200, EVENT_STREAM);
          // Both in one piece would be told with a status of its own.
          response.write(opening.join(''));
          setTimeout(
            () => response.end(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`),
            50,
          );
        };
        const { path, body: asked } = STREAM[client](backend);
        const answer = await send(gateway.url, path, { body: asked, mayBreak: true });
        expect(answer.text).not.toMatch(/authenticat|permission|api_key|UNAUTHENTICATED/i);
        expectLateFailure(client, 'stream', { ...answer, head: '', ms: 0 }, 'upstream', 'hel');
        expect(leaksIn(answer.text, host)).toEqual([]);
      }
    },
  );
});

test('the redactor knows a key in every form, in any case, and inside of longer base64', () => {
  const redact = createRedactor({
    backends: {
      b: { apiKey: KEY, baseUrl: 'https://Upstream.Example:8443', headers: { 'x-auth': 'Bearer header-secret-1234' } },
    } as never,
  });
  for (const form of [...FORMS, 'UPSTREAM.example', 'header-secret-1234', KEY_FORMS.length > 0 ? KEY : '']) {
    const shown = redact(`before ${form} after`).toLowerCase();
    expect([form, SECRETS.filter((secret) => shown.includes(secret)), shown.includes('upstream.example')]).toEqual([
      form,
      [],
      false,
    ]);
    expect(shown).toMatch(/^before .*\[redacted\].* after$/);
  }
  expect(redact('nothing of it')).toBe('nothing of it');
});
