import { parseArgs } from 'node:util';
import { type Command, complain, firstLine, linesOf, print, UsageError, type Values } from './command.js';

/** A command by its name, and what loads it: the others, and the server, cost a start that does not want them nothing. */
interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

const COMMANDS: readonly Entry[] = [
  {
    name: 'serve',
    summary: 'Runs the gateway.',
    load: async () => (await import('./serve.js')).serve,
  },
  {
    name: 'check',
    summary: 'Validates a configuration and prints where each model leads.',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'translate',
    summary: 'Translates a body or a stream: the translation goes to stdout, the losses to stderr.',
    load: async () => (await import('./translate.js')).translate,
  },
  {
    name: 'demo',
    summary: 'Runs one streamed conversation with a tool through all sixteen pairs, on the built-in simulator.',
    load: async () => (await import('./demo.js')).demo,
  },
];

/** Runs the program and gives its exit code. Mistakes get one clear line, never a stack trace. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === '--version' || name === '-v') {
    print((await ground()).VERSION);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    for (const line of overview()) (name === undefined ? complain : print)(line);
    return name === undefined ? 1 : 0;
  }
  const entry = COMMANDS.find((one) => one.name === name);
  if (entry === undefined) {
    const { didYouMean } = await ground();
    const close = didYouMean(
      name,
      COMMANDS.map((one) => one.name),
    );
    complain(`interlingua: there is no command ${name}${close === undefined ? '' : `; is ${close} meant?`}`);
    return 1;
  }
  return runCommand(entry, rest);
}

/** Loaded where it is needed: it brings more than a command line that asks for help wants to wait for. */
const ground = () => import('../ground/index.js');

function overview(): string[] {
  return [
    'Usage: interlingua COMMAND [OPTIONS]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'Every command has --help. --version prints the version.',
  ];
}

async function runCommand(entry: Entry, args: readonly string[]): Promise<number> {
  try {
    const command = await entry.load();
    const { values, positionals } = parse(command, args);
    if (values.help === true) {
      for (const line of helpOf(entry, command)) print(line);
      return 0;
    }
    if (positionals.length > (command.words ?? 0)) throw new UsageError(`unexpected word ${positionals.at(-1)}`);
    return await command.run(values, positionals);
  } catch (error) {
    for (const line of await linesOf(entry.name, error)) complain(line);
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

function helpOf({ name, summary }: Entry, { usage, help }: Command): string[] {
  return [`Usage: interlingua ${name} ${usage}`.trimEnd(), '', summary, '', ...help.map((line) => `  ${line}`)];
}
