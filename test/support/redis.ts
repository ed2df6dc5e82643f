import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';

/** A server named by the environment, which is preferred to one that a test starts. */
const GIVEN = process.env.INTERLINGUA_TEST_REDIS ?? '';

/** Whether `startOwnRedis` can start one. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;
export const redisPresent = GIVEN !== '' || redisInstalled;
export const REDIS_ABSENT = '(skipped: there is no redis-server on this machine and INTERLINGUA_TEST_REDIS names none)';

export interface TestRedis {
  readonly url: string;
  /** The process, where it is one of our own. */
  readonly process?: ChildProcess;
  close(): Promise<void>;
}

/** The given server, or one of our own on a free port that keeps nothing on disk. */
export async function startRedis(): Promise<TestRedis> {
  return GIVEN === '' ? startOwnRedis() : { url: GIVEN, close: async () => {} };
}

/** One of our own, which a test may stop. */
export async function startOwnRedis(): Promise<TestRedis> {
  const port = await freePort();
  const server = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  await ready(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    process: server,
    close: () =>
      new Promise((resolve) => {
        server.once('close', () => resolve());
        server.kill('SIGKILL');
      }),
  };
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('Ready to accept connections')) resolve();
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
