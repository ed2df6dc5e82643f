import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigInput } from '../../src/config/schema.js';

const program = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'src', 'cli.js');

/** A gateway in a process of its own. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  /** Ends it as a crash would: nothing is written or told any more. */
  kill(): Promise<void>;
}

/** Starts the built program with a configuration file in `folder`, and waits until it listens. */
export async function serve(folder: string, config: ConfigInput): Promise<Served> {
  if (!existsSync(program)) throw new Error('the program is not built: npm run build');
  const file = join(folder, `config-${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--config', file], { cwd: folder });
  const url = await firstLine(child);
  return {
    url: url.replace('interlingua listening on ', ''),
    pid: child.pid ?? 0,
    kill: () =>
      new Promise((resolve) => {
        child.once('close', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let errors = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('close', (code) => reject(new Error(`the program ended with ${code}: ${errors}`)));
  });
}
