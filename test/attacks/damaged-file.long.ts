import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import { runTogether } from '../cli/command-lines.js';
import { connectResponses } from '../support/clients.js';
import { createWorkplace, type Served, until } from '../support/gateway/program.js';

/** A file that is damaged or gone costs what was stored, and nothing else (attacks.md findings 10 and 20). */
const place = createWorkplace();
const FILE = 'state.mdb';
afterAll(() => place.end());

function configOf(path: string) {
  return { backends: { sim: { dialect: 'messages', simulator: true } }, store: { type: 'lmdb', path } } as const;
}

function configure(path: string): string {
  return place.file(`config-${Math.random().toString(36).slice(2)}.json`, JSON.stringify(configOf(path)));
}

async function ask(served: { readonly url: string }, words = 'one'): Promise<{ id: string; store: unknown }> {
  const answer = await connectResponses(served.url).responses.create({ model: 'sim', input: words });
  return { id: answer.id, store: Object(answer).store };
}

async function end(served: Served): Promise<void> {
  served.child.kill('SIGTERM');
  expect(await served.exit).toBe(0);
}

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** The short run takes the first, and no file that is sound: each is a process of its own. The long one takes all. */
const DAMAGES: readonly [string, (bytes: Buffer) => Buffer][] = [
  [
    'is garbage',
    (bytes) => {
      const next = numbers(1);
      return bytes.map(() => next() >>> 24) as Buffer;
    },
  ],
  [
    'has flipped bytes at the beginning of its pages',
    (bytes) => {
      const next = numbers(2);
      for (let page = 2 * 4096; page < bytes.length; page += 4096) {
        for (let index = page; index < page + 32; index += 1)
          bytes[index] = (bytes[index] ?? 0) ^ (1 << (next() >>> 29));
      }
      return bytes;
    },
  ],
  ['begins with a page of zeros', (bytes) => bytes.fill(0, 0, 4096)],
  ['has 100 bytes', (bytes) => bytes.subarray(0, 100)],
  ['was cut in half', (bytes) => bytes.subarray(0, bytes.length >> 1)],
];

describe('a file that', () => {
  const healthy = join(place.folder, 'healthy');
  let known = '';

  beforeAll(async () => {
    const gateway = createGateway({ ...configOf(healthy), log: { level: 'silent' } });
    const address = await gateway.listen({ port: 0 });
    for (let n = 0; n < 30; n += 1) ({ id: known } = await ask(address, `question ${n} ${'x '.repeat(3000)}`));
    await gateway.close();
  });

  test('is whole is used on', async () => {
    const served = await place.serve(['--config', configure(healthy)]);
    const answer = await fetch(`${served.url}/v1/responses/${known}`);
    expect(answer.status).toBe(200);
    await end(served);
    expect(readdirSync(healthy).sort()).toEqual([FILE, `${FILE}-lock`, `${FILE}-sound`]);
  });

  test.each(DAMAGES)('%s is set aside with one line, and a new one begun', async (name, damage) => {
    const folder = join(place.folder, name.replaceAll(' ', '-'));
    cpSync(healthy, folder, { recursive: true });
    const damaged = damage(readFileSync(join(folder, FILE)));
    writeFileSync(join(folder, FILE), damaged);
    truncateSync(join(folder, FILE), damaged.length);
    const served = await place.serve(['--config', configure(folder)]);
    const answer = await ask(served);
    expect(answer.store).toBe(true);
    expect((await fetch(`${served.url}/v1/responses/${answer.id}`)).status).toBe(200);
    const aside = readdirSync(folder).filter((file) => file.startsWith(`${FILE}.damaged-`) && !file.endsWith('-lock'));
    expect(aside).toEqual([expect.stringMatching(/^state\.mdb\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+Z$/)]);
    expect(readFileSync(join(folder, aside[0] ?? '')).equals(damaged)).toBe(true);
    await until(() => served.entries().some(({ msg }) => String(msg).includes('set aside')), 'the line about it');
    expect(
      served
        .logs()
        .split('\n')
        .filter((line) => line.includes('damaged')),
    ).toHaveLength(1);
    expect(served.entries()).toContainEqual(
      expect.objectContaining({
        level: 50,
        aside: join(folder, aside[0] ?? ''),
        msg: expect.stringContaining('set aside'),
      }),
    );
    served.child.kill('SIGKILL');
  });

  test('is empty is begun anew without a word', async () => {
    const folder = join(place.folder, 'empty');
    cpSync(healthy, folder, { recursive: true });
    truncateSync(join(folder, FILE), 0);
    const served = await place.serve(['--config', configure(folder)]);
    expect((await ask(served)).store).toBe(true);
    expect(served.logs()).not.toContain('damaged');
    served.child.kill('SIGKILL');
  });
});

test('a folder that is removed promises nothing any more, and ends nobody', async () => {
  const folder = join(place.folder, 'removed');
  const served = await place.serve(['--config', configure(folder)]);
  expect((await ask(served)).store).toBe(true);
  rmSync(folder, { recursive: true });
  const answer = await ask(served);
  expect(answer.store).toBe(false);
  expect((await fetch(`${served.url}/v1/responses/${answer.id}`)).status).toBe(404);
  const told = () => served.entries().find(({ msg }) => msg === 'an answer could not be stored');
  await until(() => told() !== undefined, 'the reason');
  expect(told()?.reason).toBe(`${join(folder, FILE)} was removed or replaced; a new start stores again`);
  await end(served);
});

test('a folder that cannot be used is told in one line', async () => {
  const folders = [
    ['/proc/interlingua-store', 'ENOENT'],
    ['/sys/interlingua-store', 'E[A-Z]+'],
    ['/dev/null/store', 'ENOTDIR'],
  ] as const;
  const lines = folders.map(([folder]) => ['serve', '--port', '0', '--config', configure(folder)]);
  const runOf = await runTogether(place.folder, lines, {});
  folders.forEach(([folder, code], index) => {
    const told = runOf(lines[index] ?? []);
    expect(told.code).toBe(1);
    expect(told.stderr).toMatch(
      new RegExp(`^[^\\n]*store\\.path[^\\n]*${folder} cannot be used \\(${code}\\)[^\\n]*\\n$`),
    );
  });
});
