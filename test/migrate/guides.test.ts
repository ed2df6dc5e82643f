import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import {
  FAKE_DIALECTS,
  type FakeBackend,
  type FakeDialectName,
  startFakeBackend,
} from '../support/fake-backend/index.js';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';
import { guideOf } from '../support/guides/guide.js';
import { configurationOf, fileNameOf, GUIDED, programOf, shown } from '../support/guides/programs.js';
import { runProgram } from '../support/plain-clients.js';

/** The guides of docs/migration: they say what the translators do, and their programs run. */

const folder = fileURLToPath(new URL('../../docs/migration/', import.meta.url));

describe('each guide is what its features and programs make it', () => {
  test.each(GUIDED)('%s to %s', (from, to) => {
    const file = `${folder}${fileNameOf(from, to)}`;
    const guide = guideOf(from, to);
    if (process.env.UPDATE === '1') writeFileSync(file, guide);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(guide);
  });

  test('there is one for each direction, and the page on migration leads to it', () => {
    const names = GUIDED.map(([from, to]) => fileNameOf(from, to));
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
    const page = readFileSync(`${folder}../migration.md`, 'utf8');
    expect(names.filter((name) => !page.includes(`migration/${name}`))).toEqual([]);
  });
});

describe('the programs of the guides', () => {
  const fakes = new Map<FakeDialectName, FakeBackend>();
  const before = { ...process.env };
  let gateway: TestGateway | undefined;

  beforeAll(async () => {
    for (const id of FAKE_DIALECTS) fakes.set(id, await startFakeBackend(id));
  });
  beforeEach(() => {
    for (const [id, fake] of fakes) {
      fake.reset();
      fake.script([
        { kind: 'calls', calls: [{ name: 'get_weather', arguments: { city: 'Paris' } }] },
        { kind: 'text', text: 'It is sunny in Paris.' },
      ]);
      const [rootVariable, key] = [shown(id, 'rootVariable'), shown(id, 'key')];
      process.env[rootVariable] = '';
      process.env[key] = 'key-of-the-vendor';
    }
  });
  afterAll(async () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    await gateway?.close();
    await Promise.all([...fakes.values()].map((fake) => fake.close()));
  });

  const urlOf = (id: FakeDialectName): string => fakes.get(id)?.url ?? '';
  const seen = (id: FakeDialectName): string[] =>
    (fakes.get(id)?.requests ?? []).map(({ body }) => JSON.stringify(body));

  test.each(FAKE_DIALECTS)('of %s calls its own service', async (id) => {
    process.env[shown(id, 'rootVariable')] = urlOf(id) + shown(id, 'version');
    expect(await run(programOf(id, 'vendor'))).toEqual(['It is sunny in Paris.']);
    expect(seen(id)).toHaveLength(2);
    expect(seen(id)[1]).toContain('Sunny in Paris');
  });

  test.each(GUIDED)('of %s is served by %s through the gateway', async (from, to) => {
    const config = parse(configurationOf(from, to).replace(shown(to, 'baseUrl'), urlOf(to)));
    gateway = await startGateway(config);
    try {
      const program = programOf(from, 'gateway').replace('http://127.0.0.1:8080', gateway.url);
      expect(await run(program)).toEqual(['It is sunny in Paris.']);
    } finally {
      await gateway.close();
    }
    expect(seen(to)[0]).toContain('Answer in one sentence.');
    // A server that nobody knows may be asked once more, in words that it takes.
    expect(seen(to).at(-1)).toContain('Sunny in Paris');
  });
});

/** Runs a program with the official clients, and gives what it prints. */
async function run(program: string): Promise<string[]> {
  const printed: string[] = [];
  await runProgram(program, { console: { log: (text: string) => printed.push(text) } });
  return printed;
}
