import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConfigInput } from '../../../src/config/schema.js';
import { PACKAGE_ROOT } from '../package-root.js';

/** What a program holds, as it tells of itself. Sizes in bytes, times in ms. */
export interface Holding {
  readonly memory: Readonly<Record<'rss' | 'heapUsed' | 'external' | 'arrayBuffers', number>>;
  /** Processor time since the start. */
  readonly cpuMs: number;
  /** Delay of the event loop since the last question that forgot. */
  readonly loop: Readonly<Record<'p50' | 'p99' | 'max', number>>;
  /** Handles and requests by their kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Listeners of the process by event. */
  readonly listeners: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** The gateway as a process of its own, started from its command line. */
export interface Program {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Everything written on stderr so far. */
  readonly stderr: string;
  /** Collects garbage first, unless told not to; `forget` starts the loop's figures anew. */
  holding(options?: { readonly collect?: boolean; readonly forget?: boolean }): Promise<Holding>;
  signal(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>;
  /** Ends it at once if it still runs. */
  close(): Promise<void>;
}

const probe = pathToFileURL(join(PACKAGE_ROOT, 'test/support/load/probe.js')).href;
const NO_KEYS = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', GEMINI_API_KEY: '', INTERLINGUA_CONFIG: '' };
/** How long a program may take to start or to answer, in ms. */
const PATIENCE_MS = 60_000;

/** The program under test; `INTERLINGUA_PROGRAM` names another build. */
function programFile(): string {
  const file = process.env.INTERLINGUA_PROGRAM ?? join(PACKAGE_ROOT, 'dist', 'src', 'cli.js');
  if (!existsSync(file)) throw new Error(`the program is not built: ${file}`);
  return file;
}

/** Starts `interlingua serve` and waits until it listens. `port` 0 takes a free one. Nothing warms it, so that what it holds is what requests left. */
export function startProgram(config: ConfigInput, port = 0): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-long-'));
  const file = join(folder, 'interlingua.json');
  writeFileSync(file, JSON.stringify(config));
  const words = [programFile(), 'serve', '--no-warm-up', '--config', file, '--port', String(port)];
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, ...words], {
    cwd: folder,
    env: { ...process.env, ...NO_KEYS },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return listening(child, folder);
}

/** Starts a script of its own that prints `listening on URL`. */
export function startScript(file: string, words: readonly string[]): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-long-'));
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, file, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return listening(child, folder);
}

async function listening(child: ChildProcess, folder: string): Promise<Program> {
  let stderr = '';
  child.stderr?.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    rmSync(folder, { recursive: true, force: true });
    return (code ?? signal) as number | string;
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the program does not listen')), PATIENCE_MS);
    child.stdout?.on('data', (text: Buffer) => {
      const found = /listening on (\S+)/.exec(text.toString())?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    });
    exited.then((end) => {
      clearTimeout(late);
      reject(new Error(`the program ended with ${end}: ${stderr}`));
    });
  }).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  let questions = 0;
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    get stderr() {
      return stderr;
    },
    holding: ({ collect = true, forget = false } = {}) => {
      questions += 1;
      return ask(child, { probe: questions, collect, forget });
    },
    signal: (name) => child.kill(name),
    exited,
    close: kill,
  };
}

function ask(child: ChildProcess, question: { readonly probe: number; collect: boolean; forget: boolean }) {
  return new Promise<Holding>((resolve, reject) => {
    const end = (): void => {
      clearTimeout(late);
      child.off('message', take);
      child.off('exit', gone);
    };
    const take = (answer: unknown): void => {
      const told = answer as Holding & { readonly probe?: number };
      if (told.probe !== question.probe) return;
      end();
      resolve(told);
    };
    const gone = (): void => {
      end();
      reject(new Error('the program has ended'));
    };
    const late = setTimeout(() => {
      end();
      reject(new Error('the program does not answer its probe'));
    }, PATIENCE_MS);
    child.on('message', take);
    child.on('exit', gone);
    child.send(question);
  });
}
