import { fitsHost } from '../target/profile.js';
import type { ServerRow } from './row.js';

/** A server of one dialect, as lookups know it. */
export interface KnownServer {
  /** Its name in the configuration, where everybody runs it at a host of their own. */
  readonly name?: string;
  readonly hosts: readonly string[];
  readonly row: ServerRow;
}

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

export function serversOf(known: readonly KnownServer[]): Servers {
  const vendors = known.flatMap(({ row }) => (row.names?.length ? [row] : []));
  return {
    at: (host) => known.find(({ hosts }) => hosts.some((pattern) => fitsHost(pattern, host)))?.row,
    named: (name) => (name === undefined ? undefined : known.find((one) => one.name === name)?.row),
    vendorOf(name) {
      let best: { readonly row: ServerRow; readonly length: number } | undefined;
      for (const row of vendors)
        for (const prefix of row.names ?? [])
          if (name.startsWith(prefix) && prefix.length > (best?.length ?? 0)) best = { row, length: prefix.length };
      return best?.row;
    },
    prefixes: vendors.flatMap(({ names = [], models = [] }) => [...names, ...models.map(({ prefix }) => prefix)]),
    names: known.flatMap(({ name }) => name ?? []),
  };
}
