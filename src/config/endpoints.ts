import type { DialectId } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { dialectsOf, presets } from '../presets/index.js';
import { resolveBackend } from './backend.js';
import type { CheckedConfig } from './schema.js';
import type { BackendConfig } from './types.js';

type Checked = CheckedConfig['backends'][string];

/**
 * The other endpoints of a backend's host by which its models are called as well, in the preset's order (hosts.md#endpoints). None where the file names
 * a dialect, or where its address has a path or a query that not all of them have.
 */
export function endpointsOf(
  backend: BackendConfig,
  checked: Checked,
  config: Pick<CheckedConfig, 'limits' | 'translate'>,
): readonly BackendConfig[] {
  const { name, preset, baseUrl, query } = backend;
  if (preset === undefined || baseUrl === undefined || query !== undefined || checked.dialect !== undefined) return [];
  if (checked.auth === 'google' || checked.auth === 'aws') return [];
  const known = presets[preset.name];
  const { [backend.dialect]: own } = known.endpoints;
  const usual = own?.auth ?? known.auth;
  const says = checked.baseUrl !== undefined && withoutVersion(new URL(checked.baseUrl).pathname) !== '';
  return dialectsOf(known).flatMap((dialect) => {
    const endpoint = known.endpoints[dialect];
    const from = own?.root;
    if (dialect === backend.dialect || endpoint?.root === undefined || from === undefined || endpoint.imitation)
      return [];
    if (says && withoutVersion(new URL(from).pathname) !== withoutVersion(new URL(endpoint.root).pathname)) return [];
    const root = besides(baseUrl, from, endpoint.root);
    if (root === undefined) return [];
    const entry: Checked = {
      ...checked,
      dialect,
      baseUrl: root,
      auth: checked.auth === usual ? undefined : checked.auth,
      domain: checked.domain === undefined ? undefined : domainAt(checked.domain, dialect),
      images: undefined,
      videos: undefined,
      state: gatewayDialect(dialect).keepsAnswers ? checked.state : undefined,
      unsupported: undefined,
    };
    return [{ ...resolveBackend(name, entry, config, []), preset }];
  });
}

/** The address that differs from `address` as `to` does from `from`. undefined where `address` is at no such place. */
function besides(address: string, from: string, to: string): string | undefined {
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, '');
  const end = new URL(from).pathname.replace(/\/+$/, '');
  if (!path.endsWith(end)) return undefined;
  return origin + path.slice(0, path.length - end.length) + new URL(to).pathname.replace(/\/+$/, '');
}

function withoutVersion(path: string): string {
  return path.replace(/\/+$/, '').replace(/\/v1(?:beta1?|alpha)?$/, '');
}

/** Endpoints cannot read each other's state, whatever backends share it. */
function domainAt(domain: string, dialect: DialectId): string {
  return `${domain}.${dialect}`.slice(-64);
}

/** The endpoint of a backend that speaks a dialect. */
export function endpointFor(backend: BackendConfig, dialect: DialectId): BackendConfig | undefined {
  return backend.dialect === dialect ? backend : backend.endpoints.find((one) => one.dialect === dialect);
}
