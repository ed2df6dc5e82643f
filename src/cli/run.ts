import { parseArgs } from 'node:util';
import { didYouMean, VERSION } from '../ground/index.js';
import { check } from './check.js';
import { type Command, complain, firstLine, linesOf, print, UsageError, type Values } from './command.js';
import { demo } from './demo.js';
import { serve } from './serve.js';
import { translate } from './translate.js';

const COMMANDS: readonly Command[] = [serve, check, translate, demo];

/** Runs the program and gives its exit code. Mistakes get one clear line, never a stack trace. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === '--version' || name === '-v') {
    print(VERSION);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    for (const line of overview()) (name === undefined ? complain : print)(line);
    return name === undefined ? 1 : 0;
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    const close = didYouMean(
      name,
      COMMANDS.map((one) => one.name),
    );
    complain(`interlingua: there is no command ${name}${close === undefined ? '' : `; is ${close} meant?`}`);
    return 1;
  }
  return runCommand(command, rest);
}

function overview(): string[] {
  return [
    'Usage: interlingua COMMAND [OPTIONS]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'Every command has --help. --version prints the version.',
  ];
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parse(command, args);
    if (values.help === true) {
      for (const line of helpOf(command)) print(line);
      return 0;
    }
    if (positionals.length > (command.words ?? 0)) throw new UsageError(`unexpected word ${positionals.at(-1)}`);
    return await command.run(values, positionals);
  } catch (error) {
    for (const line of linesOf(command.name, error)) complain(line);
    return 1;
  }
}

function parse(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    const options = { ...command.options, help: { type: 'boolean', short: 'h' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? firstLine(error.message) : 'the options cannot be read');
  }
}

function helpOf({ name, usage, summary, help }: Command): string[] {
  return [`Usage: interlingua ${name} ${usage}`.trimEnd(), '', summary, '', ...help.map((line) => `  ${line}`)];
}
