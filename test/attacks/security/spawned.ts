import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'dist', 'src', 'cli.js');

/** The built program, with everything that it prints. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves with the address once it listens; rejects when it ends before. */
  readonly url: Promise<string>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** Variables of this machine that would change what the program does. */
const UNSET = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', GEMINI_API_KEY: '', INTERLINGUA_CONFIG: '' };

/** Runs a command of the program with a configuration of its own in `folder`. */
export function spawnProgram(
  folder: string,
  command: string,
  config: object,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Spawned {
  if (!existsSync(program)) throw new Error('the program is not built: npm run build');
  const file = join(folder, `config-${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, [program, command, '--config', file, ...args], {
    cwd: folder,
    env: { ...process.env, ...UNSET, ...env },
  });
  const said = { stdout: '', stderr: '' };
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk;
      const found = /listening on (\S+)\n/.exec(said.stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then((code) => reject(new Error(`the program ended with ${code}: ${said.stderr}`)));
  });
  // Who only waits for the end does not ask for the address.
  url.catch(() => {});
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  return {
    child,
    url,
    ended,
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
  };
}
