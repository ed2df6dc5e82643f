import { CommanderError, Command as Parser } from 'commander';
import { type Command, complain, type Entry, EXIT, linesOf, print, UsageError, type Values } from './command.js';
import { COMMANDS } from './commands.js';

/** Runs the program and gives its exit code. Mistakes get one clear line, never a stack trace. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === '--version' || name === '-V' || name === '-v') {
    // Loaded where it is needed: it brings more than a command line that asks for help wants to wait for.
    print((await import('../ground/index.js')).VERSION);
    return 0;
  }
  if (name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    process.stdout.write(overview());
    return 0;
  }
  if (name === 'help') return runCommandLine([...rest, '--help']);
  const [serve] = COMMANDS;
  if (serve !== undefined && (name === undefined || name.startsWith('-'))) return runCommand(serve, words);
  const entry = COMMANDS.find((one) => one.name === name);
  if (entry !== undefined) return runCommand(entry, rest);
  const error = new UsageError(`unknown command ${name}`, {
    ...{ word: name ?? '', known: namesOfCommands() },
    ...(isConfig(name) && { meant: `serve --config ${name}` }),
  });
  for (const line of await linesOf('', error)) complain(line);
  return EXIT.invalid;
}

function namesOfCommands(): readonly string[] {
  return COMMANDS.map(({ name }) => name);
}

function overview(): string {
  const program = new Parser('interlingua').option('--version', 'print the version').addHelpCommand(false);
  for (const { name, summary } of COMMANDS) program.command(name).summary(summary);
  return `${program.helpInformation()}\nEvery command has --help.\n`;
}

async function runCommand(entry: Entry, args: readonly string[]): Promise<number> {
  try {
    const command = await entry.load();
    const given = parse(entry, command, args);
    if (given === undefined) return 0;
    if (command.hearsSignals !== true) process.once('SIGINT', endInterrupted);
    return await command.run(given.values, given.words);
  } catch (error) {
    for (const line of await linesOf(entry.name, error)) complain(line);
    return error instanceof UsageError ? EXIT.invalid : EXIT.failed;
  } finally {
    process.off('SIGINT', endInterrupted);
  }
}

function endInterrupted(): void {
  process.exit(EXIT.interrupted);
}

/** What a command line says; undefined when it asked for help and got it. Throws UsageError. */
function parse(
  { name, summary }: Entry,
  command: Command,
  args: readonly string[],
): { readonly values: Values; readonly words: readonly string[] } | undefined {
  const parser = new Parser(`interlingua ${name}`)
    .description(summary)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  command.describe(parser);
  try {
    parser.parse(args, { from: 'user' });
    return { values: parser.opts(), words: parser.args };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return undefined;
    if (error.code === 'commander.excessArguments') throw unexpected(parser, parser.args.at(-1) ?? '');
    const [, option] = /^error: unknown option '(--[^'=]*)/.exec(error.message) ?? [];
    const known = [...parser.options.map(({ long }) => long ?? ''), '--help', '--version'];
    throw new UsageError(inOurWords(error.message), option === undefined ? undefined : { word: option, known });
  }
}

/** A word that belongs nowhere, perhaps the file that an option should have named. */
function unexpected(parser: Parser, word: string): UsageError {
  const takesFile = parser.options.some(({ long }) => long === '--config') && isConfig(word);
  const meant = takesFile ? { meant: `--config ${word}` } : {};
  return new UsageError(`unexpected word ${word}`, { word, known: [], ...meant });
}

function isConfig(word = ''): boolean {
  return /\.(?:ya?ml|json)$/i.test(word);
}

/** A message of the parser on one line, without its suggestion: ours are made in one place. */
function inOurWords(message: string): string {
  return message.replace(/^error: /, '').replace(/\s*\(Did you mean [^)]*\)/, '');
}
