import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type FaultyBackend, startFaultyBackend } from '../../support/faulty-backend.js';
import { DIALECTS, startGateway, type TestGateway, type Tree } from '../../support/gateway/harness.js';
import { KEY_FORMS } from './canaries.js';
import { asking, exchange, inParallel } from './cells.js';
import { TEXT } from './fault.js';
import { stageConfig } from './stage.js';
import { FAULTS } from './table.js';

/** Stands in the prompt and nowhere else. */
const PROMPT = 'prompt-canary-3f1c';

/** Every fault, with dialects that change from one to the next. */
const CASES = FAULTS.map((fault, index) => ({
  id: `log-${index}`,
  fault,
  cell: {
    client: DIALECTS[index % 3] ?? 'messages',
    backend: DIALECTS[Math.floor(index / 3) % 3] ?? 'messages',
    mode: fault.modes?.includes('plain') === false ? ('stream' as const) : ('plain' as const),
  },
}));

let backend: FaultyBackend;
let gateway: TestGateway;
let log = '';

beforeAll(async () => {
  jest.spyOn(fs, 'writeSync').mockImplementation((_fd, text) => {
    log += String(text);
    return Buffer.byteLength(String(text));
  });
  backend = await startFaultyBackend();
  gateway = await startGateway({ ...stageConfig(backend.url), log: { level: 'trace' } });
  await inParallel(
    CASES.map(({ id, fault, cell }) => async () => {
      backend.on(id, fault.serve);
      const { path, body } = asking(cell.client, cell.mode, `${cell.backend}-${fault.limits ?? 'calm'}-${id}`);
      await exchange(gateway.url, path, JSON.stringify(body).replace('Hello', PROMPT));
    }),
    32,
  );
  await sleep(50);
  await gateway.close();
  await backend.close();
}, 60_000);

afterAll(() => {
  jest.restoreAllMocks();
});

const lines = (): Tree[] =>
  log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('each exchange has one line, which says how it ended', () => {
  const exchanges = lines().filter(({ msg }) => msg === 'exchange');
  expect(exchanges).toHaveLength(CASES.length);
  for (const { id, fault, cell } of CASES) {
    const [line, ...others] = exchanges.filter(({ target }) => target === id);
    expect(others).toEqual([]);
    const told = typeof fault.told === 'function' ? fault.told(cell) : fault.told;
    if (fault.relayed === undefined)
      expect([id, fault.name, line.outcome === 'ok']).toEqual([id, fault.name, told === 'answer']);
  }
});

test('nothing is unforeseen', () => {
  expect(lines().filter(({ msg }) => msg === 'unexpected failure')).toEqual([]);
});

test('no key, prompt, answer or words of a backend are in it, at any level', () => {
  const secrets = [...KEY_FORMS, PROMPT, TEXT, 'Wrong key', 'sign in'];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});
