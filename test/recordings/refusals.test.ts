import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import { translateRequest } from '../../translators/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import {
  type Answer,
  AS_SDKS,
  ASK,
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { share } from '../support/runs.js';
import { until } from '../support/until.js';
import { backendsAt, bytesOf, type Exchanged, type Fate, modelOf, REFUSALS } from './recordings.js';
import { errorTextIn } from './said.js';

/** What real servers refused: what clients are told of it, and what becomes of requests such as those. */

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let recorder: Recorder;
/** One for each dialect of clients: what some learn is nothing to the others. */
let gateways: ReadonlyMap<FakeDialectName, TestGateway>;

beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());
beforeEach(() => {
  recorder.seen.length = 0;
});

/** Opens the gateways for the tests of a group. */
function beforeGateways(): void {
  beforeAll(async () => {
    const config = { ...backendsAt(recorder.url, REFUSALS), media: { allowPrivate: ['127.0.0.1'] } };
    gateways = new Map(await Promise.all(FAKE_DIALECTS.map(async (id) => [id, await startGateway(config)] as const)));
  });
  afterAll(() => Promise.all([...gateways.values()].map((gateway) => gateway.close())));
}

function ask(
  client: FakeDialectName,
  { path, body }: { readonly path: string; readonly body: unknown },
): Promise<Answer> {
  return send(gateways.get(client)?.url ?? '', path, { body, ...AS_SDKS });
}

const isStreamed = ({ response }: Exchanged): boolean => response.events !== undefined;

/** The plain request of a client, in the form of the recorded one. */
function plain(recording: Exchanged, client: FakeDialectName) {
  return (isStreamed(recording) ? STREAM : ASK)[client](modelOf(recording));
}

const ROWS = REFUSALS.flatMap((recording) =>
  FAKE_DIALECTS.map((client) => ({ name: recording.name, recording, client })),
);
const TITLE = '$name: a client of $client';

describe('every client gets an error of its own, in the words of the server, and the server is called again', () => {
  beforeGateways();

  const dataIn = (event = ''): unknown => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? 'null');

  /** What a server says of the places in its own code is nothing to clients, and a failure without a reason has no words. */
  function words({ response: { body, events = [] }, name }: Exchanged): string {
    if (name.endsWith('wrong-model')) return 'nope';
    const said = errorTextIn(body ?? dataIn(events[0]));
    return said === 'Internal Server Error' ? 'failed' : said.replace(/\n+[ \t]*File "[\s\S]*$/, '');
  }

  /** A 500 that names a mistake is one; two services have another status for some refusals, and those in streams have none. */
  function statuses({ response: { status } }: Exchanged, said: string): readonly number[] {
    if (status === 500 && said !== 'failed') return [400];
    return [200, 404, 422].includes(status) ? [status, 400] : [status];
  }

  /** What a client is told; a relayed error has the members that its server gave it. */
  function told({ dialect }: Exchanged, client: FakeDialectName, { body, text }: Answer): string {
    return client === dialect ? errorTextIn(body ?? dataIn(text)) : messageOf(client, body);
  }

  test.each(share(ROWS))(TITLE, async ({ recording, client }) => {
    const { status, headers } = recording.response;
    recorder.reply = (response) => response.writeHead(status, headers).end(bytesOf(recording));
    const said = words(recording);
    for (let times = 0; times < 6; times += 1) {
      const answer = await ask(client, plain(recording, client));
      expect(statuses(recording, said)).toContain(answer.status);
      expect(told(recording, client, answer)).toContain(said);
      if (headers['retry-after'] !== undefined) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(recorder.seen.length).toBeGreaterThanOrEqual(6);
  });
});

/** The values at a JSON pointer in which `*` stands for any entry of a list. */
function valuesAt(value: unknown, pointer: string): unknown[] {
  const [, key, rest = ''] = /^\/([^/]+)(.*)$/.exec(pointer) ?? [];
  if (key === undefined) return [value];
  if (key === '*') return Array.isArray(value) ? value.flatMap((entry) => valuesAt(entry, rest)) : [];
  const object = Object(value);
  return key in object ? valuesAt(object[key], rest) : [];
}

const ajv = new Ajv({ strict: false });
const compiled = new Map<object, ValidateFunction>();

/** Whether the server of a recording refuses a request with this body. */
function isRefused({ refuses }: Exchanged, body: unknown): boolean {
  if (refuses === undefined) return false;
  const validate = compiled.get(refuses) ?? ajv.compile(refuses.schema);
  compiled.set(refuses, validate);
  return valuesAt(body, refuses.at).some((value) => validate(value));
}

/** Only who is busy refuses whatever it is asked. */
const CLEAR = REFUSALS.filter(({ response }) => response.status !== 429);

test.each(CLEAR)('$name refuses what it says', (recording) => {
  expect(isRefused(recording, recording.request.body)).toBe(true);
  expect(Object.keys(recording.ours ?? {})).not.toEqual([]);
});

/** The request of a client that wants what the recorded one wants. */
function wanted(recording: Exchanged, client: FakeDialectName) {
  const { dialect, request } = recording;
  const model = modelOf(recording);
  const { path } = plain(recording, client);
  if (typeof request.body === 'string') return { path, body: request.body };
  // It names the recorder where a server was.
  const body = { ...JSON.parse(JSON.stringify(request.body).replace('http://SERVER', recorder.url)), model };
  if (client === dialect) return { path, body };
  const translated = Object(translateRequest({ from: dialect, to: client, body, model: 'm' }).body);
  return { path, body: 'model' in translated ? { ...translated, model } : translated };
}

/** What became of a request: how often the server was asked, and how often it refused. */
interface Outcome {
  readonly status: number;
  readonly asked: number;
  readonly refused: number;
}

async function outcomeOf(
  recording: Exchanged,
  client: FakeDialectName,
  request: Parameters<typeof ask>[1],
): Promise<Outcome> {
  const { dialect, response: refusal } = recording;
  let asked = 0;
  let refused = 0;
  recorder.reply = (response, { method, body }) => {
    if (method === 'GET') return void response.writeHead(200).end(Buffer.from(PICTURE, 'base64'));
    const sent = JSON.parse(body);
    asked += 1;
    if (isRefused(recording, sent)) {
      refused += 1;
      response.writeHead(refusal.status, refusal.headers).end(bytesOf(recording));
    } else if (sent.stream === true) response.writeHead(200, EVENT_STREAM).end(FRAMES[dialect]('Hi').join(''));
    else json(response, 200, WHOLE[dialect]('Hi'));
  };
  const { status } = await ask(client, request);
  // Answers in the background are made afterwards.
  if (status === 200) await until(() => asked > 0);
  return { status, asked, refused };
}

const OUTCOMES: Readonly<Record<Fate, readonly Outcome[]>> = {
  avoids: [{ status: 200, asked: 1, refused: 0 }],
  learns: [
    { status: 200, asked: 2, refused: 1 },
    { status: 200, asked: 1, refused: 0 },
  ],
  stops: [{ status: 400, asked: 0, refused: 0 }],
  told: [{ status: 400, asked: 1, refused: 1 }],
  failure: [{ status: 500, asked: 1, refused: 1 }],
};

describe('requests such as those refused', () => {
  beforeGateways();

  const rows = ROWS.flatMap((row) => {
    const { ours = {} } = row.recording;
    const fate = ours[row.client] ?? ours['*'];
    return fate === undefined ? [] : [{ ...row, fate }];
  });

  test.each(rows)(`${TITLE}, $fate`, async ({ recording, client, fate }) => {
    for (const expected of OUTCOMES[fate]) {
      const { status, ...counts } = await outcomeOf(recording, client, wanted(recording, client));
      expect({ status: status === 404 ? 400 : status, ...counts }).toEqual(expected);
    }
  });
});

describe('plain requests run into none of them', () => {
  beforeGateways();

  const rows = ROWS.filter(({ recording }) => recording.refuses?.at !== '/model' && recording.refuses !== undefined);
  test.each(share(rows))(TITLE, async ({ recording, client }) => {
    const outcome = await outcomeOf(recording, client, plain(recording, client));
    expect(outcome).toEqual({ status: 200, asked: 1, refused: 0 });
  });
});
