import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { type Config, type ConfigText, configOf } from '../config/index.js';
import {
  baseOf,
  CHALLENGE_HEADER,
  createChallenge,
  ignore,
  isProven,
  PROOF_HEADER,
  type SocketEnd,
} from '../ground/index.js';
import type { Place, Sizes } from './agent.js';
import { knownModels, sizesIn } from './models.js';
import { stateFolder } from './settings.js';

/** A gateway for an agent. */
export interface Attached {
  readonly place: Place;
  /** It runs in this process, and was not there before. */
  readonly isOwn: boolean;
  /** Why what answers at the configured address is not used, where that is not proved to be the gateway. */
  readonly passedOver?: string;
  close(): Promise<void>;
}

/** How long, in ms, is waited for a gateway that may run, on a machine that may be busy. */
const PROBE_MS = 10_000;

/** The variable with the key of a gateway that has keys. */
const KEY_VARIABLE = 'INTERLINGUA_KEY';

/** The names of the models that an agent is to use. */
export type Wanted = Pick<Place, 'model' | 'small' | 'think'>;

/** Where the configured gateway listens, and the key for it; undefined = it has keys and none is given. */
export function placeOf(config: Config, wanted: Wanted, environment: NodeJS.ProcessEnv): Place | undefined {
  const { host, port } = config.listen;
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = baseOf(reached, port);
  const key = environment[KEY_VARIABLE] ?? '';
  if (key === '' && config.keys.length > 0) return undefined;
  return { url, key: key === '' ? 'interlingua' : key, ...knownOf(config, wanted) };
}

/** What the configuration has on models. */
function knownOf(config: Config, wanted: Wanted): Omit<Place, 'url' | 'key'> {
  const { model, small, think } = wanted;
  return {
    ...wanted,
    sizes: sizesIn(config, model),
    ...(small !== undefined && { smallSizes: sizesIn(config, small) }),
    ...(think !== undefined && { thinkSizes: sizesIn(config, think) }),
    names: knownModels(config),
  };
}

/**
 * The gateway that runs at the configured address, proves that it has our key and serves the model, else one of our own in this
 * process, on a free port, with a key that nobody else has: it ends with us however we end.
 */
export async function attach(
  file: ConfigText | undefined,
  config: Config,
  wanted: Wanted,
  environment: NodeJS.ProcessEnv,
): Promise<Attached> {
  const { model } = wanted;
  const running = placeOf(config, wanted, environment);
  const found = running === undefined ? undefined : await probe(running.url, environment[KEY_VARIABLE] ?? '');
  if (running !== undefined && found?.proven !== undefined) {
    const place = { ...running, url: found.proven };
    const sizes = await sizesAt(place, model);
    if (sizes !== undefined)
      return { place: await withOthers({ ...place, sizes }), isOwn: false, close: async () => {} };
  }
  // Loaded here, so that what needs no gateway starts at once.
  const { createGateway } = await import('../index.js');
  const key = randomBytes(24).toString('base64url');
  const edit = (input: Fields): Fields => privately(input, key, model, storeFor(input.store, environment));
  const gateway = createGateway(configOf(file, environment, { edit }));
  const { url } = await gateway.listen();
  const { passedOver } = found ?? {};
  const place = { url, key, ...knownOf(config, wanted) };
  return {
    place: await withOthers({ ...place, sizes: (await sizesAt(place, model)) ?? place.sizes }),
    isOwn: true,
    ...(passedOver !== undefined && { passedOver }),
    close: () => gateway.close(),
  };
}

/** What answers at the configured address. */
interface Found {
  /** The URL of the very address that proved to be the gateway: a name may lead an agent to another one. */
  readonly proven?: string;
  readonly passedOver?: string;
}

const UNPROVEN = 'did not prove that it has the key of INTERLINGUA_KEY: a gateway was started for the agent';
const WITHOUT_KEYS = 'cannot prove to be the gateway without keys: a gateway was started for the agent';

/**
 * Asks what listens at a URL to prove that it has our key, which is not sent: anybody may listen there. Undefined where nothing answers.
 * @param key '' = we have none: then nobody can prove anything
 */
function probe(url: string, key: string): Promise<Found | undefined> {
  const challenge = createChallenge();
  const options = { headers: { [CHALLENGE_HEADER]: challenge }, signal: AbortSignal.timeout(PROBE_MS), agent: false };
  return new Promise((resolve) => {
    let end: SocketEnd = { address: undefined, port: undefined };
    const request = get(`${url}/healthz`, options, ({ headers }) => {
      const proofs = headers[PROOF_HEADER];
      const isOurs = key !== '' && typeof proofs === 'string' && isProven(proofs, key, challenge, end);
      if (isOurs) resolve({ proven: baseOf(end.address ?? '', end.port ?? 0) });
      else resolve({ passedOver: `${url} ${key === '' ? WITHOUT_KEYS : UNPROVEN}` });
      request.destroy();
    });
    request.on('error', ignore);
    request.once('close', () => resolve(undefined));
    // Asked at once: some systems do not tell it any more when the other side has closed.
    request.once('socket', (socket) => {
      socket.once('connect', () => {
        end = { address: socket.remoteAddress, port: socket.remotePort };
      });
    });
  });
}

/** With the sizes of the other models by the list of the gateway, where that knows them. */
async function withOthers(place: Place): Promise<Place> {
  const { small, think } = place;
  const sizesOf = async (name: string | undefined) => (name === undefined ? undefined : sizesAt(place, name));
  const [smallSizes, thinkSizes] = await Promise.all([sizesOf(small), sizesOf(think)]);
  return { ...place, ...(smallSizes && { smallSizes }), ...(thinkSizes && { thinkSizes }) };
}

/** The sizes of a model by the list of the gateway; undefined where that does not let us in, or knows no such model. */
async function sizesAt({ url, key }: Place, model: string): Promise<Sizes | undefined> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/v1/models/${encodeURIComponent(model)}`, { signal, headers });
    if (!answer.ok) return undefined;
    const found: unknown = await answer.json();
    const { context_length, max_output_tokens } = isFields(found) ? found : {};
    return { window: numberOf(context_length), output: numberOf(max_output_tokens) };
  } catch {
    return undefined;
  }
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Answers that an agent names later, in another launch too, as long as the configuration keeps them; in memory where that keeps
 * nothing on disk, or nothing can be written.
 */
function storeFor(given: unknown, environment: NodeJS.ProcessEnv): Fields {
  const { type, path: _path, url: _url, ...limits } = isFields(given) ? given : {};
  if (type === 'memory' || type === 'off') return { ...limits, type: 'memory' };
  const path = stateFolder(environment);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return { ...limits, type: 'lmdb', path };
  } catch {
    return { ...limits, type: 'memory' };
  }
}

/**
 * The configuration for one agent: this machine only, one key, nothing written over the agent's screen. What is kept belongs to a
 * key of one name, so that a later launch finds it. Agents ask for small models beside the one they are given: names that lead
 * nowhere mean that one.
 */
function privately(input: Fields, key: string, model: string, store: Fields): Fields {
  const { open: _open, metrics: _metrics, models, limits, ...others } = input;
  const sha256 = createHash('sha256').update(key).digest('hex');
  return {
    ...others,
    ...(isFields(models) && { models: { '*': targetsOf(models, model), ...models } }),
    listen: { host: '127.0.0.1', port: 0 },
    workers: 1,
    keys: [{ name: 'launch', sha256 }],
    store,
    usage: {},
    log: { level: 'silent' },
    limits: { ...(isFields(limits) && limits), drainSeconds: 1 },
  };
}

/** What a name of the configuration, or the longest pattern, leads to; with the backend's name of a model that it leaves open. */
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
