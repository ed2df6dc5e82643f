import { type DialectId, hash32, type ProfileChoice } from '../../translators/index.js';
import { DEFAULT_DIALECT, gatewayDialect } from '../dialects/index.js';
import {
  calledPresets,
  completeRoot,
  dialectsOf,
  type Endpoint,
  hostFor,
  isRoot,
  lookUpHost,
  type PresetName,
} from '../presets/index.js';
import type { Host } from './host.js';

/** Reports a mistake at a key of the backend. */
export type Report = (key: string, reason: string) => void;

/** What is said of a host. */
export interface GivenHost {
  readonly preset?: PresetName;
  readonly dialect?: DialectId;
  readonly baseUrl?: string;
  readonly simulator: boolean;
}

/** The preset of a backend, and its dialect. */
export function knownAs(
  { preset: name, dialect, baseUrl, simulator }: GivenHost,
  report: Report,
): { readonly preset?: NonNullable<Host['preset']>; readonly dialect: DialectId } {
  if (name === undefined) {
    const found = baseUrl === undefined ? undefined : lookUpHost(new URL(baseUrl), dialect);
    if (found !== undefined) return { preset: { name: found.name, by: 'host' }, dialect: found.dialect };
    if (dialect === undefined) report('dialect', 'is required unless a preset gives it');
    return { dialect: dialect ?? DEFAULT_DIALECT };
  }
  if (simulator) report('preset', 'cannot be used with simulator: true');
  const spoken = dialectsOf(calledPresets[name]);
  if (dialect !== undefined && !spoken.includes(dialect))
    report('dialect', `${name} is not known to support this dialect; known: ${spoken.join(', ')}`);
  const chosen = dialect ?? (baseUrl === undefined ? undefined : dialectAt(name, new URL(baseUrl))) ?? spoken[0];
  return { preset: { name, by: 'name' }, dialect: chosen ?? DEFAULT_DIALECT };
}

/** The dialect to which an address of the preset's own host leads. */
function dialectAt(name: PresetName, url: URL): DialectId | undefined {
  const found = lookUpHost(url);
  return found?.name === name ? found.dialect : undefined;
}

/** Service root without a trailing slash, and the query of its address without the question mark. */
export function addressOf(
  { baseUrl, simulator }: GivenHost,
  preset: PresetName | undefined,
  dialect: DialectId,
  report: Report,
): { readonly root: string; readonly query?: string; readonly completed: boolean } | undefined {
  if (simulator) {
    if (baseUrl !== undefined) report('baseUrl', 'cannot be used with simulator: true');
    return undefined;
  }
  const known = preset === undefined ? undefined : calledPresets[preset];
  const endpoint = known?.endpoints[dialect];
  const address = baseUrl ?? endpoint?.root;
  if (address === undefined) {
    const own = `is required: each customer of ${preset} has its own, such as ${endpoint?.example}`;
    report('baseUrl', endpoint === undefined ? 'is required unless a preset gives it or simulator is true' : own);
    return undefined;
  }
  const given = new URL(address);
  const url = known === undefined ? new URL(address) : completeRoot(known, dialect, given);
  const completed = url.pathname !== given.pathname;
  const query = url.search.slice(1);
  url.search = '';
  const plain = url.href.replace(/(?<!\/)\/+$/, '');
  const root = isRoot(known, dialect, url) ? plain : serviceRoot(dialect, plain);
  return { root, completed, ...(query !== '' && { query }) };
}

/** The parameter of queries that names a version at an endpoint, with what the query of its address says. */
export function apiVersionOf(endpoint: Pick<Endpoint, 'dated'> | undefined, query?: string): Pick<Host, 'apiVersion'> {
  return endpoint?.dated === undefined
    ? {}
    : { apiVersion: { name: endpoint.dated, dated: isDated(endpoint.dated, query) } };
}

/** Whether a parameter of a query is a date, with a word for what is not released behind it. */
function isDated(name: string, query = ''): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:-|$)/.test(new URLSearchParams(query).get(name) ?? '');
}

function serviceRoot(dialect: DialectId, plain: string): string {
  return gatewayDialect(dialect).serviceRoot?.(plain) ?? plain.replace(/\/v1(beta1?|alpha)?$/, '');
}

/** 12 characters of a hash over what tells one installation from another (translation.md 4.2.4). */
export function defaultDomain(dialect: DialectId, root: string): string {
  const { protocol, host } = new URL(root);
  return hash32(`${dialect}\n${protocol}\n${host}`, 12);
}

/**
 * Which host of the service that the dialect comes from a backend is: `dev` or `cloud`, the enterprise one; the simulator stands for
 * the first. undefined = neither, so that nobody knows what it refuses.
 */
export function ownService({
  baseUrl,
  dialect,
  preset,
}: Pick<Host, 'baseUrl' | 'dialect' | 'preset'>): 'dev' | 'cloud' | undefined {
  if (baseUrl === undefined) return 'dev';
  if (preset === undefined) return undefined;
  if (calledPresets[preset.name].endpoints[dialect]?.profile?.cloud === true) return 'cloud';
  return gatewayDialect(dialect).service.preset === preset.name ? 'dev' : undefined;
}

/**
 * What is said of a model's abilities, with the host of the backend and what that takes: servers of one dialect differ. The simulator
 * takes what the newest models of its service do, whatever their name.
 */
export function profileAt(
  { baseUrl, dialect, unsupported, preset }: Pick<Host, 'baseUrl' | 'dialect' | 'unsupported' | 'preset'>,
  choice: ProfileChoice | undefined,
): ProfileChoice | undefined {
  const named = typeof choice === 'string' ? { model: choice } : choice;
  if (baseUrl === undefined) {
    const { simulatedHost: host } = gatewayDialect(dialect);
    return host === undefined ? choice : { host, ...named };
  }
  const known = preset === undefined ? undefined : calledPresets[preset.name];
  const host = known === undefined ? new URL(baseUrl).host : hostFor(known, new URL(baseUrl));
  const unaddressed = known?.hosts.length === 0 && { preset: preset?.name };
  const { neutral, profile } = known?.endpoints[dialect] ?? {};
  return {
    host,
    ...unaddressed,
    ...(neutral && { neutral }),
    ...(unsupported.length > 0 && { unsupported }),
    ...profile,
    ...named,
  };
}

/** A choice whose model generates at most so many tokens. */
export function withCap(choice: ProfileChoice | undefined, maxOutput: number | undefined): ProfileChoice | undefined {
  if (maxOutput === undefined) return choice;
  return { ...(typeof choice === 'string' ? { model: choice } : choice), maxOutput };
}
