import type { DialectId } from '../../translators/index.js';
import { type ClientRedactor, hostsIn, isObject, redactorOf } from '../ground/plain/index.js';
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
  checkFunctions,
  checkModel,
  checkNumbers,
  type Fault,
  MAX_ANSWER_BYTES,
  policyIn,
  type Settings,
} from '../web/index.js';
import { readKeys } from './access.js';
import { type Backend, type CommonSettings, endpointFor, readBackends, secretsOf } from './backends.js';
import { FIRST_BYTE_SECONDS, withinSeconds } from './deadline.js';
import { checkNames, fault, faultAt, type Known } from './faults.js';
import type { CommonHandlerOptions, HandlerKey, HandlerRecord, HandlerSpeech, HandlerTarget } from './options.js';

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
  readonly redact: ClientRedactor;
  /** What is secret of all backends. */
  readonly secrets: readonly string[];
}

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
const TARGET: Known<HandlerTarget> = {
  backend: true,
  model: true,
  weight: true,
  profile: true,
  contextWindow: true,
  maxOutput: true,
};

/** Throws TypeError that names the option which cannot be meant. `others` = options beside the common ones. */
export function readHandler(
  options: CommonHandlerOptions,
  speech: HandlerSpeech,
  others: readonly string[],
): HandlerSettings {
  checkNames(options, [...Object.keys(KNOWN), ...others], (name, reason) => fault(name, reason));
  const { onExchange, countTokens, fetch: given, media, maxBodyBytes, maxAnswerBytes } = options;
  checkFunctions({ onExchange, countTokens, fetch: given, media }, fault);
  const { firstByteSeconds = FIRST_BYTE_SECONDS, basePath = '', cors = [] } = options;
  checkNumbers({ maxBodyBytes, maxAnswerBytes, firstByteSeconds }, fault);
  if (!/^(?:\/[^/?#]+)*$/.test(basePath)) throw fault('basePath', 'must begin with a slash and not end in one');
  if (!Array.isArray(cors) || !cors.every(isOrigin))
    throw fault('cors', 'must hold origins such as https://app.example');
  const policy = policyIn(options.losses, fault);
  const redact: ClientRedactor = Object.assign((text: string) => shown(text), { keys: (text: string) => keys(text) });
  const common: CommonSettings = {
    policy,
    countTokens: countTokens ?? roughCount,
    media,
    maxAnswerBytes: maxAnswerBytes ?? MAX_ANSWER_BYTES,
    send: withinSeconds(firstByteSeconds, given ?? ((input, init) => globalThis.fetch(input, init))),
    redact,
  };
  const backends = readBackends(options.backends, speech, common);
  const all = [...backends.values()];
  const secrets = [...new Set(all.flatMap(({ endpoints }) => endpoints.flatMap(secretsOf)))];
  const hosts = all.flatMap(({ endpoints }) => endpoints.flatMap(({ host }) => hostsIn(host.baseUrl ?? '')));
  const shown = redactorOf({ secrets, hosts, ends: true });
  const keys = redactorOf({ secrets });
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

function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin;
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
