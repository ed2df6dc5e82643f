import {
  type BackendConfig,
  type Config,
  checkExposure,
  configFile,
  loadConfig,
  type TargetConfig,
} from '../config/index.js';
import { presets } from '../presets/index.js';
import { type Command, print, textOf } from './command.js';

/** `interlingua check`: validates a configuration and shows where each model leads; opens no socket. */
export const check: Command = {
  describe(parser) {
    parser.option('--config <file>', 'configuration; found as for serve when left out');
  },
  async run(values) {
    const given = textOf(values, 'config');
    const config = loadConfig(given);
    checkExposure(config, config.listen.host);
    print(`configuration: ${configFile(given) ?? 'none, defaults from the environment'}`);
    for (const line of describe(config)) print(line);
    return 0;
  },
};

function describe(config: Config): string[] {
  const width = widthOf(config.models);
  const backendWidth = widthOf(config.backends);
  return [
    `listen: ${config.listen.host}:${config.listen.port}`,
    `workers: ${config.workers}`,
    `keys: ${config.keys.length === 0 ? `none, anyone ${config.open ? 'who reaches it' : 'on loopback'} may call` : config.keys.map(({ name }) => name).join(', ')}`,
    `losses: ${config.losses.policy}`,
    'backends:',
    ...Object.values(config.backends).map(
      (backend) => `  ${backend.name.padEnd(backendWidth)}  ${describeBackend(backend)}`,
    ),
    'models:',
    ...Object.entries(config.models).flatMap(([name, targets]) =>
      targets.map(
        (target, index) => `  ${(index === 0 ? name : '').padEnd(width)}  -> ${describeTarget(config, target)}`,
      ),
    ),
  ];
}

function widthOf(named: object): number {
  return Object.keys(named).reduce((most, name) => Math.max(most, name.length), 0);
}

/** What the file says, what was filled in from where, and what is so by default. */
function describeBackend({
  preset,
  origins,
  simulator,
  baseUrl,
  query,
  dialect,
  auth,
  apiKey,
  state,
  lacks,
}: BackendConfig): string {
  const known =
    preset === undefined
      ? 'no known host'
      : `${preset.name}, known by ${preset.by === 'name' ? 'its name' : 'its host'}`;
  if (simulator) return `simulator; dialect ${dialect}`;
  const added = preset === undefined ? [] : Object.keys(presets[preset.name].headers ?? {});
  const address = `${baseUrl}${query === undefined ? '' : ' with a query'}`;
  const credential = auth === 'client' || apiKey !== undefined ? auth : `${auth}, no key`;
  return [
    known,
    `dialect ${dialect} (${origins.dialect})`,
    `root ${address} (${origins.baseUrl})`,
    `auth ${credential} (${origins.auth})`,
    `state ${state} (${origins.state})`,
    ...(added.length === 0 ? [] : [`headers ${added.join(', ')} (preset)`]),
    ...(lacks.length === 0 ? [] : [`lacks ${lacks.join(', ')} (preset)`]),
  ].join('; ');
}

function describeTarget(config: Config, { backend, model }: TargetConfig): string {
  const { dialect, baseUrl } = config.backends[backend] ?? {};
  return `${backend} (${dialect}, ${baseUrl ?? 'simulator'}), model ${model ?? 'as asked'}`;
}
