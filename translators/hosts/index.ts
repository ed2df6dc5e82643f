import { fitsHost } from '../target/profile.js';
import { CLOUDS } from './clouds.js';
import { FURTHER_VENDORS } from './further-vendors.js';
import { LOCAL } from './local.js';
import { MARKETS } from './markets.js';
import { OTHER_SERVERS } from './other.js';
import type { HostRow, ServerRow } from './row.js';
import { VENDORS } from './vendors.js';

export { type HostEndpoint, type HostRow, onDemand, type ServerRow } from './row.js';

/** The one table of the hosts that are known: addresses, credentials, and by dialect what they have of it (hosts.md#presets). */
export const HOSTS = { ...VENDORS, ...FURTHER_VENDORS, ...CLOUDS, ...LOCAL, ...MARKETS };

/** Lookups among the servers of one dialect. */
export interface Servers {
  /** The server at a host, `name` or `name:port`; undefined when nobody knows it. */
  at(host: string): ServerRow | undefined;
  /** The server of a name in the configuration that everybody runs at a host of their own; undefined for the names of models. */
  named(name: string | undefined): ServerRow | undefined;
  /** The server of the vendor of a model; undefined for names that belong to nobody. */
  vendorOf(name: string): ServerRow | undefined;
  /** How the names of models begin that vendors serve. */
  readonly prefixes: readonly string[];
  /** The names that {@link named} knows. */
  readonly names: readonly string[];
}

export function serversOf(dialect: string): Servers {
  const table: Readonly<Record<string, HostRow>> = HOSTS;
  const rows = [...Object.values(table), ...OTHER_SERVERS].flatMap(
    ({ hosts, alike = [], endpoints: { [dialect]: row } }) =>
      row === undefined ? [] : [{ row, hosts: [...hosts, ...alike] }],
  );
  const ownNames = Object.keys(table).filter((name) => table[name]?.key === 'optional');
  const vendors = rows.flatMap(({ row }) => (row.names?.length ? [row] : []));
  return {
    at: (host) => rows.find(({ hosts }) => hosts.some((pattern) => fitsHost(pattern, host)))?.row,
    named: (name) => (name !== undefined && ownNames.includes(name) ? table[name]?.endpoints[dialect] : undefined),
    vendorOf(name) {
      let best: { readonly row: ServerRow; readonly length: number } | undefined;
      for (const row of vendors)
        for (const prefix of row.names ?? [])
          if (name.startsWith(prefix) && prefix.length > (best?.length ?? 0)) best = { row, length: prefix.length };
      return best?.row;
    },
    prefixes: vendors.flatMap(({ names = [], models = [] }) => [...names, ...models.map(({ prefix }) => prefix)]),
    names: ownNames,
  };
}
