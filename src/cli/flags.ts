import { accessSync, constants } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * What the program wants of V8. In a process without work V8 makes up to three collections that throw compiled code away, so that the
 * next requests are slow again (docs/internals/decisions/0031-cold-and-small.md); set at run time the flag does nothing. On Node.js 20 a second
 * one lets `app/idle-memory.ts` collect what can be collected without that; later versions keep the pages, so that nothing is won.
 */
export const V8_FLAGS: readonly string[] = [
  '--no-memory-reducer',
  ...(Number.parseInt(process.versions.node, 10) < 22 ? ['--expose-gc'] : []),
];

/** The newest Node.js that is known to have them: another would end at a flag that it does not know. */
const NEWEST_TRIED = 26;

/** With so few processors the threads that would help to collect wait for the turn of those that do other work. */
const FEW_PROCESSORS = 2;
const COLLECTS_ALONE = '--no-parallel-scavenge';

/** Whether a command line begins a server that is to be fast from its start on: only that lives so long. */
export function isServing(words: readonly string[]): boolean {
  const [name] = words;
  if (words.includes('--no-warm-up')) return false;
  if (name === undefined || name === 'serve') return true;
  return name.startsWith('-') && !/^(?:-h|--help|-v|-V|--version)$/.test(name);
}

/** Of the process, what tells whether it can begin anew. */
export interface Renewable {
  readonly platform: string;
  readonly version: string;
  readonly execPath: string;
  readonly execArgv: readonly string[];
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The connection to a process that started this one, which a new program would not know. */
  readonly channel?: unknown;
  /**
   * From Node.js 22.15 on: the process goes on as another program, with its id and the three streams that it began with. Where the
   * system call fails Node.js ends the process.
   */
  execve?(file: string, args: readonly string[], env: NodeJS.ProcessEnv): unknown;
}

/** Whether whoever started Node.js with these words has chosen between V8's ways already. */
export function isDecided(execArgv: readonly string[]): boolean {
  return execArgv.some((word) => /^--(?:no[-_]?)?memory[-_]reducer$/.test(word));
}

/**
 * Goes on as the same program with {@link V8_FLAGS}, where Node.js can and nobody has said otherwise; returns where it cannot, and
 * where a debugger waits for this very process. Whoever starts it with `node` can give them there.
 */
export function renewWithFlags(self: Renewable): void {
  const { platform, version, execPath, execArgv, argv, env, channel, execve } = self;
  if (Number.parseInt(version.slice(1), 10) > NEWEST_TRIED) return;
  const isDebugged = execArgv.some((word) => word.startsWith('--inspect'));
  if (execve === undefined || platform === 'win32' || channel !== undefined || isDebugged || isDecided(execArgv))
    return;
  try {
    accessSync(execPath, constants.X_OK);
    execve.call(self, execPath, [execPath, ...V8_FLAGS, ...execArgv, ...argv.slice(1)], env);
  } catch {
    // The file is gone, or Node.js' permissions forbid it: the program runs without them.
  }
}

/** What is set at run time, with the flags of Node.js and how many processors the process may use. */
export interface Machine {
  readonly execArgv: readonly string[];
  readonly processors: number;
  set(flag: string): void;
}

const MACHINE: Machine = {
  execArgv: process.execArgv,
  processors: availableParallelism(),
  set: setFlagsFromString,
};

/**
 * Has the main thread collect the young generation without the help of others where the machine has few processors and nobody has
 * chosen: a collection waits for each of V8's four helpers, also for those that found nothing to do
 * (docs/internals/decisions/0049-first-requests-and-pauses.md).
 */
export function collectAlone({ execArgv, processors, set }: Machine = MACHINE): void {
  const isChosen = execArgv.some((word) => /^--(?:no[-_]?)?parallel[-_]scavenge$/.test(word));
  if (processors <= FEW_PROCESSORS && !isChosen) set(COLLECTS_ALONE);
}
