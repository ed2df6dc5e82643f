import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createStreamTranslator, type DialectId, translateResponse } from '../../translators/index.js';
import { decodeCarrier } from '../../translators/wire/carrier.js';
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
  WHOLE,
} from '../gateway/harness.js';
import { times } from './growth/requests.js';

/** Answers with more state in front of one call than a carrier holds (translation.md 4.2.5): the end of it is kept. */

const COUNT = 5000;

/** The opaque value number `index`. */
const value = (index: number): string => `state-${index}-`;
const LAST = value(COUNT - 1);

interface Told {
  readonly whole: object;
  readonly events: readonly object[];
}

const ANSWERS: Record<DialectId, () => Told> = {
  messages() {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
    const whole = { ...WHOLE.messages(''), stop_reason: 'tool_use' };
    const thinking = { type: 'thinking', thinking: '' };
    return {
      whole: { ...whole, content: [...times(COUNT, (index) => ({ ...thinking, signature: value(index) })), call] },
      events: [
        { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
        ...times(COUNT, (index) => [
          { type: 'content_block_start', index, content_block: { ...thinking, signature: '' } },
          { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: value(index) } },
          { type: 'content_block_stop', index },
        ]).flat(),
        { type: 'content_block_start', index: COUNT, content_block: call },
        { type: 'content_block_stop', index: COUNT },
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ],
    };
  },
  responses() {
    const output = [
      ...times(COUNT, (index) => ({
        type: 'reasoning',
        id: `rs_${index}`,
        summary: [],
        encrypted_content: value(index),
      })),
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}', status: 'completed' },
    ];
    const whole = { ...WHOLE.responses(''), output };
    const events = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      ...output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: whole },
    ];
    return { whole, events: events.map((event, sequence_number) => ({ ...event, sequence_number })) };
  },
  generateContent() {
    const parts = [
      ...times(COUNT, (index) => ({ text: '', thoughtSignature: value(index) })),
      { functionCall: { id: 'c1', name: 'look', args: {} } },
    ];
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
    const whole = { ...WHOLE.generateContent(''), candidates };
    return { whole, events: [whole] };
  },
};

const streamOf = ({ events }: Told): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

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

const FOREIGN = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const));
const LOST = { path: '', feature: 'reasoning.state', kind: 'dropped', detail: 'more state than a carrier holds' };

/** For a client of responses each value has an item, and so a carrier, of its own. */
const hasRoom = (to: DialectId): boolean => to === 'responses';

describe.each(FOREIGN)('from %s to a client of %s', (from, to) => {
  test('the loss is told, of a whole answer and of a stream', () => {
    const told = ANSWERS[from]();
    const whole = translateResponse({ from, to, body: told.whole });
    const translator = createStreamTranslator({ from, to });
    const text = translator.push(new TextEncoder().encode(streamOf(told))) + translator.end();
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

  /** Clients of messages that declare no tools are shown no state. */
  const TOOLS = { tools: [{ name: 'look', input_schema: { type: 'object' } }] };

  test.each(FOREIGN)('from %s to a client of %s', async (from, to) => {
    const told = ANSWERS[from]();
    for (const stream of [false, true]) {
      recorder.reply = (response) => {
        response.writeHead(200, stream ? EVENT_STREAM : { 'content-type': 'application/json' });
        response.end(stream ? streamOf(told) : JSON.stringify(told.whole));
      };
      const { path, body } = (stream ? STREAM : ASK)[to](from);
      const answer = await send(gateway.url, path, { body: { ...body, ...(to === 'messages' && TOOLS) } });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(/"error":\s*\{/);
      expect(carried(answer.text).at(-1)).toContain(LAST);
    }
  });

  test('nothing of it is unforeseen', async () => {
    await gateway.close();
    const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(lines.filter(({ msg }) => msg === 'unforeseen failure')).toEqual([]);
    const outcomes = lines.filter(({ msg }) => msg === 'exchange').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(times(2 * FOREIGN.length, () => 'ok'));
  });
});
