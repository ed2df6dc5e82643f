import { expect } from '@jest/globals';
import { Command as Parser } from 'commander';
import { COMMANDS } from '../../src/cli/commands.js';

/** The lines of a shell text that run the program: as they are written, and the words behind its name. */
export function commandLinesOf(text: string): { line: string; words: string[] }[] {
  return [...text.matchAll(/\binterlingua ([a-z].*)$/gm)].map(([, line = '']) => ({
    line,
    words: [...line.replace(/\s#.*/, '').matchAll(/'([^']*)'|[^\s"()]+/g)].map(([word, quoted]) => quoted ?? word),
  }));
}

/** Expects that the program takes a command line, without running it. */
export async function takeCommandLine([name, ...words]: readonly string[]): Promise<void> {
  const command = await COMMANDS.find((one) => one.name === name)?.load();
  const parser = new Parser(name).exitOverride().configureOutput({ writeErr: () => {} });
  expect(command).toBeDefined();
  command?.describe(parser);
  parser.parse(words, { from: 'user' });
}
