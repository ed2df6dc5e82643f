import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PACKAGE_ROOT } from '../package-root.js';

/** The built program; the environment may name another build. */
export const PROGRAM = process.env.INTERLINGUA_TEST_PROGRAM ?? join(PACKAGE_ROOT, 'dist', 'src', 'cli.js');

const NO_KEYS = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', GEMINI_API_KEY: '', INTERLINGUA_CONFIG: '' };

/** A folder with the processes that were started in it. */
export interface Workplace {
  readonly folder: string;
  /** Writes a file and gives its path. */
  file(name: string, text: string): string;
  /** `flags`: those of Node.js. */
  start(args: readonly string[], env?: Record<string, string>, flags?: readonly string[]): ChildProcess;
  /** Starts a server on a free port and waits for its first lines. */
  serve(
    args: readonly string[],
    options?: { lines?: number; env?: Record<string, string>; flags?: readonly string[] },
  ): Promise<Served>;
  /** Ends every process that was started here. */
  end(): Promise<void>;
}

export interface Served {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly url: string;
  /** Everything on standard error so far. */
  logs(): string;
  /** The lines of the log. */
  entries(): Record<string, unknown>[];
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
}

export function createWorkplace(): Workplace {
  if (!existsSync(PROGRAM)) throw new Error('the program is not built: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-life-'));
  const running = new Set<ChildProcess>();
  const start: Workplace['start'] = (args, env = {}, flags = []) => {
    const child = spawn(process.execPath, [...flags, PROGRAM, ...args], {
      cwd: folder,
      env: { ...process.env, ...NO_KEYS, ...env },
    });
    running.add(child);
    child.on('exit', () => running.delete(child));
    return child;
  };
  return {
    folder,
    start,
    file(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    async serve(args, { lines = 1, env, flags } = {}) {
      const child = start(['serve', '--port', '0', ...args], env, flags);
      let text = '';
      let errors = '';
      child.stderr?.on('data', (chunk) => {
        errors += chunk;
      });
      const exit = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
      await new Promise<void>((resolve, reject) => {
        child.stdout?.on('data', (chunk) => {
          text += chunk;
          if (text.split('\n').length > lines) resolve();
        });
        child.on('close', (code) => reject(new Error(`exited with ${code}: ${errors}`)));
      });
      const shown = text.trimEnd().split('\n');
      return {
        child,
        lines: shown,
        url: shown[0]?.replace('interlingua listening on ', '') ?? '',
        logs: () => errors,
        entries: () =>
          errors
            .split('\n')
            .filter((line) => line.startsWith('{') && line.endsWith('}'))
            .map((line) => JSON.parse(line)),
        exit,
      };
    },
    async end() {
      for (const child of running) child.kill('SIGKILL');
      await until(() => running.size === 0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Looks until it is so; rejects after thirty seconds. */
export async function until(reached: () => boolean | Promise<boolean>, what = 'what was waited for'): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await reached())) {
    if (performance.now() > end) throw new Error(`${what} did not come about`);
    await sleep(10);
  }
}
