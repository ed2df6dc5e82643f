import { describe, expect, test } from '@jest/globals';
import type { Keeper } from '../../src/conversations/keeper.js';
import { relayedStage, translatedStage } from '../../src/conversations/kept-answer.js';
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
    open() {},
    end() {},
    breakOff() {},
  };
  return { outlet, text: () => Buffer.concat(pieces).toString() };
}

/** A keeper over a slow store; `keep` holds what it was given. */
function slowKeeper(
  more: Partial<Keeper> = {},
): Keeper & { kept: { answer: JsonObject; stream?: string }[]; open(): void } {
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
    async keep(answer, stream) {
      await ready;
      kept.push({ answer, stream });
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
  ])('waits for the store, and nothing else does: %j', async (text) => {
    const keeper = slowKeeper();
    const { outlet, text: told } = sink();
    const stage = stageOf(keeper, outlet);
    const first = frame('response.created', { response: { ...answer, status: 'in_progress' } });
    const delta = frame('response.output_text.delta', { delta: text });
    const last = frame('response.completed', { response: { ...answer, output: [{ text }] } });
    stage.write(Buffer.from(first).toString());
    stage.write(delta + last);
    const ended = stage.end();
    expect(told()).toBe(first + delta);
    keeper.open();
    await ended;
    expect(told()).toBe(first + delta + last);
    expect(keeper.kept).toEqual([{ answer: { ...answer, output: [{ text }] }, stream: first + delta + last }]);
  });
});

test('translated: an answer that failed is not said to be stored', () => {
  const { outlet, text } = sink();
  const stage = translatedStage(slowKeeper(), outlet);
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
      const keeper = slowKeeper();
      const { outlet, text } = sink();
      const stage = relayedStage(keeper, outlet);
      keeper.open();
      stage.write(Buffer.from(last));
      await stage.end();
      expect(text()).toBe(last);
      expect(keeper.kept).toEqual([{ answer, stream: last }]);
    }
  });

  test('whose answer in the background it is, is kept before its end: the client may leave and come back', async () => {
    const keeper = slowKeeper({ relays: true });
    const { outlet, text } = sink();
    const stage = relayedStage(keeper, outlet);
    const queued = { ...answer, status: 'queued', background: true };
    const created = frame('response.created', { response: queued });
    stage.write(Buffer.from(created));
    expect(text()).toBe(created);
    keeper.open();
    await Promise.resolve();
    await Promise.resolve();
    expect(keeper.kept).toEqual([{ answer: queued, stream: undefined }]);
  });

  test('characters that are cut between pieces come through', async () => {
    const keeper = slowKeeper();
    const { outlet, text } = sink();
    const stage = relayedStage(keeper, outlet);
    keeper.open();
    const whole =
      frame('response.output_text.delta', { delta: 'ä€😀' }) + frame('response.completed', { response: answer });
    for (const byte of Buffer.from(whole)) stage.write(Uint8Array.of(byte));
    await stage.end();
    expect(text()).toBe(whole);
    expect(keeper.kept[0]?.stream).toBe(whole);
  });
});
