import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../support/programs.js';
import { INSTALLED } from './servers.js';

/** A server that answers. */
export interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** A server of Python may take minutes to start on a busy machine. */
const PATIENCE_MS = 600_000;

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Starts a server with its output in `NAME.log`, and waits until it answers `ready`. Rejects when it ends before. */
export async function startServer(
  name: string,
  { words: [command, ...rest], env }: Command,
  port: number,
  ready: string,
): Promise<Running> {
  const log = createWriteStream(join(INSTALLED, `${name}.log`));
  // A group of its own, so that what it started ends with it; politely, for others work on the machine as well.
  const child = spawn('nice', ['-n', '10', command, ...rest], {
    cwd: INSTALLED,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  let ended: string | undefined;
  const gone = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ended = error.message;
      resolve();
    });
    child.once('exit', (code, signal) => {
      ended = `it ended with ${code ?? signal}: ${name}.log says why`;
      resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    if (child.pid !== undefined && ended === undefined) process.kill(-child.pid, 'SIGTERM');
    const late = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 20_000);
    await gone;
    clearTimeout(late);
  };
  const limit = performance.now() + PATIENCE_MS;
  while (ended === undefined && performance.now() < limit) {
    const answer = await fetch(url + ready, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
    if (answer?.status === 200) return { url, close };
    await sleep(1000);
  }
  await close();
  throw new Error(ended ?? `it does not answer ${ready}`);
}
