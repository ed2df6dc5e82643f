import { constants } from 'node:os';
import {
  AGENTS,
  type Agent,
  agentNames,
  attach,
  beatenFiles,
  checkAgent,
  createFolder,
  figuresAt,
  figuresBetween,
  inOneLine,
  knownModels,
  leads,
  ownFolder,
  placeOf,
  prepare,
  printFor,
  runAgent,
  SHELLS,
  type Shell,
} from '../launch/index.js';
import { addChoice, type Command, complain, EXIT, print, textOf, UsageError, type Values } from './command.js';
import { readStart, startOf } from './start.js';

const NOTES = `Words behind -- are the agent's own. Nothing is installed, and no file of the agent's is written. A gateway that
runs at the configured address and proves that it has the key in INTERLINGUA_KEY is used, else one is started for as long
as the agent runs.`;

/** `interlingua launch`: runs a coding agent against the gateway. */
export const launch: Command = {
  hearsSignals: true,
  completes: { word: agentNames },
  describe(parser) {
    parser
      .argument('<agent>', agentNames.join(', '))
      .argument('[words...]', 'for the agent, behind --')
      .option('--model <name>', 'the model that the agent is to use, as the gateway names it')
      .option('--config <file>', 'configuration, as with interlingua serve')
      .option('--print', 'prints the settings for a shell and runs nothing')
      .option('--check', 'sends one small request as the agent would and says who answered')
      .addHelpText('after', `\n${NOTES}`);
    addChoice(parser, '--shell <name>', 'the shell to print for; default bash', SHELLS);
  },
  async run(values, [name = '', ...words]) {
    const agent = AGENTS.get(name);
    if (agent === undefined)
      throw new UsageError(`unknown agent ${name}; known: ${agentNames.join(', ')}`, {
        word: name,
        known: agentNames,
      });
    return runWith(name, agent, values, words);
  },
};

async function runWith(name: string, agent: Agent, values: Values, words: readonly string[]): Promise<number> {
  const { file, config } = readStart(startOf({ config: values.config }));
  const known = knownModels(config);
  const model = textOf(values, 'model');
  if (model === undefined) throw new UsageError(`--model is required; known: ${known.join(', ')}`);
  if (!leads(config, model))
    throw new UsageError(`unknown model ${model}; known: ${known.join(', ')}`, { word: model, known });
  const shell = textOf(values, 'shell') as Shell | undefined;
  if (shell !== undefined && values.print !== true) throw new UsageError('--shell requires --print');
  if (values.print === true) {
    const place = placeOf(config, model, process.env);
    if (place === undefined) throw new UsageError('the gateway has keys: set INTERLINGUA_KEY to one of them');
    const prepared = prepare(agent, place, ownFolder(process.env), process.env);
    const all = { ...prepared, args: [...prepared.args, ...words] };
    print(printFor(shell ?? 'bash', { agent: name, command: agent.command, ...all }));
    return 0;
  }
  const { place, dialects, passedOver, close } = await attach(file, config, model, process.env);
  if (passedOver !== undefined) complain(`interlingua: ${passedOver}`);
  const folder = createFolder(process.env);
  try {
    if (values.check === true) {
      const { ok, line, reason } = await checkAgent(agent, place);
      print(line);
      for (const { path, keys } of beatenFiles(agent, process.env, process.cwd()))
        print(`wins over ${path}: ${keys.join(', ')}`);
      if (!ok) complain(`interlingua launch: ${reason}`);
      return ok ? 0 : EXIT.failed;
    }
    const before = await figuresAt(place.url, place.key);
    const prepared = prepare(agent, place, folder.path, process.env);
    const { code, signal } = await runAgent(agent, prepared, words, process.env);
    const after = await figuresAt(place.url, place.key, true);
    complain(`interlingua: ${inOneLine(figuresBetween(before, after), dialects)}`);
    return code ?? endedBy(signal);
  } finally {
    folder.remove();
    await close();
  }
}

/** A shell tells an agent that a signal ended by this code. */
function endedBy(signal: NodeJS.Signals | null): number {
  return signal === null ? EXIT.failed : 128 + (constants.signals[signal] ?? 0);
}
