import { spawn } from 'node:child_process';
import type { Agent, Settings } from './agent.js';

/** How an agent ended: a code, or the signal that ended it. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Signals that are meant for the agent. */
const PASSED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** These a terminal sends to the agent itself, whose group is ours. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/** Runs an agent on our terminal until it ends. Rejects when it cannot be started. */
export function runAgent(
  { command, title, install }: Agent,
  { args, env }: Settings,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Ended> {
  const child = spawn(command, [...args, ...words], { stdio: 'inherit', env: { ...environment, ...env } });
  const pass = (signal: NodeJS.Signals): void => {
    if (process.stdin.isTTY !== true || !FROM_TERMINAL.includes(signal)) child.kill(signal);
  };
  for (const signal of PASSED) process.on(signal, pass);
  return new Promise<Ended>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new Error(`${title} is not installed: ${install}`) : error);
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  }).finally(() => {
    for (const signal of PASSED) process.off(signal, pass);
  });
}
