import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { errorCode, jsonFault } from '../ground/index.js';
import { type Environment, markVariables } from './environment.js';
import { ConfigError, type Problem, parsePath } from './problem.js';
import { createLocator, parseYaml, YamlError } from './yaml.js';

const FILES = ['interlingua.yaml', 'interlingua.yml', 'interlingua.json'];

/** The name of the configuration file that counts: the given one, else the environment's, else one in the working directory. */
export function findFile(given: string | undefined, environment: Environment): string | undefined {
  const named = given ?? environment.INTERLINGUA_CONFIG;
  if (named !== undefined && named !== '') return named;
  return FILES.find((name) => existsSync(name));
}

/** A configuration as it lies in its file. */
export interface ConfigText {
  /** As who started the gateway knows it. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** The largest configuration file, in MB. Some ten thousand models take one. */
const MOST_MB = 16;

/** Reads one file. Throws ConfigError with one line that names it. */
export function readConfigFile(name: string): ConfigText {
  const path = resolve(name);
  let text: string | undefined;
  try {
    text = readUpTo(path, MOST_MB * 1024 * 1024);
  } catch (error) {
    const reason = `cannot be read (${errorCode(error) ?? 'unknown reason'})`;
    throw new ConfigError([{ file: name, path: '', reason }]);
  }
  if (text === undefined) throw new ConfigError([{ file: name, path: '', reason: `is larger than ${MOST_MB} MB` }]);
  return { name, path, text: text.replace(/^\uFEFF/, '') };
}

/** The text of a file; undefined for one that has more bytes than `limit`. Devices tell no size, and may have no end. */
function readUpTo(path: string, limit: number): string | undefined {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= limit; ) {
      const piece = Buffer.allocUnsafe(64 * 1024);
      const read = readSync(file, piece);
      if (read === 0) return Buffer.concat(pieces, length).toString();
      pieces.push(piece.subarray(0, read));
      length += read;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Parses what was read. Throws ConfigError with one line that names the place of the fault, and quotes nothing. */
export function parseConfigFile({ name, path, text }: ConfigText): unknown {
  const marked = markVariables(text);
  const value = extname(path) === '.json' ? parseJson(marked, name) : parseYamlFile(marked, name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const what = value === null || value === undefined ? 'the file is empty' : 'the file is not a map';
  throw new ConfigError([{ file: name, line: 1, column: 1, path: '', reason: `${what}; ${LEAST}` }]);
}

/** The least that a file must say. */
const LEAST = `write \`backends: { NAME: { preset: anthropic, apiKey: "\${ANTHROPIC_API_KEY}" } }\`, or leave the file out`;

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const reason = 'invalid JSON from here; check commas, quotes and brackets';
    const { line, column } = jsonFault(text) ?? {};
    throw new ConfigError([{ file, line, column, path: '', reason }]);
  }
}

function parseYamlFile(text: string, file: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ConfigError([{ file, ...error.place, path: '', reason: `invalid YAML: ${error.message}` }]);
  }
}

/** Adds the place in the file to problems that do not know theirs. */
export function locateProblems({ name, text }: ConfigText, problems: readonly Problem[]): readonly Problem[] {
  let find: ReturnType<typeof createLocator> | undefined;
  return problems.map((problem) => {
    if (problem.file !== undefined || !problem.path.match(/^[\w[]/)) return problem;
    find ??= createLocator(markVariables(text));
    return { ...problem, file: name, ...find(parsePath(problem.path), problem.reason.startsWith('unknown key')) };
  });
}
