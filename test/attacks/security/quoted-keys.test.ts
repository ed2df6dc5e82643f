import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';
import {
  AS_SDKS,
  ASK,
  DIALECTS,
  EVENT_STREAM,
  likeVendor,
  type Recorder,
  type Seen,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import {
  ASKED,
  ERROR_PLACES,
  ERRORS,
  framesQuoting,
  PLACES,
  type Place,
  saying,
  wholeQuoting,
} from '../../support/quoting.js';
import { share } from '../../support/runs.js';
import { escaped, toldOf } from './quoted-keys.js';

/**
 * A backend quotes the key it is called with, wherever an answer has a place for it: in no pair a client can read it (configuration.md#access),
 * whole or in a stream, in one piece or in several, escaped or not.
 */

const KEY = 'sk-told.Canary+4f7d0c93b1a2e865';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [
        dialect,
        { ...likeVendor(dialect), baseUrl: recorder.url, apiKey: KEY, retries: 0, breaker: false },
      ]),
    ),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** The key as the backend got it. */
function keyIn({ headers }: Seen): string {
  const { authorization = '' } = headers;
  return authorization.replace(/^Bearer /, '') || String(headers['x-api-key'] ?? headers['x-goog-api-key'] ?? '');
}

/** What is sent of the key, and how it is written. */
interface Form {
  readonly name: string;
  pieces(key: string): string[];
  readonly escapes: boolean;
}

const inTwo =
  (at: number) =>
  (key: string): string[] => [`it is ${key.slice(0, at)}`, `${key.slice(at)}.`];

const FORMS: readonly Form[] = [false, true].flatMap((escapes) =>
  (
    [
      ['in one piece', (key) => [`it is ${key}.`]],
      ['split behind its first character', inTwo(1)],
      ['split behind its third character', inTwo(3)],
      ['split in the middle', inTwo(KEY.length / 2)],
      ['split before its last character', inTwo(KEY.length - 1)],
      ['in characters', (key) => ['it is ', ...key, '.']],
    ] satisfies [string, Form['pieces']][]
  ).map(([name, pieces]) => ({ name: escapes ? `${name}, escaped` : name, pieces, escapes })),
);

/** Without blanks: a name and an id are in one piece. */
const NAMES = FORMS.filter(({ name }) => name.startsWith('in one piece')).map((form) => ({
  ...form,
  pieces: (key: string) => [key],
}));

function formsOf(place: Place): readonly Form[] {
  return place === 'name' || place === 'id' ? NAMES : FORMS;
}

function written(text: string, form: Form, key: string): string {
  if (!form.escapes) return text;
  const parts = form.pieces(key).flatMap((piece) => piece.replace(/^it is |\.$/g, ''));
  const long = parts.filter(({ length }) => length > 2).sort((a, b) => b.length - a.length);
  return escaped(text, long);
}

function answer(response: ServerResponse, status: number, type: object, text: string): void {
  response.writeHead(status, { ...type });
  response.end(text);
}

function asked(client: DialectId, backend: DialectId, streamed: boolean): { path: string; body: object } {
  const { path, body } = (streamed ? STREAM : ASK)[client](backend);
  return { path, body: { ...body, ...ASKED[client] } };
}

/** Ids that are not legal in another dialect are replaced there. */
function crosses(place: Place, client: DialectId, backend: DialectId): boolean {
  return place !== 'id' || client === backend;
}

const JSON_HEAD = { 'content-type': 'application/json' };
const FAILED = tableOf('failureText');

const PAIRS = DIALECTS.flatMap((client) => DIALECTS.map((backend) => [client, backend] as const));

describe.each(share(PAIRS, 2))('a client of %s through a backend of %s', (client, backend) => {
  test.each(PLACES)('whole, %s', async (place) => {
    const { path, body } = asked(client, backend, false);
    for (const form of formsOf(place)) {
      recorder.reply = (response, seen) => {
        const key = keyIn(seen);
        expect(key).toBe(KEY);
        const whole = JSON.stringify(wholeQuoting(backend, saying(place, form.pieces(key))));
        answer(response, 200, JSON_HEAD, written(whole, form, key));
      };
      const { status, text } = await send(gateway.url, path, { body, ...AS_SDKS });
      expect([form.name, toldOf(KEY, text)]).toEqual([form.name, []]);
      if (!crosses(place, client, backend)) continue;
      expect([form.name, status >= 500, text]).toEqual([form.name, true, expect.stringContaining('a secret of')]);
    }
  });

  test.each(PLACES)('streamed, %s', async (place) => {
    const { path, body } = asked(client, backend, true);
    for (const form of formsOf(place)) {
      for (const together of [false, true]) {
        recorder.reply = async (response, seen) => {
          const key = keyIn(seen);
          const frames = framesQuoting(backend, saying(place, form.pieces(key)));
          const pieces = frames.map((frame) => written(frame, form, key));
          response.writeHead(200, EVENT_STREAM);
          for (const piece of together ? [pieces.join('')] : pieces) {
            response.write(piece);
            await new Promise(setImmediate);
          }
          response.end();
        };
        const { status, text } = await send(gateway.url, path, { body, ...AS_SDKS });
        expect([form.name, toldOf(KEY, text)]).toEqual([form.name, []]);
        if (!crosses(place, client, backend)) continue;
        expect([form.name, text]).toEqual([form.name, expect.stringContaining('a secret of')]);
        if (status === 200) expect(text).toContain(FAILED[client]);
      }
    }
  });

  test.each(ERROR_PLACES)('in an error, %s', async (place) => {
    for (const streamed of [false, true]) {
      for (const status of [200, 400, 404, 500]) {
        for (const form of NAMES) {
          recorder.reply = (response, seen) => {
            const key = keyIn(seen);
            const text = written(JSON.stringify(ERRORS[backend](place, key)), form, key);
            const [first = ''] = framesQuoting(backend, saying('text', ['Hello']));
            if (status !== 200) answer(response, status, JSON_HEAD, text);
            else if (streamed) answer(response, 200, EVENT_STREAM, `${first}event: error\ndata: ${text}\n\n`);
            else answer(response, 200, JSON_HEAD, text);
          };
          const { path, body } = streamed ? STREAM[client](backend) : ASK[client](backend);
          const given = await send(gateway.url, path, { body, ...AS_SDKS });
          expect([status, form.name, toldOf(KEY, given.text)]).toEqual([status, form.name, []]);
          expect(toldOf(KEY, JSON.stringify(given.headers))).toEqual([]);
        }
      }
    }
  });

  test('in headers', async () => {
    const names = ['request-id', 'x-request-id', 'retry-after', 'x-ratelimit-limit-requests', 'openai-organization'];
    for (const streamed of [false, true]) {
      const { path, body } = streamed ? STREAM[client](backend) : ASK[client](backend);
      for (const form of NAMES) {
        recorder.reply = (response, seen) => {
          const value = written(keyIn(seen), form, keyIn(seen));
          const heads = Object.fromEntries([...names, 'anthropic-ratelimit-x'].map((name) => [name, value]));
          const said = saying('text', ['Hello']);
          if (streamed) {
            answer(response, 200, { ...heads, ...EVENT_STREAM }, framesQuoting(backend, said).join(''));
          } else answer(response, 200, { ...heads, ...JSON_HEAD }, JSON.stringify(wholeQuoting(backend, said)));
        };
        const { status, headers } = await send(gateway.url, path, { body, ...AS_SDKS });
        expect(status).toBe(200);
        expect(toldOf(KEY, JSON.stringify(headers))).toEqual([]);
      }
    }
  });
});
