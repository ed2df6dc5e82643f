import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { attempt, type Command } from '../support/programs.js';

/** One language: what installs its clients, and the program that asks the gateway with them. */
export interface Language {
  readonly title: string;
  /** Commands without which there is nothing to run. */
  readonly tools: readonly string[];
  /** Brings the clients of the registry; may fail where there is none. */
  install(): readonly Command[];
  /** Makes the program; none where it runs as it is. */
  build(): readonly Command[];
  /** What asks the gateway, once it is installed and built. */
  program(): Command;
}

const sources = (name: string): string => join(PACKAGE_ROOT, 'test', 'clients', name);
/** Nothing is installed below `test/`, which Jest and TypeScript walk through. */
const installed = (name: string): string => join(PACKAGE_ROOT, '.clients', name);

const PYTHON = installed('python');
/** The interpreter that has the clients of Python. */
export const PYTHON_PROGRAM = join(PYTHON, 'bin', 'python');

const GO_PROGRAM = join(installed('go'), 'program');
/** With what is on this machine, and with nothing that others installed. */
const GO = {
  GOFLAGS: '-modcacherw',
  GOMODCACHE: join(installed('go'), 'modules'),
  GOTOOLCHAIN: 'local',
  GOWORK: 'off',
};

const JAVA = installed('java');
const CLASS_PATH = join(JAVA, 'class-path');
const CLASSES = join(JAVA, 'classes');
const classPath = (): string => (existsSync(CLASS_PATH) ? readFileSync(CLASS_PATH, 'utf8').trim() : '');
const javaSources = (): string[] => readdirSync(sources('java')).filter((name) => name.endsWith('.java'));

/** The languages by the word of their script. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    title: 'Python',
    tools: ['python3'],
    install: () => [
      { words: ['python3', '-m', 'venv', PYTHON] },
      {
        words: [
          ...([PYTHON_PROGRAM, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'] as const),
          ...['-r', 'requirements.txt', '-c', 'constraints.txt'],
        ],
      },
    ],
    build: () => [],
    program: () => ({ words: [PYTHON_PROGRAM, '-B', 'main.py'] }),
  },
  go: {
    title: 'Go',
    tools: ['go'],
    install: () => [{ words: ['go', 'mod', 'download'], env: GO }],
    build: () => [{ words: ['go', 'build', '-buildvcs=false', '-o', GO_PROGRAM, '.'], env: GO }],
    program: () => ({ words: [GO_PROGRAM] }),
  },
  java: {
    title: 'Java',
    tools: ['java', 'javac', 'mvn'],
    install: () => [
      {
        words: [
          ...(['mvn', '--batch-mode', '--quiet', `-Dmaven.repo.local=${join(JAVA, 'repository')}`] as const),
          ...['dependency:build-classpath', `-Dmdep.outputFile=${CLASS_PATH}`],
        ],
      },
    ],
    build: () => [{ words: ['javac', '-d', CLASSES, '-cp', classPath(), ...javaSources()] }],
    program: () => ({ words: ['java', '-cp', `${CLASSES}:${classPath()}`, 'Main'] }),
  },
};

/** Runs a command in the folder of a language; gives its last words when it failed. */
export function attemptIn(language: string, command: Command): string | undefined {
  mkdirSync(installed(language), { recursive: true });
  return attempt(command, sources(language));
}

/** Runs the program of a language and gives each line it prints. Resolves with its last words when it failed. */
export function runProgram(
  language: string,
  { words, env }: Command,
  told: string,
  take: (line: string) => void,
): Promise<string | undefined> {
  const [command, ...rest] = words;
  const child = spawn(command, rest, {
    cwd: sources(language),
    env: { ...process.env, ...env, CLIENTS: told },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${text}${piece}`.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said = `${said}${piece}`.slice(-10_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : `${said}\nended with ${code ?? signal}`));
  });
}
