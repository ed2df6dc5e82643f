import { text as textOfStream } from 'node:stream/consumers';
import { ConfigError, readConfigText } from '../config/index.js';
import { ImportError, importConfig, lineOf, SOURCES, type SourceName } from '../import/index.js';
import { type Command, complain, print, textOf, UsageError } from './command.js';
import { writeNew } from './write-new.js';

const NOTES = `The file goes to standard output, and what has no place in it, or is something else here, to standard error, a line each. Secrets
are never written: a key in clear becomes a reference to a variable, whose name is reported. Nothing is called.`;

/** `interlingua import`: makes our configuration of another gateway's. */
export const importCommand: Command = {
  completes: { word: SOURCES },
  describe(parser) {
    parser
      .argument('<gateway>', SOURCES.join(', '))
      .argument('[file]', 'its configuration; standard input when - or left out')
      .option('--json', 'prints { config, notes, variables } as JSON')
      .option('--write <file>', 'writes the configuration; not over a file that is there')
      .addHelpText('after', `\n${NOTES}`);
  },
  async run(values, [name = '', file = '-']) {
    const source = SOURCES.find((one) => one === name);
    if (source === undefined)
      throw new UsageError(`unknown gateway ${name}; known: ${SOURCES.join(', ')}`, { word: name, known: SOURCES });
    const { config, notes, variables, text } = read(source, await textAt(file), file === '-' ? 'standard input' : file);
    const target = textOf(values, 'write');
    if (target !== undefined) writeNew('import', target, text);
    if (values.json === true) print(JSON.stringify({ config, notes, variables }));
    else {
      if (target === undefined) process.stdout.write(text);
      for (const note of notes) complain(lineOf(note));
      if (variables.length > 0) complain(`set in the environment: ${variables.join(', ')}`);
    }
    return 0;
  },
};

function read(source: SourceName, text: string, file: string): ReturnType<typeof importConfig> {
  try {
    return importConfig(source, text, file);
  } catch (error) {
    throw error instanceof ImportError ? new UsageError(error.message) : error;
  }
}

async function textAt(file: string): Promise<string> {
  if (file === '-') {
    if (process.stdin.isTTY)
      complain('interlingua import: reading from the terminal; Ctrl-D on an empty line ends the input');
    return textOfStream(process.stdin);
  }
  try {
    return readConfigText(file)?.text ?? '';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(`${file} ${error.problems[0]?.reason ?? 'cannot be read'}`);
  }
}
