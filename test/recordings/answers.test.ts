import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { objectOf } from '../../src/simulator/rules/index.js';
import { createStreamTranslator, translateResponse } from '../../translators/index.js';
import { lawTableOf } from '../laws/dialects/index.js';
import { readers } from '../laws/streams/readers/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { type Recorder, startGateway, startRecorder, type TestGateway } from '../support/gateway/harness.js';
import { share } from '../support/runs.js';
import { createSession, describeError, type ToolSpec } from '../support/sessions/index.js';
import type { Turn } from '../support/sessions/session.js';
import { ANSWERS, backendsAt, bytesOf, type Exchanged, modelOf, streamOf } from './recordings.js';
import { type Said, saidBy, wholeOf } from './said.js';

/** What real servers answered, to clients of every dialect. */

/** What a recording says, read by the wire sheets. */
function expected({ dialect, response: { body, events } }: Exchanged): Said {
  return saidBy(dialect, events === undefined ? objectOf(body) : wholeOf(dialect, events));
}

const STREAMS = ANSWERS.filter(({ response }) => response.events !== undefined);
const WHOLE = ANSWERS.filter(({ response }) => response.events === undefined);
const CONTEXT = { model: 'm', now: 1_760_000_000, nonce: 'recorded' };

/** What a client has of a stream that came in these pieces. */
function streamed({ dialect }: Exchanged, client: FakeDialectName, pieces: Iterable<Uint8Array | string>): string {
  const translator = createStreamTranslator({ from: dialect, to: client, stream: true, ...CONTEXT });
  let text = '';
  for (const piece of pieces) text += translator.push(piece);
  return text + translator.end();
}

/** What a client of another dialect has at the end of a stream. */
function heardBy(client: FakeDialectName, text: string): Said {
  const { final, error } = readers[client](text);
  if (final === undefined) throw new Error(`the stream ends in an error: ${JSON.stringify(error)}`);
  return saidBy(client, final);
}

/** Counts where none are told are zeros in dialects that must have some. */
const NOTHING = { input: 0, output: 0, cached: 0 };
const counting = (said: Said): Said => ({ usage: NOTHING, ...said });

const others = (dialect: FakeDialectName): FakeDialectName[] => FAKE_DIALECTS.filter((id) => id !== dialect);

/** The event behind which a stream may be cut: it says how the answer ends. */
const FINISH = /"(?:stop_reason|finish_reason)": ?"|"type": ?"response\.(?:completed|incomplete)"/;

const finishIn = (events: readonly string[]): number => events.findIndex((event) => FINISH.test(event));

const RELAYED_FAILURE = lawTableOf('relayedFailure');

test('there is something of each kind', () => {
  for (const list of [STREAMS, WHOLE])
    expect([...new Set(list.map(({ dialect }) => dialect))].sort()).toEqual([
      'chatCompletions',
      'messages',
      'responses',
    ]);
  const said = ANSWERS.map(expected);
  expect(said.filter(({ calls }) => calls.length > 0).length).toBeGreaterThan(9);
  expect(said.filter(({ thoughts }) => thoughts !== '').length).toBeGreaterThan(5);
  expect([...new Set(said.map(({ finish }) => finish))].sort()).toEqual(['calls', 'end', 'length']);
});

test.each(WHOLE)('$name: clients of other dialects get what it says', (recording) => {
  const { dialect, response } = recording;
  for (const client of others(dialect)) {
    const { body } = translateResponse({ from: dialect, to: client, body: response.body, ...CONTEXT });
    const heard = saidBy(client, JSON.parse(JSON.stringify(body)));
    expect([client, counting(heard)]).toEqual([client, counting(expected(recording))]);
  }
});

describe.each(STREAMS.map((recording, turn) => ({ ...recording, recording, turn })))('$name', ({ recording, turn }) => {
  const { dialect } = recording;
  const text = String(streamOf(recording));

  test('at once and byte by byte, clients of other dialects get what it says', () => {
    for (const client of others(dialect)) {
      const heard = streamed(recording, client, [text]);
      expect([client, counting(heardBy(client, heard))]).toEqual([client, counting(expected(recording))]);
      for (const bytes of share([Buffer.from(text)], turn)) {
        const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
        expect(streamed(recording, client, pieces)).toBe(heard);
      }
    }
    expect(streamed(recording, dialect, [text]).startsWith(text)).toBe(true);
  });

  test('cut between its events, it is an error until its finish was seen', () => {
    const { events = [] } = recording.response;
    const finish = finishIn(events);
    expect(finish).toBeGreaterThan(0);
    for (const cut of share([...events.keys()], turn)) {
      const came = events.slice(0, cut).map((event) => `${event}\n\n`);
      for (const client of FAKE_DIALECTS) {
        const heard = streamed(recording, client, came);
        const failed =
          client === dialect
            ? cut > 0 && RELAYED_FAILURE[client].test(heard.slice(came.join('').length))
            : readers[client](heard).error !== undefined;
        expect([client, cut, failed]).toEqual([client, cut, cut <= finish && (client !== dialect || cut > 0)]);
      }
    }
  });
});

const OBJECT = { type: 'object', additionalProperties: false } as const;
const TOOLS: readonly ToolSpec[] = ['get_weather', 'get_time'].map((name) => ({
  name,
  description: 'of a city',
  parameters: { ...OBJECT, properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
}));

/** What an official client has. */
function heardBySdk({ text, reasoning = '', calls, finish, usage }: Turn): Said {
  return {
    text,
    thoughts: reasoning,
    calls: calls.map(({ name, args }) => ({ name, args })),
    finish: finish !== 'stop' && finish !== 'end' ? finish : calls.length > 0 ? 'calls' : 'end',
    usage: { input: usage.input, output: usage.output, cached: usage.cached ?? 0 },
  };
}

describe('through a gateway, to official clients', () => {
  let recorder: Recorder;
  let gateway: TestGateway;
  beforeAll(async () => {
    recorder = await startRecorder();
    gateway = await startGateway(backendsAt(recorder.url, ANSWERS));
  });
  afterAll(() => Promise.all([gateway.close(), recorder.close()]));

  /** Answers as the server did, in one piece or in as many as it has bytes. */
  const replay = (recording: Exchanged, bytewise: boolean) => (response: ServerResponse) => {
    const { status, headers } = recording.response;
    response.writeHead(status, headers);
    if (bytewise) for (const byte of Buffer.from(bytesOf(recording))) response.write(Uint8Array.of(byte));
    response.end(bytewise ? undefined : bytesOf(recording));
  };

  /** Answers with the first half of the events that lead to the finish, and breaks the connection. */
  const breakOff = (recording: Exchanged) => (response: ServerResponse) => {
    const { status, headers, events = [] } = recording.response;
    const half = events.slice(0, Math.ceil(finishIn(events) / 2)).map((event) => `${event}\n\n`);
    response.writeHead(status, headers).write(half.join(''), () => response.destroy());
  };

  const rows = ANSWERS.flatMap((recording) =>
    FAKE_DIALECTS.map((client) => ({ name: recording.name, recording, client })),
  );
  test.each(share(rows))('$name: a client of $client', async ({ recording, client }) => {
    const stream = recording.response.events !== undefined;
    // Chat completions have no name for thoughts, and the client does not know those that servers use.
    const nameless = client === 'chatCompletions' && recording.dialect === client;
    const said = { ...counting(expected(recording)), ...(nameless && { thoughts: '' }) };
    for (const bytewise of stream ? [false, true] : [false]) {
      recorder.seen.length = 0;
      recorder.reply = replay(recording, bytewise);
      const session = createSession(client, gateway.url, {
        model: modelOf(recording),
        tools: TOOLS,
        reasoning: true,
      });
      session.user('Go on.');
      const turn = await session.send({ stream });
      expect(recorder.seen.map(({ path }) => path)).toEqual([recording.request.path]);
      expect(heardBySdk(turn)).toEqual(said);
    }
    if (!stream) return;
    recorder.reply = breakOff(recording);
    const broken = createSession(client, gateway.url, { model: modelOf(recording) });
    broken.user('Go on.');
    // A clean end without a finish is no error of an SDK, and is thrown again.
    expect(describeError(await broken.send({ stream }).catch((thrown) => thrown)).message).not.toBe('');
  });
});
