import type { DialectId, Headers, ProfileChoice, ServiceDialect } from '../../translators/index.js';
import { gatewayDialect, KEY_FORMS, type KeyForm } from '../dialects/index.js';
import { type ClientRedactor, isObject } from '../ground/plain/index.js';
import { calledPresets, type PresetName } from '../presets/index.js';
import {
  type AuthForm,
  addressOf,
  apiVersionOf,
  type CountTokens,
  defaultDomain,
  type ErrorReader,
  type Host,
  knownAs,
  type LossPolicy,
  patternFault,
  publisherIn,
} from '../protocol/index.js';
import type { AnswerGuard } from './answer-guard.js';

/** What calls are made with to one host, and what becomes of their answers. */
export interface Settings {
  readonly host: Host;
  /** Under which answers tell the host. */
  readonly name: string;
  /** The dialect of the host. */
  readonly service: ServiceDialect<DialectId>;
  /** What reads the errors of services. */
  readonly readerOf: (dialect: DialectId) => ErrorReader;
  /** Limits and hints of an answer that is relayed. Absent where no client speaks the dialect of the backend. */
  readonly relayedLimits?: (dialect: DialectId, received: Headers) => Record<string, string>;
  readonly apiKey: string | undefined;
  /** Whose the key is: only its owner learns that it is refused. */
  readonly owner: 'caller' | 'operator';
  readonly profile: ProfileChoice | undefined;
  readonly policy: LossPolicy;
  /** What lists show of models in place of what the backend reports. */
  readonly contextWindow: number | undefined;
  readonly maxOutput: number | undefined;
  readonly countTokens: CountTokens;
  /** Gives the bytes behind a URL. Absent = none are fetched. */
  readonly media: ((url: string) => Promise<Uint8Array>) | undefined;
  readonly maxAnswerBytes: number;
  readonly send: typeof fetch;
  /** Whether opaque state of this domain is to be kept from the host. */
  readonly isForeign: (domain: string | undefined) => boolean;
  /** Keeps from a client what it must not see in answers. Absent = it may see all. */
  readonly guard?: AnswerGuard;
  /** Takes out of an error of the host what a client must not see. Absent = it may see all. */
  readonly redact?: ClientRedactor;
}

/** The most bytes of an answer, or of one event of a stream, that are read unless the options name another bound. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Makes the error for an option that cannot be meant. */
export type Fault = (option: string, reason: string) => TypeError;

/** How a host is described. */
export interface HostOptions {
  readonly preset?: PresetName;
  readonly dialect?: DialectId;
  readonly baseUrl?: string;
  readonly auth?: KeyForm;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The host of an address, with what is known of it. `named` = the option that names the dialect. Throws what `fault` makes. */
export function hostOf(options: HostOptions, fault: Fault, named: string): Host {
  const { baseUrl, auth, headers = {} } = options;
  if (baseUrl !== undefined || options.preset === undefined) checkAddress(baseUrl, fault);
  if (auth !== undefined && !KEY_FORMS.includes(auth)) throw fault('auth', `must be one of ${KEY_FORMS.join(', ')}`);
  const report = (key: string, reason: string): never => {
    throw fault(key === 'dialect' ? named : key, reason);
  };
  const given = { preset: options.preset, dialect: options.dialect, baseUrl, simulator: false };
  const { preset, dialect } = knownAs(given, report);
  const known = preset === undefined ? undefined : calledPresets[preset.name];
  const endpoint = known?.endpoints[dialect];
  const address = addressOf(given, preset?.name, dialect, report);
  const root = address?.root ?? baseUrl ?? '';
  const own = gatewayDialect(dialect);
  const publisher = publisherIn(root);
  if (publisher !== undefined && publisher.dialect !== dialect)
    throw fault(named, `must be ${publisher.dialect} where baseUrl ends in /publishers/${publisher.name}`);
  return {
    dialect,
    baseUrl: root,
    ...(preset !== undefined && { preset }),
    ...(address?.query !== undefined && { query: address.query }),
    ...apiVersionOf(endpoint, address?.query),
    auth: keyFormOf(auth ?? endpoint?.auth ?? known?.auth ?? own.keyForm),
    ...(publisher !== undefined && { publisher: publisher.name }),
    version: '2023-06-01',
    headers: { ...known?.headers, ...headersOf(headers, fault) },
    betas: 'all',
    videos: own.videos,
    unsupported: endpoint?.unsupported ?? [],
    threads: endpoint?.threads === true,
    domain: defaultDomain(dialect, root),
  };
}

/** Nothing is signed here: clouds take tokens that their callers fetched. */
function keyFormOf(auth: AuthForm): AuthForm {
  return auth === 'google' || auth === 'aws' ? 'bearer' : auth;
}

function checkAddress(baseUrl: unknown, fault: Fault): void {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl)) throw fault('baseUrl', 'must be a URL');
  const { protocol, pathname, username, password } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw fault('baseUrl', 'must begin with http:// or https://');
  if (username !== '' || password !== '') throw fault('baseUrl', 'must not contain credentials; write apiKey');
  if (/\/(?:messages|responses|completions)\/?$|:\w+$/.test(pathname))
    throw fault('baseUrl', 'expected the service root, not an endpoint');
}

function headersOf(headers: unknown, fault: Fault): Record<string, string> {
  if (!isObject(headers)) throw fault('headers', 'must be an object of texts');
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name) || typeof value !== 'string' || !/^[\x20-\x7e]*$/.test(value))
      throw fault('headers', `\`${name}\` is not a valid header name`);
    found[name.toLowerCase()] = value;
  }
  return found;
}

/** The key of a host, which is sent in a header. */
export function checkApiKey(apiKey: unknown, fault: Fault): void {
  if (apiKey !== undefined && (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)))
    throw fault('apiKey', 'must be a string of printable ASCII without blanks');
}

/** What becomes of losses, as an option names it. */
export type LossOption =
  | LossPolicy['policy']
  | { readonly policy: LossPolicy['policy']; readonly allow?: readonly string[] };

export function policyIn(losses: LossOption = 'report', fault: Fault): LossPolicy {
  const { policy, allow = [], ...others } = typeof losses === 'string' ? { policy: losses } : losses;
  if ((policy !== 'report' && policy !== 'strict') || Object.keys(others).length > 0 || !Array.isArray(allow))
    throw fault('losses', 'must be report, strict, or { policy, allow }');
  for (const pattern of allow) {
    const reason = typeof pattern === 'string' ? patternFault(pattern) : 'must hold names of features';
    if (reason !== undefined) throw fault('losses', reason);
  }
  return { policy, allow };
}

/** Checks options that are functions, where they are there. */
export function checkFunctions(options: Readonly<Record<string, unknown>>, fault: Fault): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && typeof value !== 'function') throw fault(name, 'must be a function');
}

/** Checks options that are numbers of something, where they are there. */
export function checkNumbers(options: Readonly<Record<string, unknown>>, fault: Fault): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && (!Number.isSafeInteger(value) || Number(value) < 1))
      throw fault(name, 'must be a whole number above 0');
}

/** Checks the options for the sizes and the abilities of a model. */
export function checkModel(
  { contextWindow, maxOutput, profile }: Readonly<Record<'contextWindow' | 'maxOutput' | 'profile', unknown>>,
  fault: Fault,
): void {
  checkNumbers({ contextWindow, maxOutput }, fault);
  if (contextWindow !== undefined && maxOutput !== undefined && Number(maxOutput) > Number(contextWindow))
    throw fault('maxOutput', `cannot be above contextWindow, which is ${contextWindow}`);
  if (profile !== undefined && typeof profile !== 'string' && !isObject(profile))
    throw fault('profile', 'must be the name of a model, or flags');
}
