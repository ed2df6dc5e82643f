import { type DialectId, dialectIds } from '../../translators/index.js';
import { BACKEND_KEY } from '../config/index.js';
import { isPresetName, type PresetName, presetNames, presets } from '../presets/index.js';
import {
  BOUNDS,
  blockOf,
  differences,
  differencesLines,
  headOf,
  hostsAt,
  notesOf,
  type ProbeReport,
  printBlock,
  probe as probeServer,
  tableOf,
} from '../probe/index.js';
import {
  addChoice,
  type Command,
  complain,
  EXIT,
  gather,
  print,
  textOf,
  textsOf,
  UsageError,
  type Values,
} from './command.js';
import { mayProbe } from './probe-consent.js';
import { writeNew } from './write-new.js';

const NOTES = `The key is that of --key, else of ${BACKEND_KEY}, else of the variable of the preset; it is sent to the given address alone.
Exit codes: 0 = an endpoint answered, 1 = none did, none was asked, or the file was not written, 2 = a mistake on the command line.`;

/** `interlingua probe`: finds out what a server does, and what to write into a configuration for it. */
export const probe: Command = {
  describe(parser) {
    parser
      .argument('<url>', 'the address of the server, such as http://127.0.0.1:8000')
      .option(
        '--key <key>',
        'the key of the server; a variable of the environment keeps it out of the list of processes',
      )
      .option('--model <name>', 'the model to ask; else the first of the list')
      .option('--calls <number>', `most calls, 1 to ${BOUNDS.calls}`)
      .option('--seconds <number>', `most time for all of them, 1 to 3600; default ${BOUNDS.seconds}`)
      .option('--yes', 'calls a public host without a question')
      .option('--json', 'prints what was found as JSON')
      .option('--write <file>', 'writes a configuration for the server; not over a file that is there')
      .addHelpText('after', `\n${NOTES}`);
    addChoice(
      parser,
      '--preset <name>',
      'the host that it is to be held to; else the one that it shows to be',
      presetNames,
    );
    const dialect = parser
      .createOption('--dialect <id>', 'asks this endpoint alone, and so more of it; may be given several times')
      .choices(dialectIds);
    dialect.argParser<readonly string[]>((word, before) => {
      if (dialectIds.some((id) => id === word)) return gather(word, before);
      throw new UsageError(`--dialect must be one of ${dialectIds.join(', ')}, not ${word}`, {
        word,
        known: dialectIds,
      });
    });
    parser.addOption(dialect);
  },
  async run(values, [url = '']) {
    const asked = askedOf(values, url);
    const { key, model } = asked;
    if (!(await mayProbe([{ url, calls: asked.calls, hasKey: key !== undefined, model }], values))) {
      complain('interlingua probe: nothing was sent');
      return EXIT.failed;
    }
    const report = await probeServer(asked);
    const block = blockOf(report, key !== undefined);
    const found = differences(report, asked.preset);
    const file = textOf(values, 'write');
    const text = block === undefined ? undefined : printBlock(report, block);
    if (values.json === true) print(JSON.stringify({ ...report, differences: found, block: block ?? null }, null, 2));
    else for (const line of linesOf(report, asked.preset, found, text, process.stdout.isTTY === true)) print(line);
    if (text === undefined) {
      complain(`interlingua probe: no endpoint answers${reasonOf(report)}`);
      return EXIT.failed;
    }
    if (file !== undefined) writeNew('probe', file, text);
    return 0;
  },
};

function askedOf(values: Values, url: string) {
  const isUrl = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isUrl) throw new UsageError(`${url} is no address: give one such as http://127.0.0.1:8000`);
  const { username, password, hash } = new URL(url);
  if (username !== '' || password !== '') throw new UsageError('the address must not contain credentials: use --key');
  if (hash !== '') throw new UsageError('the address must have no fragment');
  const word = textOf(values, 'preset') ?? '';
  const preset = isPresetName(word) ? word : undefined;
  const wanted = textsOf(values, 'dialect');
  const dialects = dialectIds.filter((id) => wanted.includes(id));
  const [model, key] = [textOf(values, 'model'), keyOf(values, preset)];
  const asked = {
    url,
    ...(key !== undefined && { key }),
    ...(model !== undefined && { model }),
    ...(preset !== undefined && { preset }),
    ...(dialects.length > 0 && { dialects }),
    calls: numberOf(values, 'calls', BOUNDS.calls) ?? BOUNDS.calls,
    seconds: numberOf(values, 'seconds', 3600) ?? BOUNDS.seconds,
  };
  // Says what is wrong with them before anybody is asked.
  hostsAt(asked);
  return asked satisfies { readonly dialects?: readonly DialectId[] };
}

function keyOf(values: Values, preset: PresetName | undefined): string | undefined {
  const variables = [BACKEND_KEY, ...(preset === undefined ? [] : [presets[preset].variable ?? ''])];
  const known = variables.map((name) => process.env[name]).find((value) => value !== undefined && value !== '');
  return textOf(values, 'key') ?? known;
}

function numberOf(values: Values, name: string, most: number): number | undefined {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} must be a number from 1 to ${most}, not ${text}`);
}

function linesOf(
  report: ProbeReport,
  preset: PresetName | undefined = report.server.preset,
  found: ReturnType<typeof differences>,
  text: string | undefined,
  isTerminal: boolean,
): readonly string[] {
  if (text === undefined) return headOf(report);
  const title =
    preset === undefined ? [] : ['', `differs from the preset ${preset}:${found.length === 0 ? ' nothing' : ''}`];
  const isColoured = isTerminal && (process.env.NO_COLOR ?? '') === '';
  return [
    ...headOf(report),
    '',
    ...tableOf(report, isColoured),
    '',
    ...notesOf(report),
    ...title,
    ...differencesLines(found).map((line) => `  ${line}`),
    '',
    'to write into a configuration:',
    '',
    text.trimEnd(),
  ];
}

function reasonOf({ stopped, endpoints }: ProbeReport): string {
  if (stopped !== undefined) return `: ${stopped}`;
  const [first] = endpoints;
  return first?.reason === undefined ? '' : `: ${first.reason}`;
}
