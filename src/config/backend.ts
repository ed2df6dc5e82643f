import { createHash } from 'node:crypto';
import type { DialectId } from '../../translators/index.js';
import { DEFAULT_DIALECT, gatewayDialect, gatewayDialects } from '../dialects/index.js';
import { completeRoot, dialectsOf, isRoot, lookUpHost, type PresetName, presets } from '../presets/index.js';
import { formatPath, type Problem } from './problem.js';
import type { CheckedConfig } from './schema.js';
import type { BackendConfig, Origin } from './types.js';

type CheckedBackend = CheckedConfig['backends'][string];

/** Reports a mistake at a key of the backend. */
type Report = (key: string, reason: string) => void;

/**
 * Fills in what a backend's entry leaves out: from the preset that it names, else from the one of its host, else by
 * default (contract.md 3.1, 3.2). After a reported mistake the rest is whatever makes it whole.
 */
export function resolveBackend(
  name: string,
  backend: CheckedBackend,
  { limits, translate }: Pick<CheckedConfig, 'limits' | 'translate'>,
  problems: Problem[],
): BackendConfig {
  const report: Report = (key, reason) => problems.push({ path: formatPath(['backends', name, key]), reason });
  const { preset: _named, region: _region, service: _service, ...given } = backend;
  const { preset, dialect } = knownAs(backend, report);
  const known = preset === undefined ? undefined : presets[preset.name];
  const own = gatewayDialect(dialect);
  const address = addressOf(backend, preset?.name, dialect, report);
  const door = known?.doors[dialect];
  const auth = backend.auth ?? door?.auth ?? known?.auth ?? own.keyForm;
  const state = backend.state ?? (own.keepsAnswers ? (backend.simulator ? 'own' : (known?.state ?? 'none')) : 'none');
  checkKeys(backend, dialect, report);
  return {
    ...given,
    name,
    dialect,
    preset,
    baseUrl: address?.root,
    query: address?.query,
    ...(door?.dated !== undefined && { apiVersion: { name: door.dated, dated: isDated(door.dated, address?.query) } }),
    auth,
    state,
    lacks: door?.lacks ?? [],
    cache: backend.cache ?? translate.cache,
    headers: { ...known?.headers, ...backend.headers },
    images: backend.images ?? own.images,
    videos: backend.videos ?? own.videos,
    domain: backend.domain ?? defaultDomain(dialect, address?.root ?? 'simulator:'),
    timeouts: {
      connect: backend.timeouts.connect ?? limits.connectSeconds,
      firstByte: backend.timeouts.firstByte ?? limits.firstByteSeconds,
      idle: backend.timeouts.idle ?? limits.idleSeconds,
      total: backend.timeouts.total ?? limits.totalSeconds,
    },
    origins: {
      dialect: originOf(backend.dialect, preset !== undefined),
      baseUrl: address?.completed ? 'file and preset' : originOf(backend.baseUrl, preset !== undefined),
      auth: originOf(backend.auth, known !== undefined),
      state: originOf(backend.state, own.keepsAnswers && known?.state !== undefined),
    },
  };
}

function originOf(given: unknown, known: boolean): Origin {
  if (given !== undefined) return 'file';
  return known ? 'preset' : 'default';
}

/** The preset of a backend, and its dialect. */
function knownAs(
  { preset: name, dialect, baseUrl, simulator }: CheckedBackend,
  report: Report,
): { readonly preset?: NonNullable<BackendConfig['preset']>; readonly dialect: DialectId } {
  if (name === undefined) {
    const found = baseUrl === undefined ? undefined : lookUpHost(new URL(baseUrl), dialect);
    if (found !== undefined) return { preset: { name: found.name, by: 'host' }, dialect: found.dialect };
    if (dialect === undefined) report('dialect', 'is required unless a preset gives it');
    return { dialect: dialect ?? DEFAULT_DIALECT };
  }
  if (simulator) report('preset', 'has no meaning with simulator: true');
  const spoken = dialectsOf(presets[name]);
  if (dialect !== undefined && !spoken.includes(dialect))
    report('dialect', `${name} is not known to speak it: ${spoken.join(', ')}`);
  const chosen = dialect ?? (baseUrl === undefined ? undefined : dialectAt(name, new URL(baseUrl))) ?? spoken[0];
  return { preset: { name, by: 'name' }, dialect: chosen ?? DEFAULT_DIALECT };
}

/** The dialect to which an address of the preset's own host leads. */
function dialectAt(name: PresetName, url: URL): DialectId | undefined {
  const found = lookUpHost(url);
  return found?.name === name ? found.dialect : undefined;
}

/** Service root without a trailing slash, and the query of its address without the question mark. */
function addressOf(
  { baseUrl, simulator }: CheckedBackend,
  preset: PresetName | undefined,
  dialect: DialectId,
  report: Report,
): { readonly root: string; readonly query?: string; readonly completed: boolean } | undefined {
  if (simulator) {
    if (baseUrl !== undefined) report('baseUrl', 'has no meaning with simulator: true');
    return undefined;
  }
  const known = preset === undefined ? undefined : presets[preset];
  const door = known?.doors[dialect];
  const address = baseUrl ?? door?.root;
  if (address === undefined) {
    const own = `is required: each customer of ${preset} has an own one, such as ${door?.example}`;
    report('baseUrl', door === undefined ? 'is required unless a preset gives it or simulator is true' : own);
    return undefined;
  }
  const given = new URL(address);
  const url = known === undefined ? new URL(address) : completeRoot(known, dialect, given);
  const completed = url.pathname !== given.pathname;
  const query = url.search.slice(1);
  url.search = '';
  const plain = url.href.replace(/\/+$/, '');
  const root = isRoot(known, dialect, url) ? plain : serviceRoot(dialect, plain);
  return { root, completed, ...(query !== '' && { query }) };
}

/** Whether a parameter of a query is a date, with a word for what is not released behind it. */
function isDated(name: string, query = ''): boolean {
  return /^\d{4}-\d{2}-\d{2}(?:-|$)/.test(new URLSearchParams(query).get(name) ?? '');
}

function serviceRoot(dialect: DialectId, plain: string): string {
  return gatewayDialect(dialect).serviceRoot?.(plain) ?? plain.replace(/\/v1(beta1?|alpha)?$/, '');
}

/** What one key says about another. */
function checkKeys(backend: CheckedBackend, dialect: DialectId, report: Report): void {
  const { state, images, auth, apiKey } = backend;
  if (state === 'own' && !gatewayDialect(dialect).keepsAnswers) report('state', `${dialect} backends keep no answers`);
  const speaker = images && gatewayDialects.find(({ ownImages }) => ownImages.includes(images))?.id;
  if (speaker !== undefined && speaker !== dialect) report('images', `needs a backend of the ${speaker} dialect`);
  if (auth === 'client' && apiKey !== undefined) report('auth', '`client` excludes apiKey');
}

/** 12 characters of a hash over what tells one installation from another (translation.md 4.2.4). */
function defaultDomain(dialect: DialectId, root: string): string {
  const { protocol, host } = new URL(root);
  return base32(createHash('sha256').update(`${dialect}\n${protocol}\n${host}`).digest()).slice(0, 12);
}

function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)])
    .join('');
}
