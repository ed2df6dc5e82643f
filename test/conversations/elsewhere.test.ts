import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { createArchive } from '../../src/archive/archive.js';
import { aliveJob, createJobRecord, type RecordOutcome } from '../../src/conversations/job-record.js';
import { createLog } from '../../src/observe/log.js';
import { createMemoryStorage } from '../../src/store/memory.js';
import { keysOf } from '../../translators/responses/stored/records.js';
import { clientOf, holdAnswer, openStage, type Stage } from './stage.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-elsewhere-'));
let stage: Stage;
let here: OpenAI;
let there: OpenAI;

beforeAll(async () => {
  stage = await openStage();
  const store = { type: 'lmdb', path: folder } as const;
  here = clientOf((await stage.gateway(store)).url);
  there = clientOf((await stage.gateway(store)).url);
});

beforeEach(() => {
  for (const backend of Object.values(stage.backends)) backend.reset();
});

afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

describe('an answer that another gateway over the same store makes in the background', () => {
  const make = () => here.responses.create({ model: 'messages', input: 'q', background: true });
  /** Lets the backend answer. */
  let say = (): void => {};

  beforeEach(() => {
    say = holdAnswer(stage.backends.messages, { kind: 'text', text: 'said' });
  });

  test('is cancelled at once for everybody, and stays so', async () => {
    stage.backends.messages.script({ kind: 'text', text: 'never', delayMs: 5000 });
    const { id } = await make();
    expect((await there.responses.cancel(id)).status).toBe('cancelled');
    expect((await there.responses.retrieve(id)).status).toBe('cancelled');
    while (stage.backends.messages.aborted === 0) await delay(10);
    await delay(50);
    for (const client of [here, there]) expect((await client.responses.retrieve(id)).status).toBe('cancelled');
  });

  test('is cancelled although it is finished before its maker hears of that', async () => {
    const { id } = await make();
    await there.responses.cancel(id);
    say();
    await delay(300);
    for (const client of [here, there]) expect((await client.responses.retrieve(id)).status).toBe('cancelled');
  });

  test('is what its canceller was told, however close that came to its end', async () => {
    for (let n = 0; n < 12; n += 1) {
      const delayMs = Math.round(Math.random() * 15) + 1;
      stage.backends.messages.script({ kind: 'text', text: 'soon', delayMs });
      const { id } = await make();
      await delay(Math.random() * 20);
      const told = await (n % 2 === 0 ? here : there).responses.cancel(id);
      const early = (await here.responses.retrieve(id)).status;
      await delay(30);
      const late = (await there.responses.retrieve(id)).status;
      expect([early, late]).toEqual([told.status, told.status]);
    }
  });

  test('does not come back once it was deleted', async () => {
    const { id } = await make();
    await there.responses.delete(id);
    say();
    await delay(300);
    for (const client of [here, there])
      await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  test('is a conflict for who continues it, and no stream where none was asked for', async () => {
    const { id } = await make();
    const early = there.responses.create({ model: 'messages', input: 'and?', previous_response_id: id });
    await expect(early).rejects.toMatchObject({ status: 409 });
    await expect(there.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 400 });
    say();
  });
});

test('a run writes nothing over what was cancelled or forgotten elsewhere', async () => {
  const limits = { ttlMs: 60_000, maxBytes: 2 ** 20, entryBytes: 2 ** 20 };
  const archive = createArchive(createMemoryStorage().area('c', limits), limits.ttlMs);
  const keys = keysOf('t', 'resp_1');
  const ended = (_how: RecordOutcome): void => {};
  const { logger } = createLog('silent');
  const record = createJobRecord({ archive, tenant: 't', id: 'resp_1', streamed: false, logger, ended });
  const write = (even?: 'cancelled') => record.write(() => archive.update('t', 'resp_1', { status: 'x' }, 0), even);
  expect(await write()).toBe('forgotten');
  await archive.promise('t', { id: 'resp_1', status: 'queued' }, aliveJob(false), { before: undefined, input: [] });
  expect(await write()).toBe('done');
  await archive.store.set([{ key: keys.stop, value: { v: 1 } }]);
  expect([await write(), await write('cancelled')]).toEqual(['cancelled', 'done']);
  await archive.remove('t', 'resp_1');
  expect([await write(), await write('cancelled')]).toEqual(['forgotten', 'forgotten']);
  expect(await archive.answer('t', 'resp_1')).toBeUndefined();
  record.close();
});
