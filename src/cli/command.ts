import type { ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One word after `interlingua`. */
export interface Command {
  /** What follows the name, such as `[--config FILE]`. */
  readonly usage: string;
  readonly options: Options;
  /** One line per option, and whatever else `--help` should say. */
  readonly help: readonly string[];
  /** How many words there may be next to the options. */
  readonly words?: number;
  /** Gives the exit code. */
  run(values: Values, words: readonly string[]): Promise<number>;
}

/** A mistake on the command line: reported in one line, with the exit code 1. */
export class UsageError extends Error {}

/** An option's text, if it was given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of an option that may be given several times, in order. */
export function textsOf(values: Values, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The report of a mistake: one line, or one for each problem of a configuration, and never a stack trace. */
export async function linesOf(command: string, error: unknown): Promise<string[]> {
  // Loaded here, so that what does not fail starts at once.
  const { ConfigError } = await import('../config/index.js');
  if (error instanceof ConfigError) {
    return error.problems.map(({ path, reason }) => (path === '' ? reason : `${path}: ${reason}`));
  }
  return [`interlingua ${command}: ${error instanceof Error ? firstLine(error.message) : 'failed'}`];
}

export function firstLine(text: string): string {
  return text.split('\n')[0]?.replace(/\. To specify .*$/, '') ?? text;
}
