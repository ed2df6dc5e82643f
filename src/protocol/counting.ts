import { type DialectId, dialects, type ProfileChoice } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { calledPresets } from '../presets/index.js';
import { profileAt } from './address.js';
import type { Host } from './host.js';
import { pathOf } from './publisher.js';

/** How a host counts the tokens of requests. */
export interface Counting {
  /** In which dialect it is asked. */
  readonly dialect: DialectId;
  /** What is known of its models in that dialect, where it is not that of the backend. */
  readonly choice?: ProfileChoice;
  path(sent: { readonly model: string; readonly stream: boolean }): string;
}

/**
 * How the host of a backend counts: by the route of the backend's dialect, or by that of another one at the same address, where its preset
 * says so. undefined = it cannot be asked.
 */
export function countingOf(host: Host): Counting | undefined {
  const { counts: route } = gatewayDialect(host.dialect);
  const known = host.preset === undefined ? undefined : calledPresets[host.preset.name];
  const dialect = known?.endpoints[host.dialect]?.counts;
  if (dialect === undefined)
    return route !== false && !host.unsupported.includes(route)
      ? { dialect: host.dialect, path: (sent) => pathOf(host, dialects[host.dialect], 'count', sent) }
      : undefined;
  if (dialect === host.dialect) return { dialect, path: (sent) => pathOf(host, dialects[host.dialect], 'count', sent) };
  const unsupported = known?.endpoints[dialect]?.unsupported ?? [];
  return {
    dialect,
    choice: profileAt({ ...host, dialect, unsupported }, undefined),
    path(sent) {
      const path = dialects[dialect].endpoint('count', sent);
      return host.baseUrl?.endsWith('/v1') ? path.replace(/^\/v1/, '') : path;
    },
  };
}
