import { createHash } from 'node:crypto';
import { type DialectId, dialectIds } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { type CredentialFiles, didYouMean, missingFor } from '../ground/index.js';
import { presets } from '../presets/index.js';
import { resolveBackend } from './backend.js';
import { cloudFields } from './clouds.js';
import { endpointsOf } from './endpoints.js';
import type { FileValue } from './environment.js';
import { outputFault } from './model-schema.js';
import { formatPath, type Problem } from './problem.js';
import { checkProfileName } from './profile-name.js';
import type { CheckedConfig } from './schema.js';
import { saidOf } from './targets.js';
import type { BackendConfig, Config, KeyConfig, StoreConfig, TargetConfig } from './types.js';

type CheckedTarget = Extract<NonNullable<CheckedConfig['models']>[string], { backend: string }>;

/** Fills in what depends on other keys and checks what one key says about another. */
export function resolveConfig(
  checked: CheckedConfig,
  problems: Problem[],
  fromFiles: readonly FileValue[] = [],
): Config {
  const backends: Record<string, BackendConfig> = Object.create(null);
  for (const [name, backend] of Object.entries(checked.backends)) {
    const files = credentialFiles(name, fromFiles);
    const resolved = resolveBackend(name, backend, checked, problems);
    checkProfileName(backend.profile, resolved.dialect, ['backends', name], problems);
    const endpoints = endpointsOf(resolved, backend, checked);
    const inFiles = files !== undefined && { files };
    backends[name] = {
      ...resolved,
      ...cloudFields(resolved, backend, problems),
      ...inFiles,
      endpoints: endpoints.map((endpoint) => ({ ...endpoint, ...inFiles })),
    };
  }
  const keys = resolveKeys(checked, problems);
  checkClientAuth(backends, keys, problems);
  if (checked.open && keys.length > 0) problems.push({ path: 'open', reason: 'cannot be used with keys' });
  if (checked.workers > 1 && checked.store.type === 'memory') {
    problems.push({ path: 'workers', reason: 'more than one worker needs a shared store: lmdb, redis or off' });
  }
  const missing = {
    'store.type': checked.store.type === 'redis' ? missingFor('redis') : undefined,
    prices: checked.prices && missingFor(checked.prices),
  };
  for (const [path, reason] of Object.entries(missing)) if (reason !== undefined) problems.push({ path, reason });
  return {
    listen: { ...checked.listen, publicUrl: checked.listen.publicUrl?.replace(/\/+$/, '') },
    workers: checked.workers,
    backends,
    models: resolveModels(checked, backends, problems),
    prices: checked.prices,
    keys,
    open: checked.open,
    passthrough: resolvePassthrough(checked, backends, problems),
    playground: checked.playground,
    losses: checked.losses,
    translate: checked.translate,
    limits: checked.limits,
    store: resolveStore(checked.store),
    media: checked.media,
    record: checked.record,
    usage: checked.usage,
    log: checked.log,
    live: checked.live,
    metrics: { port: checked.metrics.port, host: checked.metrics.host ?? '127.0.0.1' },
    files: Object.fromEntries(fromFiles.flatMap((one) => (isCredential(one) ? [] : Object.entries(one.digests)))),
  };
}

/** Values that are read again for each call, and need no new configuration. */
function isCredential({ path: [section, , key] }: FileValue): boolean {
  return section === 'backends' && (key === 'apiKey' || key === 'headers');
}

function credentialFiles(name: string, fromFiles: readonly FileValue[]): CredentialFiles | undefined {
  const own = fromFiles.filter((one) => isCredential(one) && one.path[1] === name);
  if (own.length === 0) return undefined;
  const apiKey = own.find(({ path }) => path[2] === 'apiKey')?.template;
  const headers = own.flatMap(({ path, template }) =>
    path[2] === 'headers' ? [[String(path[3]).toLowerCase(), template] as const] : [],
  );
  return { ...(apiKey !== undefined && { apiKey }), headers: Object.fromEntries(headers) };
}

function resolveStore({ type, path, url, ...limits }: CheckedConfig['store']): StoreConfig {
  if (type === 'redis') return { type, url: url ?? '', ...limits };
  return type === 'lmdb' ? { type, path: path ?? '.interlingua', ...limits } : { type, ...limits };
}

function resolveModels(
  checked: CheckedConfig,
  backends: Readonly<Record<string, BackendConfig>>,
  problems: Problem[],
): Config['models'] {
  const models: Record<string, readonly TargetConfig[]> = Object.create(null);
  if (checked.models === undefined) {
    const names = Object.keys(backends);
    const [only, ...others] = names;
    if (only !== undefined && others.length === 0) models['*'] = [{ backend: only }];
    else problems.push({ path: 'models', reason: 'is required when there is more than one backend' });
    return models;
  }
  for (const [name, value] of Object.entries(checked.models)) {
    const path = ['models', name];
    if (name.slice(0, -1).includes('*')) {
      problems.push({ path: formatPath(path), reason: '`*` is only allowed at the end of a name' });
    }
    const list = Array.isArray(value) ? value : [value];
    list.forEach((target, index) => {
      checkTarget(name, target, Array.isArray(value) ? [...path, index] : path, backends, problems);
    });
    models[name] = list;
  }
  return models;
}

function checkTarget(
  name: string,
  target: CheckedTarget,
  path: readonly PropertyKey[],
  backends: Readonly<Record<string, BackendConfig>>,
  problems: Problem[],
): void {
  const backend = backends[target.backend];
  if (backend === undefined) {
    const reason = noSuchBackend(target.backend, Object.keys(backends));
    problems.push({ path: formatPath([...path, 'backend']), reason });
  } else {
    checkProfileName(target.profile, backend.dialect, path, problems);
    // At one place it was checked before.
    const fault = outputFault(saidOf(target, backend, target.model ?? name));
    if (fault !== undefined) problems.push({ path: formatPath([...path, 'maxOutput']), reason: fault });
  }
  if (target.model?.includes('*') === true && !name.endsWith('*')) {
    problems.push({ path: formatPath([...path, 'model']), reason: '`*` needs a name that ends in `*`' });
  }
}

/** Who serves what nothing translates: the named backend, else the only one of the dialect on its vendor's host. */
function resolvePassthrough(
  { passthrough }: CheckedConfig,
  backends: Readonly<Record<string, BackendConfig>>,
  problems: Problem[],
): Config['passthrough'] {
  const found: Partial<Record<DialectId, string>> = {};
  if (passthrough === false) return found;
  for (const dialect of dialectIds) {
    const named = passthrough[dialect];
    if (named === false) continue;
    const path = formatPath(['passthrough', dialect]);
    if (named === undefined) {
      const [only, ...others] = Object.values(backends).filter((one) => isVendor(one, dialect));
      if (only !== undefined && others.length === 0) found[dialect] = only.name;
    } else if (backends[named] === undefined) {
      problems.push({ path, reason: noSuchBackend(named, Object.keys(backends)) });
    } else if (backends[named].dialect !== dialect) {
      problems.push({ path, reason: `needs a backend of the ${dialect} dialect` });
    } else if (backends[named].simulator) {
      problems.push({ path, reason: 'the simulator has no such routes' });
    } else found[dialect] = named;
  }
  return found;
}

function isVendor({ dialect, baseUrl }: BackendConfig, wanted: DialectId): boolean {
  const root = presets[gatewayDialect(wanted).service.preset].endpoints[wanted]?.root;
  return (
    dialect === wanted &&
    baseUrl !== undefined &&
    root !== undefined &&
    new URL(baseUrl).origin === new URL(root).origin
  );
}

function noSuchBackend(name: string, names: readonly string[]): string {
  const close = didYouMean(name, names);
  return `unknown backend; ${close === undefined ? `known: ${names.join(', ')}` : `did you mean \`${close}\`?`}`;
}

function resolveKeys(checked: CheckedConfig, problems: Problem[]): KeyConfig[] {
  const names = new Set<string>();
  const digests = new Set<string>();
  return (checked.keys ?? []).map(({ key, sha256, ...rest }, index) => {
    const { name } = rest;
    const digest =
      sha256 ??
      createHash('sha256')
        .update(key ?? '')
        .digest('hex');
    if (names.has(name)) problems.push({ path: `keys[${index}].name`, reason: 'is the name of another key' });
    if (digests.has(digest)) problems.push({ path: `keys[${index}]`, reason: 'is the same key as another' });
    names.add(name);
    digests.add(digest);
    return { ...rest, sha256: digest };
  });
}

function checkClientAuth(
  backends: Readonly<Record<string, BackendConfig>>,
  keys: readonly KeyConfig[],
  problems: Problem[],
): void {
  if (keys.length === 0) return;
  for (const name of Object.keys(backends)) {
    if (backends[name]?.auth !== 'client') continue;
    problems.push({ path: formatPath(['backends', name, 'auth']), reason: '`client` excludes keys' });
  }
}
