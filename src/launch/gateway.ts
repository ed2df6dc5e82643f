import { createHash, randomBytes } from 'node:crypto';
import { type Config, type ConfigText, configOf } from '../config/index.js';
import type { Place } from './agents.js';

/** A gateway for an agent. */
export interface Attached {
  readonly place: Place;
  /** Dialect of each backend, by its name. */
  readonly dialects: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** How long, in ms, is waited for a gateway that may run, on a machine that may be busy. */
const PROBE_MS = 10_000;

/** The variable with the key of a gateway that has keys. */
const KEY_VARIABLE = 'INTERLINGUA_KEY';

/** Where the configured gateway listens, and the key for it; undefined = it has keys and none is given. */
export function placeOf(config: Config, model: string, environment: NodeJS.ProcessEnv): Place | undefined {
  const { host, port } = config.listen;
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
  const key = environment[KEY_VARIABLE] ?? '';
  if (key === '' && config.keys.length > 0) return undefined;
  return { url, key: key === '' ? 'interlingua' : key, model };
}

/**
 * The gateway that runs at the configured address and has the model, else one of our own in this process, on a free port, with a
 * key that nobody else has: it ends with us however we end.
 */
export async function attach(
  file: ConfigText | undefined,
  config: Config,
  model: string,
  environment: NodeJS.ProcessEnv,
): Promise<Attached> {
  const dialects = new Map(Object.entries(config.backends).map(([name, { dialect }]) => [name, dialect]));
  const running = placeOf(config, model, environment);
  if (running !== undefined && (await serves(running))) return { place: running, dialects, close: async () => {} };
  // Loaded here, so that what needs no gateway starts at once.
  const { createGateway } = await import('../index.js');
  const key = randomBytes(24).toString('base64url');
  const gateway = createGateway(configOf(file, environment, { edit: (input) => privately(input, key, model) }));
  const { url } = await gateway.listen();
  return { place: { url, key, model }, dialects, close: () => gateway.close() };
}

/** Whether a gateway of this program is there, lets us in and knows the model. */
async function serves({ url, key, model }: Place): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const root: unknown = await (await fetch(url, { signal })).json();
    if (typeof root !== 'object' || root === null || !('name' in root) || root.name !== 'interlingua') return false;
    const headers = { authorization: `Bearer ${key}` };
    const { ok } = await fetch(`${url}/v1/models/${encodeURIComponent(model)}`, { signal, headers });
    return ok;
  } catch {
    return false;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The configuration for one agent: this machine only, one key, nothing kept on disk, nothing written over the agent's screen. Agents
 * ask for small models beside the one they are given: names that lead nowhere mean that one.
 */
function privately(input: Fields, key: string, model: string): Fields {
  const { open: _open, metrics: _metrics, models, limits, ...others } = input;
  const sha256 = createHash('sha256').update(key).digest('hex');
  return {
    ...others,
    ...(isFields(models) && { models: { '*': targetsOf(models, model), ...models } }),
    listen: { host: '127.0.0.1', port: 0 },
    workers: 1,
    keys: [{ name: 'launch', sha256 }],
    store: { type: 'memory' },
    log: { level: 'silent' },
    limits: { ...(isFields(limits) && limits), drainSeconds: 1 },
  };
}

/** What a name of the configuration, or the longest pattern, says; with the backend's name of a model that it leaves open. */
function targetsOf(models: Fields, model: string): unknown {
  const pattern = Object.keys(models)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length)[0];
  const exact = models[model];
  const found = exact ?? (pattern === undefined ? undefined : models[pattern]);
  const star = exact !== undefined || pattern === undefined ? '' : model.slice(pattern.length - 1);
  const named = (target: unknown): unknown => {
    if (!isFields(target)) return target;
    const own = typeof target.model === 'string' ? target.model.replace('*', () => star) : model;
    return { ...target, model: own };
  };
  return Array.isArray(found) ? found.map(named) : named(found);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
