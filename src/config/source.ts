import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { errorCode, errorMessage } from '../ground/index.js';
import { type Environment, markVariables } from './environment.js';
import { ConfigError } from './problem.js';
import { parseYaml } from './yaml.js';

const FILES = ['interlingua.yaml', 'interlingua.yml', 'interlingua.json'];

/** The configuration file that counts: the given one, else the environment's, else one in the working directory. */
export function findFile(given: string | undefined, environment: Environment): string | undefined {
  const named = given ?? environment.INTERLINGUA_CONFIG;
  if (named !== undefined && named !== '') return resolve(named);
  return FILES.map((name) => resolve(name)).find((path) => existsSync(path));
}

/** A configuration as it lies in its file. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
}

/** The largest configuration file, in MB. Some ten thousand models take one. */
const MOST_MB = 16;

/** Reads one file. Throws ConfigError with one line that names it. */
export function readConfigFile(path: string): ConfigText {
  let text: string | undefined;
  try {
    text = readUpTo(path, MOST_MB * 1024 * 1024);
  } catch (error) {
    throw new ConfigError([{ path, reason: `cannot be read (${errorCode(error) ?? 'unknown reason'})` }]);
  }
  if (text === undefined) throw new ConfigError([{ path, reason: `is larger than ${MOST_MB} MB` }]);
  return { path, text };
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

/** Parses what was read. Throws ConfigError with one line that names the file and the place of the fault. */
export function parseConfigFile(file: ConfigText): unknown {
  const { path } = file;
  const text = markVariables(file.text);
  try {
    return extname(path) === '.json' ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    throw new ConfigError([
      { path, reason: `is no valid ${extname(path) === '.json' ? 'JSON' : 'YAML'}${place(error)}` },
    ]);
  }
}

/** Line and column where the parser gives them. Its message is left out: it quotes the file, and the file holds keys. */
function place(error: unknown): string {
  const found = /line (\d+),? column (\d+)/.exec(errorMessage(error));
  return found === null ? '' : ` at line ${found[1]}, column ${found[2]}`;
}
