import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What this needs of `node:module`. */
export interface CodeKeeper {
  /** From Node.js 22.1 on. Gives a status where it cannot, and does nothing under `NODE_DISABLE_COMPILE_CACHE`. */
  enableCompileCache?(folder: string): unknown;
}

/**
 * Keeps what V8 compiled of the program for its next start, where Node.js can: a server is ready a quarter earlier. The folder is the
 * user's alone, since what lies there is run; `NODE_COMPILE_CACHE` names another. Without a folder that can be written the program
 * starts as it would without.
 */
export function keepCompiledCode(
  env: NodeJS.ProcessEnv = process.env,
  keeper: CodeKeeper = module as CodeKeeper,
  platform: string = process.platform,
): void {
  if (keeper.enableCompileCache === undefined || isNamed(env.NODE_COMPILE_CACHE)) return;
  try {
    const own = join(cacheFolder(env, platform), 'interlingua');
    const folder = join(own, 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOurs(own) && isOurs(folder)) keeper.enableCompileCache(folder);
  } catch {
    // No home, or one that cannot be written.
  }
}

/** Whether a folder is this user's, and nobody else can write to it. Windows keeps to the rights of the home. */
function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function isNamed(folder: string | undefined): boolean {
  return folder !== undefined && folder !== '';
}

/** Where programs keep what they can make again. */
function cacheFolder(env: NodeJS.ProcessEnv, platform: string): string {
  const { XDG_CACHE_HOME: named, LOCALAPPDATA: local } = env;
  if (named?.startsWith('/')) return named;
  if (platform === 'win32') return local ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']));
}
