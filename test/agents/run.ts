import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../support/gateway/program.js';
import type { Agent, Task } from './agents.js';

const packages = join(dirname(fileURLToPath(import.meta.url)), 'node_modules');

/** Whether an agent is installed and starts on this machine; says so in one line where not. */
export function isPresent({ title, script }: Agent): boolean {
  const { status } = spawnSync(process.execPath, [join(packages, script), '--version'], { timeout: 60_000 });
  if (status !== 0)
    process.stdout.write(`${title} is left out: it does not start here. \`npm run agents\` installs it.\n`);
  return status === 0;
}

/** What an agent left behind. */
export interface Outcome {
  /** null when it had to be ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where nobody listens: what is not on this machine fails at once instead of waiting for a network. */
const NOWHERE = 'http://127.0.0.1:9';

/** Lets an agent do a task in `folder`, for at most `seconds`. Nothing of the caller's environment reaches it. */
export async function runAgent(agent: Agent, task: Task, folder: string, seconds: number): Promise<Outcome> {
  const { args, env, files = {} } = agent.start(task);
  for (const [path, text] of Object.entries(files)) {
    const file = join(task.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return run([join(packages, agent.script), ...args], { ...task, folder, seconds, env });
}

/** What `interlingua launch` is to start, with further words for it and for the agent. */
interface LaunchTask extends Pick<Task, 'prompt' | 'home'> {
  readonly model: string;
  readonly config: string;
  readonly options?: readonly string[];
  /** In the place of those for a task that nobody is asked about. */
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Lets `interlingua launch` start an agent for a prompt. */
export function launchAgent(agent: Agent, task: LaunchTask, folder: string, seconds: number): Promise<Outcome> {
  const { name, env } = agent.launched;
  const { model, config, options = [], words: own = agent.words(task.prompt) } = task;
  const words = ['launch', name, '--model', model, ...options, '--config', config, '--', ...own];
  // The packages were installed without their scripts, which would have made some of their commands.
  const commands = join(task.home, 'bin');
  mkdirSync(commands, { recursive: true });
  const script = `#!/bin/sh\nexec "${process.execPath}" "${join(packages, agent.script)}" "$@"\n`;
  writeFileSync(join(commands, name), script, { mode: 0o755 });
  const PATH = `${commands}${delimiter}${process.env.PATH ?? ''}`;
  return run([PROGRAM, ...words], { home: task.home, folder, seconds, env: { PATH, ...env(task.home), ...task.env } });
}

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly seconds: number;
  readonly env: Readonly<Record<string, string>>;
}

async function run(words: readonly string[], { home, folder, seconds, env }: Place): Promise<Outcome> {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: home,
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      NO_PROXY: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it.
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const limit = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, seconds * 1000);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve({ code, stdout, stderr });
    });
  });
}
