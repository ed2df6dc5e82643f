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
  firstLines,
  isFirstRun,
  knownModels,
  leads,
  leadsTo,
  ownFolder,
  type Place,
  placeOf,
  prepare,
  printFor,
  runAgent,
  SHELLS,
  type Shell,
  trustFor,
  usedInWords,
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
      .option('--small <name>', 'the model for its work in the background, where the agent has a setting for one')
      .option('--think <name>', 'the model with which it plans, where the agent has a setting for one')
      .option('--trust', 'lets the agent trust this folder for this run, where it would ask for that')
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
  const [small, think] = [textOf(values, 'small'), textOf(values, 'think')];
  for (const word of [model, small, think]) {
    if (word !== undefined && !leads(config, word))
      throw new UsageError(`unknown model ${word}; known: ${known.join(', ')}`, { word, known });
  }
  if (small !== undefined && !agent.hasSmall)
    complain(`interlingua: ${agent.title} has no setting for a small model: --small has no effect`);
  if (think !== undefined && !agent.hasThink)
    complain(`interlingua: ${agent.title} has no setting for a model that plans: --think has no effect`);
  const wanted = { model, small, think };
  const shell = textOf(values, 'shell') as Shell | undefined;
  if (shell !== undefined && values.print !== true) throw new UsageError('--shell requires --print');
  if (values.print === true) {
    const place = placeOf(config, wanted, process.env);
    if (place === undefined) throw new UsageError('the gateway has keys: set INTERLINGUA_KEY to one of them');
    advise(agent, place);
    const prepared = prepare(agent, place, ownFolder(process.env), process.env);
    const { env } = trustFor(agent, values.trust === true, words, process.env, process.cwd());
    const all = { ...prepared, args: [...prepared.args, ...words], env: { ...prepared.env, ...env } };
    print(printFor(shell ?? 'bash', { agent: name, command: agent.command, ...all }));
    return 0;
  }
  if (agent.printOnly && values.check !== true)
    throw new UsageError(`${agent.title} reads a file of your own: --print shows what belongs into it`);
  const { place, isOwn, passedOver, close } = await attach(file, config, wanted, process.env);
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
    advise(agent, place);
    if (isFirstRun(name, process.env))
      for (const told of firstLines(agent, place, isOwn, (word) => leadsTo(config, word)))
        complain(`interlingua: ${told}`);
    const trust = trustFor(agent, values.trust === true, words, process.env, process.cwd());
    if (trust.advice !== undefined) complain(`interlingua: ${trust.advice}`);
    const begun = new Date();
    const before = await figuresAt(place.url, place.key, begun);
    const prepared = prepare(agent, place, folder.path, process.env);
    const settings = { ...prepared, env: { ...prepared.env, ...trust.env } };
    const { code, signal } = await runAgent(agent, settings, words, process.env);
    const after = await figuresAt(place.url, place.key, begun, true);
    for (const line of usedInWords(before, after)) complain(`interlingua: ${line}`);
    return code ?? endedBy(signal);
  } finally {
    folder.remove();
    await close();
  }
}

/** Says what the user should know before the agent starts. Throws UsageError where it could not start. */
function advise(agent: Agent, place: Place): void {
  const { model, sizes, small = model, smallSizes = sizes } = place;
  for (const [name, { window }] of [[model, sizes] as const, [small, smallSizes] as const]) {
    if (agent.needsWindow && window === undefined)
      throw new UsageError(`${agent.title} needs the window of ${name}: set its contextWindow in the configuration`);
  }
  const advice = agent.advice?.(place);
  if (advice !== undefined) complain(`interlingua: ${advice}`);
}

/** A shell tells an agent that a signal ended by this code. */
function endedBy(signal: NodeJS.Signals | null): number {
  return signal === null ? EXIT.failed : 128 + (constants.signals[signal] ?? 0);
}
