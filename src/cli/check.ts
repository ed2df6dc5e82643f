import {
  type BackendConfig,
  type Config,
  ConfigError,
  checkExposure,
  configFile,
  configSchema,
  createTargets,
  learnableOf,
  loadConfig,
} from '../config/index.js';
import { type FactsOf, linesOfModels, modelTable } from '../models/index.js';
import { presets } from '../presets/index.js';
import { openFacts } from './check-models.js';
import { type Command, EXIT, print, textOf } from './command.js';

/** `interlingua check`: validates a configuration and shows where each model leads; opens no socket unless it is told to ask hosts. */
export const check: Command = {
  describe(parser) {
    parser
      .option('--config <file>', 'configuration; found as for serve when left out')
      .option('--ask-hosts', 'ask each backend what it tells of its models')
      .option('--json', 'print what was found, or the mistakes, as JSON')
      .option('--print-schema', 'print the JSON Schema of the file, and check nothing')
      .option(
        '--probe',
        'asks the backends whether they do what the configuration and the presets say; exits with 1 where not',
      )
      .option('--yes', 'with --probe: calls public hosts without a question');
  },
  async run(values) {
    if (values.printSchema === true) {
      print(JSON.stringify(configSchema(), null, 2));
      return 0;
    }
    const given = textOf(values, 'config');
    const asJson = values.json === true;
    try {
      const config = loadConfig(given);
      checkExposure(config, config.listen.host);
      // Loaded here: a check as such calls nobody.
      if (values.probe === true) return await (await import('./check-probe.js')).checkByProbing(config, values);
      const factsOf = await openFacts(config, values.askHosts === true);
      if (asJson) print(JSON.stringify(summaryOf(config, factsOf), null, 2));
      else
        for (const line of [`configuration: ${configFile(given) ?? NO_FILE}`, ...describe(config, factsOf)])
          print(line);
      return 0;
    } catch (error) {
      if (!asJson || !(error instanceof ConfigError)) throw error;
      const problems = error.problems.map(({ reason, ...place }) => ({ ...place, message: reason }));
      print(JSON.stringify({ problems }, null, 2));
      return EXIT.failed;
    }
  },
};

const NO_FILE = 'none, defaults from the environment';

/** What programs want to know of a configuration; it holds no key. */
function summaryOf(config: Config, factsOf: FactsOf) {
  const { backends, store, metrics } = config;
  return {
    backends: Object.values(backends).map((backend) => {
      const { name, dialect, baseUrl, auth, state } = backend;
      const endpoints = backend.endpoints.map((endpoint) => ({ dialect: endpoint.dialect, baseUrl: endpoint.baseUrl }));
      return { name, dialect, baseUrl, auth, state, endpoints, learns: learnableOf(backend) };
    }),
    models: modelTable(config, createTargets(config), factsOf),
    store: { type: store.type },
    metrics,
  };
}

function describe(config: Config, factsOf: FactsOf): string[] {
  const backendWidth = widthOf(config.backends);
  return [
    `listen: ${config.listen.host}:${config.listen.port}`,
    `workers: ${config.workers}`,
    `keys: ${config.keys.length === 0 ? `none, anyone ${config.open ? 'who reaches it' : 'on loopback'} may call` : config.keys.map(({ name }) => name).join(', ')}`,
    `losses: ${config.losses.policy}`,
    `store: ${config.store.type}${config.store.type === 'lmdb' ? ` in ${config.store.path}` : ''}`,
    `metrics: ${config.metrics.port === undefined ? 'at /metrics' : `on ${config.metrics.host}:${config.metrics.port}`}`,
    'backends:',
    ...Object.values(config.backends).map(
      (backend) => `  ${backend.name.padEnd(backendWidth)}  ${describeBackend(backend)}`,
    ),
    'models:',
    ...linesOfModels(modelTable(config, createTargets(config), factsOf)),
  ];
}

function widthOf(named: object): number {
  return Object.keys(named).reduce((most, name) => Math.max(most, name.length), 0);
}

/** What the file says, what was filled in from where, and what is so by default. */
function describeBackend(backend: BackendConfig): string {
  const { preset, origins, simulator, baseUrl, query, dialect, auth, apiKey, state, unsupported } = backend;
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
    ...(unsupported.length === 0 ? [] : [`unsupported: ${unsupported.join(', ')} (${origins.unsupported})`]),
    ...backend.endpoints.map(
      (one) =>
        `also ${one.dialect} at ${one.baseUrl} (preset)${one.unsupported.length === 0 ? '' : `, unsupported: ${one.unsupported.join(', ')}`}`,
    ),
    ...(backend.endpoints.length === 0
      ? []
      : ['each request takes the endpoint that loses least; `dialect` names one']),
    `learns ${learnableOf(backend).join(', ')} (from refusals)`,
  ].join('; ');
}
