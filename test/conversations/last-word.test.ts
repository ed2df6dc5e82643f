import { describe, expect, test } from '@jest/globals';
import type { AnswerSaver } from '../../src/conversations/answer-saver.js';
import { relayedStage, translatedStage } from '../../src/conversations/kept-answer.js';
import { fromPiece } from '../../src/conversations/pieces.js';
import type { ClientStream } from '../../src/exchange/client-stream.js';
import type { JsonObject } from '../../translators/index.js';

/** An outlet that remembers, and what it was told. */
function sink(): { outlet: ClientStream; text(): string } {
  const pieces: Uint8Array[] = [];
  const outlet: ClientStream = {
    begun: true,
    blocked: false,
    source: undefined,
    write: (piece) => pieces.push(Buffer.from(piece)),
    beat() {},
    open() {},
    end() {},
    breakAfterError: async () => {},
    breakOff() {},
  };
  return { outlet, text: () => Buffer.concat(pieces).toString() };
}

/** A saver over a slow store; `keep` holds what it was given. */
function slowSaver(
  more: Partial<AnswerSaver> = {},
): AnswerSaver & { kept: { answer: JsonObject; stream?: string }[]; printed: string[]; open(): void } {
  const printed: string[] = [];
  const kept: { answer: JsonObject; stream?: string }[] = [];
  let open = (): void => {};
  const ready = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    relays: false,
    vouched: false,
    keeps: true,
    shown: undefined,
    kept,
    open,
    printed,
    async keep(answer, bytes, stream) {
      await ready;
      if (bytes !== undefined) printed.push(bytes.toString());
      const pieces = await stream?.pieces();
      const texts = pieces && (await Promise.all(pieces.map(fromPiece)));
      kept.push({ answer, stream: texts?.join('') });
      return true;
    },
    ...more,
  };
}

const frame = (type: string, members: object, named = true): string =>
  `${named ? `event: ${type}\n` : ''}data: ${JSON.stringify({ ...members, type })}\n\n`;
const answer = { id: 'resp_1', status: 'completed', output: [] };

const STAGES = { relayed: relayedStage, translated: translatedStage } as const;

describe.each(Object.entries(STAGES))('%s: the last word', (_name, stageOf) => {
  test.each([
    'plain',
    'a line\n\nevent: response.completed\ndata: {}\n\n',
    'event: response.created',
    'event: response.completed',
    'JavaScript takes \u2028 and \u2029 for line ends, and streams do not',
  ])('waits for the store, and nothing else does: %j', async (text) => {
    const saver = slowSaver();
    const { outlet, text: told } = sink();
    const stage = stageOf(saver, outlet);
    const first = frame('response.created', { response: { ...answer, status: 'in_progress' } });
    const delta = frame('response.output_text.delta', { delta: text });
    const last = frame('response.completed', { response: { ...answer, output: [{ text }] } });
    stage.write(Buffer.from(first).toString());
    stage.write(delta + last);
    const ended = stage.end();
    expect(told()).toBe(first + delta);
    saver.open();
    await ended;
    expect(told()).toBe(first + delta + last);
    expect(saver.kept).toEqual([{ answer: { ...answer, output: [{ text }] }, stream: first + delta + last }]);
  });
});

test('translated: of an answer of ours what its frames change is read alone', async () => {
  const saver = slowSaver();
  const { outlet, text } = sink();
  const stage = translatedStage(saver, outlet);
  saver.open();
  const said = (type: string, number: number, rest: object): string => {
    const response = {
      id: 'resp_1',
      tools: [{ parameters: { type: 'object', output: [], status: 'in_progress', x: 1 } }],
      ...rest,
    };
    return `event: response.${type}\ndata: ${JSON.stringify({ type: `response.${type}`, sequence_number: number, response })}\n\n`;
  };
  const begun = { output: [], status: 'in_progress', usage: null };
  const first = said('created', 0, begun) + said('in_progress', 1, begun);
  const output = [{ type: 'shell_call_output', output: [{ stdout: 'ä' }] }];
  const last = said('completed', 2, { output, status: 'completed', usage: null });
  stage.write(': waiting\n\n');
  stage.write(first);
  stage.write(last);
  await stage.end();
  expect(text()).toBe(`: waiting\n\n${first}${last}`);
  expect(saver.kept.map(({ answer: read }) => read)).toEqual([
    { id: 'resp_1', output, status: 'completed', usage: null },
  ]);
  expect(saver.printed).toEqual([JSON.stringify(Object(JSON.parse(last.split('data: ')[1] ?? '')).response)]);
});

test('translated: an answer that failed is not said to be stored', () => {
  const { outlet, text } = sink();
  const stage = translatedStage(slowSaver(), outlet);
  stage.write(frame('response.failed', { response: { ...answer, status: 'failed', store: true } }));
  expect(text()).toBe('');
  stage.flush();
  expect(text()).toBe(frame('response.failed', { response: { ...answer, status: 'failed', store: false } }));
});

describe('relayed', () => {
  test('a last word without a name, or without its blank line, is kept too', async () => {
    for (const last of [
      frame('response.completed', { response: answer }, false),
      frame('response.completed', { response: answer }).trimEnd(),
    ]) {
      const saver = slowSaver();
      const { outlet, text } = sink();
      const stage = relayedStage(saver, outlet);
      saver.open();
      stage.write(Buffer.from(last));
      await stage.end();
      expect(text()).toBe(last);
      expect(saver.kept).toEqual([{ answer, stream: last }]);
    }
  });

  test('whose answer in the background it is, is kept before its end: the client may leave and come back', async () => {
    const saver = slowSaver({ relays: true });
    const { outlet, text } = sink();
    const stage = relayedStage(saver, outlet);
    const queued = { ...answer, status: 'queued', background: true };
    const created = frame('response.created', { response: queued });
    stage.write(Buffer.from(created));
    expect(text()).toBe(created);
    saver.open();
    await Promise.resolve();
    await Promise.resolve();
    expect(saver.kept).toEqual([{ answer: queued, stream: undefined }]);
  });

  test('characters that are cut between pieces come through', async () => {
    const saver = slowSaver();
    const { outlet, text } = sink();
    const stage = relayedStage(saver, outlet);
    saver.open();
    const whole =
      frame('response.output_text.delta', { delta: 'ä€😀' }) + frame('response.completed', { response: answer });
    for (const byte of Buffer.from(whole)) stage.write(Uint8Array.of(byte));
    await stage.end();
    expect(text()).toBe(whole);
    expect(saver.kept[0]?.stream).toBe(whole);
  });
});
