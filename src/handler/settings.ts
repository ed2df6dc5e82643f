import type { DialectId } from '../../translators/index.js';
import { didYouMean, finderOf, isObject, isSampleKey, type Redact, redactorOf } from '../ground/plain/index.js';
import { dialectsOf, presetNames, presets } from '../presets/index.js';
import {
  createModelMap,
  dataMembersOf,
  exposedHeaders,
  type KnownKey,
  type LossPolicy,
  profileAt,
  roughCount,
  weighted,
  withCap,
} from '../protocol/index.js';
import {
  type Clients,
  checkApiKey,
  checkFunctions,
  checkModel,
  checkNumbers,
  type Fault,
  hostOf,
  MAX_ANSWER_BYTES,
  policyIn,
  type Settings,
} from '../web/index.js';
import { digestOf } from './access.js';
import { withinSeconds } from './deadline.js';
import type {
  CommonHandlerOptions,
  HandlerBackend,
  HandlerKey,
  HandlerRecord,
  HandlerSpeech,
  HandlerTarget,
} from './options.js';

/** Where a request may go. */
export interface Target {
  /** Its name of the model. */
  readonly model: string;
  readonly weight: number | undefined;
  /** With what it is called for a client of a dialect: in that, where the host speaks several. */
  settingsFor(dialect: DialectId): Settings;
}

/** The options, checked. */
export interface HandlerSettings {
  readonly clients: Clients;
  readonly keys: readonly KnownKey<HandlerKey>[];
  readonly policy: LossPolicy;
  readonly cors: ReadonlySet<string>;
  readonly exposed: string;
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly onExchange: ((record: HandlerRecord) => void) | undefined;
  /** Where names of models lead, as the options say. */
  readonly models: readonly (readonly [name: string, targets: readonly HandlerTarget[]])[];
  /** The targets of a model in the order in which they are tried; empty where no name or pattern fits. */
  draw(model: string): readonly Target[];
  /** With what a backend is called for a client of a dialect. */
  settingsOf(backend: string, dialect: DialectId): Settings;
  /** Members of requests in which a `model` is data. */
  readonly data: ReadonlySet<string>;
  /** Takes keys of backends and their hosts out of a text. */
  readonly redact: Redact;
  /** What is secret of all backends. */
  readonly secrets: readonly string[];
}

/** Of the whole form and of that of parts. */
type Known<Options> = Readonly<Record<Exclude<keyof Options, never>, true>>;

const KNOWN: Known<CommonHandlerOptions> = {
  backends: true,
  models: true,
  keys: true,
  open: true,
  losses: true,
  cors: true,
  basePath: true,
  onExchange: true,
  countTokens: true,
  fetch: true,
  media: true,
  maxBodyBytes: true,
  maxAnswerBytes: true,
  firstByteSeconds: true,
};
const BACKEND: Known<HandlerBackend> = {
  preset: true,
  dialect: true,
  baseUrl: true,
  apiKey: true,
  auth: true,
  headers: true,
  profile: true,
};
const TARGET: Known<HandlerTarget> = {
  backend: true,
  model: true,
  weight: true,
  profile: true,
  contextWindow: true,
  maxOutput: true,
};
const KEY: Known<HandlerKey> = { name: true, key: true, sha256: true, models: true, explain: true };

/** The error for an option that cannot be meant. */
export const fault: Fault = (option, reason) => new TypeError(`createHandler: ${option}: ${reason}`);

const faultAt =
  (place: string): Fault =>
  (option, reason) =>
    fault(`${place}.${option}`, reason);

/** Throws TypeError that names the option which cannot be meant. `others` = options beside the common ones. */
export function readHandler(
  options: CommonHandlerOptions,
  speech: HandlerSpeech,
  others: readonly string[],
): HandlerSettings {
  checkNames(options, [...Object.keys(KNOWN), ...others], (name, reason) => fault(name, reason));
  const { onExchange, countTokens, fetch: given, media, maxBodyBytes, maxAnswerBytes } = options;
  checkFunctions({ onExchange, countTokens, fetch: given, media }, fault);
  const { firstByteSeconds, basePath = '', cors = [] } = options;
  checkNumbers({ maxBodyBytes, maxAnswerBytes, firstByteSeconds }, fault);
  if (!/^(?:\/[^/?#]+)*$/.test(basePath)) throw fault('basePath', 'must begin with a slash and not end in one');
  if (!Array.isArray(cors) || !cors.every(isOrigin))
    throw fault('cors', 'must hold origins such as https://app.example');
  const policy = policyIn(options.losses, fault);
  const common: CommonSettings = {
    policy,
    countTokens: countTokens ?? roughCount,
    media,
    maxAnswerBytes: maxAnswerBytes ?? MAX_ANSWER_BYTES,
    send: withinSeconds(firstByteSeconds ?? 900, given ?? ((input, init) => globalThis.fetch(input, init))),
    redact: (text) => redact(text),
  };
  const backends = readBackends(options.backends, speech, common);
  const all = [...backends.values()];
  const secrets = [...new Set(all.flatMap(({ endpoints }) => endpoints.flatMap(secretsOf)))];
  const hosts = all.flatMap(({ endpoints }) => endpoints.map(({ host }) => new URL(host.baseUrl ?? '').host));
  const redact = redactorOf({ secrets, hosts: [...new Set(hosts)], ends: true });
  const models = readModels(options.models, backends);
  return {
    clients: speech.clients,
    keys: readKeys(options),
    policy,
    cors: new Set(cors),
    exposed: exposedHeaders(speech.clients).join(','),
    basePath,
    maxBodyBytes: maxBodyBytes ?? 64 * 1024 * 1024,
    onExchange,
    models,
    draw: drawerOf(models, backends),
    settingsOf: (backend, dialect) => endpointFor(backends.get(backend)?.endpoints ?? [], dialect),
    data: dataMembersOf(speech.clients),
    redact,
    secrets,
  };
}

function checkNames(options: unknown, known: readonly string[], at: Fault): void {
  if (!isObject(options)) throw new TypeError('createHandler: an object with the options is needed');
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const close = didYouMean(name, known);
    throw at(name, `unknown option${close === undefined ? '' : `; did you mean \`${close}\`?`}`);
  }
}

function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** What the calls to all backends have in common. */
type CommonSettings = Pick<Settings, 'policy' | 'countTokens' | 'media' | 'maxAnswerBytes' | 'send' | 'redact'>;

/** A backend with what calls to it are made with, for each dialect of its host. */
interface Backend {
  readonly endpoints: readonly Settings[];
  readonly profile: HandlerBackend['profile'];
}

function readBackends(backends: unknown, speech: HandlerSpeech, common: CommonSettings): ReadonlyMap<string, Backend> {
  if (!isObject(backends) || Object.keys(backends).length === 0) throw fault('backends', 'must name a backend');
  /** Whose state is kept from whom is known once all are. */
  const domains = new Set<string>();
  const read = (name: string, given: HandlerBackend): Backend => {
    const at = faultAt(`backends.${name}`);
    checkNames(given, Object.keys(BACKEND), at);
    const { preset, dialect, apiKey, profile } = given;
    checkApiKey(apiKey, at);
    checkModel({ contextWindow: undefined, maxOutput: undefined, profile }, at);
    if (preset !== undefined && presets[preset] === undefined) throw at('preset', unknownPreset(String(preset)));
    const own = hostOf(given, at, 'dialect');
    const spoken =
      dialect === undefined && preset !== undefined && given.baseUrl === undefined
        ? dialectsOf(presets[preset]).map((one) => hostOf({ ...given, dialect: one }, at, 'dialect'))
        : [own];
    const endpoints = spoken.flatMap((host): Settings[] => {
      const service = speech.serviceOf(host.dialect);
      if (service === undefined) return [];
      domains.add(host.domain);
      const { readerOf, relayedLimits } = speech;
      const isForeign = (domain: string | undefined): boolean =>
        domain !== undefined && domain !== host.domain && domains.has(domain);
      const known = secretsOf({ apiKey, host });
      const secrets = known.length === 0 ? undefined : finderOf(known);
      const settings = { ...common, host, name, service, readerOf, relayedLimits, apiKey, isForeign, secrets };
      const sizes = { contextWindow: undefined, maxOutput: undefined };
      return [{ ...settings, ...sizes, owner: 'operator', profile: profileAt(host, profile) }];
    });
    if (endpoints.length === 0)
      throw at('dialect', `the half of ${own.dialect} for services is missing: it is not in \`to\``);
    return { endpoints, profile };
  };
  return new Map(
    Object.entries(backends as Record<string, HandlerBackend>).map(([name, one]) => [name, read(name, one)]),
  );
}

function unknownPreset(preset: string): string {
  const close = didYouMean(preset, presetNames);
  return `unknown preset; ${close === undefined ? `known: ${presetNames.join(', ')}` : `did you mean \`${close}\`?`}`;
}

/** What a backend is called with that nobody else may see; shorter texts are no secrets, and would be found everywhere. */
function secretsOf({ apiKey, host: { headers } }: Pick<Settings, 'apiKey' | 'host'>): string[] {
  const configured = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/.test(name));
  const all = [apiKey ?? '', ...configured.map(([, text]) => text.replace(/^\w+ +/, ''))];
  return all.filter(({ length }) => length >= 8);
}

function readModels(
  models: CommonHandlerOptions['models'],
  backends: ReadonlyMap<string, Backend>,
): HandlerSettings['models'] {
  const [only, ...others] = backends.keys();
  if (models === undefined) {
    if (only === undefined || others.length > 0) throw fault('models', 'is required where there are several backends');
    return [['*', [{ backend: only }]]];
  }
  if (!isObject(models) || Object.keys(models).length === 0) throw fault('models', 'must name a model');
  return Object.entries(models).map(([name, given]) => {
    if (!/^[^*]*\*?$/.test(name) || name === '')
      throw fault(`models.${name}`, '`*` is only allowed at the end of a name');
    const targets = (Array.isArray(given) ? given : [given]) as readonly HandlerTarget[];
    if (targets.length === 0) throw fault(`models.${name}`, 'must name a target');
    for (const target of targets) checkTarget(target, faultAt(`models.${name}`), backends);
    return [name, targets] as const;
  });
}

function checkTarget(target: HandlerTarget, at: Fault, backends: ReadonlyMap<string, Backend>): void {
  checkNames(target, Object.keys(TARGET), at);
  const { backend, model, weight, profile, contextWindow, maxOutput } = target;
  if (!backends.has(backend)) throw at('backend', `is none of ${[...backends.keys()].join(', ')}`);
  if (model !== undefined && (typeof model !== 'string' || model === ''))
    throw at('model', 'must be the name of a model');
  if (weight !== undefined && !(Number(weight) > 0 && Number.isFinite(weight))) throw at('weight', 'must be above 0');
  checkModel({ contextWindow, maxOutput, profile }, at);
}

/** The targets of exact names and patterns, with what depends on neither made once. */
function drawerOf(models: HandlerSettings['models'], backends: ReadonlyMap<string, Backend>): HandlerSettings['draw'] {
  const made = models.map(([name, targets]) => [name, targets.map((target) => targetOf(target, backends))] as const);
  const find = createModelMap(Object.fromEntries(made));
  return (model) => {
    const found = find(model);
    if (found === undefined) return [];
    const named = found.value.map(({ nameOf, ...target }) => ({ ...target, model: nameOf(model, found.star) }));
    return weighted(named, Math.random);
  };
}

function targetOf(given: HandlerTarget, backends: ReadonlyMap<string, Backend>) {
  const { model, weight, contextWindow, maxOutput } = given;
  const { endpoints = [], profile } = backends.get(given.backend) ?? {};
  const choice = withCap(given.profile ?? profile, maxOutput);
  const all = endpoints.map((one) => ({ ...one, contextWindow, maxOutput, profile: profileAt(one.host, choice) }));
  return {
    weight,
    nameOf: (asked: string, star: string): string => model?.replace('*', () => star) ?? asked,
    settingsFor: (dialect: DialectId): Settings => endpointFor(all, dialect),
  };
}

/** The endpoint of the client's own dialect, where a host has one, else its first. */
function endpointFor(endpoints: readonly Settings[], dialect: DialectId): Settings {
  const [first] = endpoints;
  if (first === undefined) throw new TypeError('createHandler: a backend has no endpoint');
  return endpoints.find(({ host }) => host.dialect === dialect) ?? first;
}

const NOTHING = 'are needed, or `open: true` for everybody: whoever reaches the handler could use the backends';

function readKeys({ keys, open = false }: CommonHandlerOptions): readonly KnownKey<HandlerKey>[] {
  if (typeof open !== 'boolean') throw fault('open', 'must be true or false');
  if (keys === undefined || (Array.isArray(keys) && keys.length === 0)) {
    if (!open) throw fault('keys', NOTHING);
    return [];
  }
  if (!Array.isArray(keys)) throw fault('keys', 'must be a list');
  return keys.map((given: HandlerKey, index) => {
    const at = faultAt(`keys[${index}]`);
    checkNames(given, Object.keys(KEY), at);
    const { name, key, sha256: hex, models, explain } = given;
    if (typeof name !== 'string' || name === '') throw at('name', 'must name the key');
    if (models !== undefined && (!Array.isArray(models) || !models.every((one) => typeof one === 'string')))
      throw at('models', 'must hold names or patterns of models');
    if (explain !== undefined && explain !== 'path' && explain !== 'full') throw at('explain', 'must be path or full');
    if ((key === undefined) === (hex === undefined)) throw at('key', 'give either key or sha256');
    return { key: given, digest: hex === undefined ? digestOf(checkedKey(key, at)) : bytesOf(hex, at) };
  });
}

function checkedKey(key: unknown, at: Fault): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{16,}$/.test(key))
    throw at('key', 'must have 16 characters or more of printable ASCII without blanks');
  if (isSampleKey(key)) throw at('key', 'is a published example key');
  return key;
}

function bytesOf(hex: unknown, at: Fault): Uint8Array {
  if (typeof hex !== 'string' || !/^[\da-f]{64}$/.test(hex)) throw at('sha256', 'must be 64 lower-case hex digits');
  return Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
}
