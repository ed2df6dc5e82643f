import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createStreamTranslator, type DialectId, translateResponse } from '../../translators/index.js';
import { decodeCarrier } from '../../translators/wire/carrier.js';
import { WIRES } from '../support/answers.js';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { CROSS_PAIRS, CROSS_RING } from '../support/pairs.js';
import { call, type Wire } from '../support/wire/wire.js';
import { times } from './growth/grown.js';

/** Answers with more state in front of one call than a carrier holds (translation.md 4.2.5): the end of it is kept. */

const COUNT = 3000;

/** The opaque value number `index`. */
const value = (index: number): string => `state-${index}-`;
const VALUES = times(COUNT, value);
const LAST = value(COUNT - 1);

/** An answer with all of them in front of a call. */
const answerOf = (from: DialectId): Wire =>
  WIRES[from].say([
    ...VALUES.map((state) => ({ kind: 'thought', text: '', state }) as const),
    call('c1', 'look', '{}'),
  ]);

const streamOf = (from: DialectId): string => WIRES[from].frames(answerOf(from)).join('');

/** The payloads of all carriers in a text, in their order. */
function carried(text: string): string[] {
  const carriers = text.match(/ilingua1[A-Za-z0-9+/]+=*/g) ?? [];
  // A stream of responses tells an item several times.
  return [...new Set(carriers)].flatMap((carrier) => {
    const opened = decodeCarrier(carrier);
    if (opened === undefined) throw new Error('a carrier that nobody can open');
    return opened.entries.map(({ payload }) => payload);
  });
}

const LOST = { path: '', feature: 'reasoning.state', kind: 'dropped', detail: 'more state than a carrier can hold' };

/** For a client of responses each value has an item, and so a carrier, of its own. */
const hasRoom = (to: DialectId): boolean => to === 'responses';

/** All thoughts of a message of chat completions are one state. */
const MANY = CROSS_PAIRS.filter(([from]) => from !== 'chatCompletions');

describe.each(MANY)('from %s to a client of %s', (from, to) => {
  test('the loss is told, of a whole answer and of a stream', () => {
    const whole = translateResponse({ from, to, body: answerOf(from) });
    const translator = createStreamTranslator({ from, to });
    const text = translator.push(new TextEncoder().encode(streamOf(from))) + translator.end();
    const kept = carried(JSON.stringify(whole.body));
    expect(kept.length).toBeGreaterThan(600);
    expect(kept.at(-1)).toContain(LAST);
    expect(carried(text)).toEqual(kept);
    for (const losses of [whole.losses, translator.losses]) {
      expect(losses.filter(({ feature }) => feature === 'reasoning.state')).toEqual(hasRoom(to) ? [] : [LOST]);
    }
    expect(kept.length === COUNT).toBe(hasRoom(to));
  });
});

describe('through a gateway', () => {
  let recorder: Recorder;
  let gateway: TestGateway;
  let log = '';

  beforeAll(async () => {
    jest.spyOn(fs, 'writeSync').mockImplementation((_fd, text) => {
      log += String(text);
      return Buffer.byteLength(String(text));
    });
    recorder = await startRecorder();
    gateway = await startGateway({
      backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url }])),
      models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
      log: { level: 'info' },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await recorder.close();
    jest.restoreAllMocks();
  });

  /** Clients of these dialects that declare no tools are shown no state. */
  const TOOLS: Partial<Record<DialectId, object>> = {
    messages: { tools: [{ name: 'look', input_schema: { type: 'object' } }] },
    chatCompletions: { tools: [{ type: 'function', function: { name: 'look' } }] },
  };

  test.each(CROSS_RING)('from %s to a client of %s', async (from, to) => {
    for (const stream of [false, true]) {
      recorder.reply = (response) => {
        response.writeHead(200, stream ? EVENT_STREAM : { 'content-type': 'application/json' });
        response.end(stream ? streamOf(from) : JSON.stringify(answerOf(from)));
      };
      const { path, body } = (stream ? STREAM : ASK)[to](from);
      const answer = await send(gateway.url, path, { body: { ...body, ...TOOLS[to] } });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(/"error":\s*\{/);
      expect(carried(answer.text).at(-1)).toContain(LAST);
    }
  });

  test('nothing of it is unforeseen', async () => {
    await gateway.close();
    const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(lines.filter(({ msg }) => msg === 'unexpected failure')).toEqual([]);
    const outcomes = lines.filter(({ msg }) => msg === 'exchange').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(times(2 * CROSS_RING.length, () => 'ok'));
  });
});
