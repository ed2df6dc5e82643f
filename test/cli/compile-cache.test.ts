import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { keepCompiledCode } from '../../src/cli/compile-cache.js';
import { createWorkplace } from '../support/gateway/program.js';

const home = mkdtempSync(join(tmpdir(), 'interlingua-cache-'));
const place = createWorkplace();
afterAll(async () => {
  await place.end();
  rmSync(home, { recursive: true, force: true });
});

/** The folder that Node.js is told to keep code in; undefined where it is not told. */
function kept(env: NodeJS.ProcessEnv, platform = 'linux'): string | undefined {
  let folder: string | undefined;
  keepCompiledCode(
    env,
    {
      enableCompileCache(named) {
        folder = named;
      },
    },
    platform,
  );
  return folder;
}

test('compiled code is kept in a folder that is the user alone', () => {
  const folder = kept({ XDG_CACHE_HOME: home });
  expect(folder).toBe(join(home, 'interlingua', 'compiled'));
  expect(statSync(folder ?? '').mode & 0o077).toBe(0);
  expect(kept({ LOCALAPPDATA: home }, 'win32')).toBe(join(home, 'interlingua', 'compiled'));
});

test.each<[string, NodeJS.ProcessEnv]>([
  ['the environment names a folder', { NODE_COMPILE_CACHE: home, XDG_CACHE_HOME: home }],
  ['the folder cannot be made', { XDG_CACHE_HOME: join(home, 'file') }],
])('it is left to Node.js where %s', (_where, env) => {
  writeFileSync(join(home, 'file'), '');
  expect(kept(env)).toBeUndefined();
});

test('a folder in which others can write is not used', () => {
  const open = join(home, 'open');
  mkdirSync(join(open, 'interlingua', 'compiled'), { recursive: true });
  expect(kept({ XDG_CACHE_HOME: open })).toBeDefined();
  chmodSync(join(open, 'interlingua'), 0o777);
  expect(kept({ XDG_CACHE_HOME: open })).toBeUndefined();
});

test('an older Node.js starts without', () => {
  expect(() => keepCompiledCode({ XDG_CACHE_HOME: home }, {})).not.toThrow();
});

test('a server that ends leaves its code where Node.js can keep it', async () => {
  const cache = join(home, 'served');
  const { child, exit } = await place.serve([], { env: { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '' } });
  child.kill('SIGTERM');
  await exit;
  expect(existsSync(join(cache, 'interlingua', 'compiled'))).toBe('enableCompileCache' in module);
});
