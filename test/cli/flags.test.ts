import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, expect, test } from '@jest/globals';
import { collectAlone, isServing, type Renewable, renewWithFlags, V8_FLAGS } from '../../src/cli/flags.js';
import { createWorkplace, until } from '../support/gateway/program.js';

/** How a process like this one begins anew; undefined = it goes on as it is. */
function renewed(self: Partial<Renewable>): { readonly file: string; readonly args: readonly string[] } | undefined {
  let began: { readonly file: string; readonly args: readonly string[] } | undefined;
  renewWithFlags({
    platform: 'linux',
    version: 'v24.1.0',
    execPath: process.execPath,
    execArgv: ['--enable-source-maps'],
    argv: ['/bin/node', '/app/cli.js', 'serve', '--port', '0'],
    env: {},
    execve(file, args) {
      began = { file, args };
    },
    ...self,
  });
  return began;
}

test('only a server begins anew', () => {
  expect([[], ['serve'], ['--port', '0']].every(isServing)).toBe(true);
  expect([['check'], ['--help'], ['-V'], ['help', 'serve'], ['serve', '--no-warm-up']].some(isServing)).toBe(false);
});

test('where Node.js can the program begins anew with its flags, and all that it was given', () => {
  expect(renewed({})).toEqual({
    file: process.execPath,
    args: [process.execPath, ...V8_FLAGS, '--enable-source-maps', '/app/cli.js', 'serve', '--port', '0'],
  });
});

test.each<[string, Partial<Renewable>]>([
  ['Node.js cannot', { execve: undefined }],
  ['Node.js is newer than any that was tried', { version: 'v27.0.0' }],
  ['the system has no such call', { platform: 'win32' }],
  ['it has the flag', { execArgv: ['--no-memory-reducer'] }],
  ['somebody wants it otherwise', { execArgv: ['--memory-reducer'] }],
  ['somebody wants it otherwise, with an underscore', { execArgv: ['--no_memory_reducer'] }],
  ['another process speaks with it', { channel: {} }],
  ['a debugger waits for it', { execArgv: ['--inspect-brk'] }],
  ['the file of Node.js is gone', { execPath: '/nowhere/node' }],
  [
    'it is forbidden',
    {
      execve() {
        throw new Error('not permitted');
      },
    },
  ],
])('it goes on as it is where %s', (_where, self) => {
  expect(renewed(self)).toBeUndefined();
});

const place = createWorkplace();
afterAll(() => place.end());

const isLinux = process.platform === 'linux';

(isLinux ? test : test.skip)('a server keeps its id, and has the flags where Node.js can', async () => {
  const { child } = await place.serve([]);
  const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
  expect(words.includes('--no-memory-reducer')).toBe('execve' in process);
});

test.each<[string, number, readonly string[], readonly string[]]>([
  ['two processors', 2, [], ['--no-parallel-scavenge']],
  ['three processors', 3, [], []],
  ['somebody who wants it otherwise', 1, ['--parallel-scavenge'], []],
  ['somebody who has said so', 1, ['--no_parallel_scavenge'], []],
])('with %s a server sets what fits', (_what, processors, execArgv, expected) => {
  const flags: string[] = [];
  collectAlone({ processors, execArgv, set: (flag) => flags.push(flag) });
  expect(flags).toEqual(expected);
});

const hasFew = availableParallelism() <= 2;
/** V8 14 (Node.js 26) tells of each piece of a thread's work; those before it of each thread. */
const tellsThreads = Number(process.versions.v8.split('.')[0]) < 14;

(hasFew && tellsThreads ? test : test.skip)('with few processors one thread collects for a server', async () => {
  const file = place.file(
    'warm.json',
    JSON.stringify({
      backends: { b: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9' } },
      models: { m: { backend: 'b' } },
    }),
  );
  const { child, lines } = await place.serve(['--config', file], {
    // What a request leaves is collected.
    flags: [...V8_FLAGS, '--max-semi-space-size=1', '--trace-gc', '--trace-parallel-scavenge'],
  });
  let text = lines.join('\n');
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const body = JSON.stringify({ model: 'none', x: Array.from({ length: 20_000 }, () => ({})) });
  // The threads of each collection are told before it. Some are over before the flag is set.
  const threads = (): readonly number[] =>
    text
      .split(/ms: Scavenge /)
      .slice(0, -1)
      .map((told) => told.match(/scavenge\[/g)?.length ?? 0);
  await until(async () => {
    const [, url] = /listening on (\S+)/.exec(text) ?? [];
    if (url !== undefined) await (await fetch(`${url}/v1/messages`, { method: 'POST', body })).arrayBuffer();
    const last = threads().slice(-30);
    return last.length === 30 && last.every((count) => count === 1);
  });
});
