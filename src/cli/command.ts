import type { Command as Parser } from 'commander';

/** The options of a command line by their names in camel case, as their parser left them. */
export type Values = Readonly<Record<string, unknown>>;

/** What one word after `interlingua` does. */
export interface Command {
  /** Adds options, words and whatever else `--help` should say to a parser that has only its name. */
  describe(parser: Parser): void;
  /** What completes its first word, and options by their flags, beside the words to which the parser holds some. */
  readonly completes?: {
    readonly word?: readonly string[];
    readonly options?: Readonly<Record<string, readonly string[]>>;
  };
  /** Whether it hears signals itself; else SIGINT ends the process with 130. */
  readonly hearsSignals?: boolean;
  /** Gives the exit code. `words` are those next to the options. */
  run(values: Values, words: readonly string[]): Promise<number>;
}

/** A command by its name, and what loads it: the others, and the server, cost a start that does not want them nothing. */
export interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** Exit codes next to 0 (cli.md). */
export const EXIT = { failed: 1, invalid: 2, refused: 3, interrupted: 130 } as const;

/** A mistake on the command line: reported in one line, with the exit code 2. */
export class UsageError extends Error {
  /** The word that was not known, and those that are, of which the report names the nearest; `meant` = what was meant is known. */
  readonly unknown: { readonly word: string; readonly known: readonly string[]; readonly meant?: string } | undefined;

  constructor(message: string, unknown?: UsageError['unknown']) {
    super(message);
    this.unknown = unknown;
  }
}

/** Adds an option that takes one of a few words. Another word is a mistake that names the nearest. */
export function addChoice(parser: Parser, flags: string, text: string, words: readonly string[]): void {
  const option = parser.createOption(flags, text).choices(words);
  option.argParser((word) => {
    if (words.includes(word)) return word;
    throw new UsageError(`--${option.name()} must be one of ${words.join(', ')}, not ${word}`, { word, known: words });
  });
  parser.addOption(option);
}

/** Gathers the texts of an option that may be given several times. */
export function gather(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

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

/** Writes a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes text to standard output, and settles when more can be taken: nothing gathers where a reader is slow, or gone. */
export async function write(text: string): Promise<void> {
  if (text === '' || process.stdout.write(text) || process.stdout.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      process.stdout.off('drain', go).off('close', go);
      resolve();
    };
    process.stdout.on('drain', go).on('close', go);
  });
}

/** Writes a line to standard error. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The report of a mistake: one line, or one for each problem of a configuration, and never a stack trace. */
export async function linesOf(command: string, error: unknown): Promise<string[]> {
  // Loaded here, so that what does not fail starts at once.
  const [{ ConfigError, formatProblem }, { didYouMean }] = await Promise.all([
    import('../config/index.js'),
    import('../ground/index.js'),
  ]);
  if (error instanceof ConfigError) return error.problems.map(formatProblem);
  const {
    word = '',
    known = [],
    meant = didYouMean(word, known),
  } = (error instanceof UsageError ? error.unknown : undefined) ?? {};
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return [
    `${`interlingua ${command}`.trimEnd()}: ${error instanceof Error ? firstLine(error.message) : 'failed'}${hint}`,
  ];
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
