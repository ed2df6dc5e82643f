import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createArchive } from '../../src/archive/archive.js';
import { createGateway } from '../../src/index.js';
import { createStorage } from '../../src/store/create.js';
import { keysOf, VERSION } from '../../translators/responses/stored/records.js';
import { connectResponses } from '../support/clients.js';
import { startFakeBackend } from '../support/fake-backend/index.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-abandoned-'));
afterAll(() => rmSync(folder, { recursive: true }));

const STORE = { type: 'lmdb', path: folder, ttlDays: 1, maxMb: 64, entryMb: 1 } as const;
const LIMITS = { ttlMs: 86_400_000, maxBytes: 2 ** 26, entryBytes: 2 ** 20 };

/** What a process leaves behind that dies while it makes an answer in the background. */
async function leave(id: string, until: number): Promise<void> {
  const storage = createStorage(STORE, () => {});
  if (storage === undefined) throw new Error('no storage');
  const { store } = createArchive(storage.area('conversations', LIMITS), LIMITS.ttlMs);
  const keys = keysOf('all', id);
  await store.set([
    { key: keys.run, value: { v: VERSION, until, streamed: false } },
    { key: keys.answer, value: { v: VERSION, response: { id, status: 'in_progress', background: true }, pieces: 0 } },
  ]);
  await storage.close();
}

test('a background answer whose process died has failed, and one whose process lives has not', async () => {
  await leave('resp_dead', Date.now() - 1);
  await leave('resp_alive', Date.now() + 60_000);
  const gateway = createGateway({
    backends: { sim: { dialect: 'messages', simulator: true } },
    store: STORE,
    log: { level: 'silent' },
  });
  const { url } = await gateway.listen({ port: 0 });
  const client = connectResponses(url);
  const dead = await client.responses.retrieve('resp_dead');
  expect(dead).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  expect((await client.responses.retrieve('resp_dead')).status).toBe('failed');
  expect((await client.responses.cancel('resp_dead')).status).toBe('failed');
  expect((await client.responses.retrieve('resp_alive')).status).toBe('in_progress');
  expect((await client.responses.cancel('resp_alive')).status).toBe('cancelled');
  await gateway.close();
});

test('a gateway that never listened, or was closed already, closes', async () => {
  const config = {
    backends: { sim: { dialect: 'messages', simulator: true } },
    store: STORE,
    log: { level: 'silent' },
  } as const;
  const gateway = createGateway(config);
  await gateway.close();
  await gateway.close();
});

test('a gateway that stops says of what it was still making that it failed', async () => {
  const backend = await startFakeBackend('messages');
  backend.script({ kind: 'text', text: 'late', delayMs: 5000 });
  const config = {
    backends: { slow: { dialect: 'messages', baseUrl: backend.url } },
    models: { slow: { backend: 'slow', model: 'claude-sonnet-4-5' } },
    store: STORE,
    limits: { drainSeconds: 0.1 },
    log: { level: 'silent' },
  } as const;
  const first = createGateway(config);
  const { url } = await first.listen({ port: 0 });
  const { id } = await connectResponses(url).responses.create({ model: 'slow', input: 'q', background: true });
  await Promise.all([first.close(), first.close()]);
  const second = createGateway(config);
  const address = await second.listen({ port: 0 });
  const answer = await connectResponses(address.url).responses.retrieve(id);
  expect(answer).toMatchObject({ status: 'failed', error: { message: 'the gateway was stopped' } });
  await second.close();
  await backend.close();
});
