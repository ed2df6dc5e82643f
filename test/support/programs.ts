import { spawnSync } from 'node:child_process';

/** Words of a command line, and what it needs besides the environment. */
export interface Command {
  readonly words: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command in a folder; gives its last words when it failed. */
export function attempt({ words: [command, ...rest], env }: Command, folder: string): string | undefined {
  const done = spawnSync(command, rest, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 100_000_000,
  });
  if (done.status === 0) return undefined;
  return done.error?.message ?? `${done.stdout}\n${done.stderr}`.trim().split('\n').slice(-5).join('\n');
}

/** What a command prints; throws where it fails. */
export function printed({ words: [command, ...rest], env }: Command): string {
  const { status, stdout, error } = spawnSync(command, rest, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? `ended with ${status}`}`);
  return stdout.trim();
}

/** Whether a command is on this machine. */
export function isThere(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}
