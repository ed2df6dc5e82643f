import { fitsHost } from '../../target/profile.js';
import { HOSTS } from './hosts.js';
import { FAMILIES } from './models.js';
import type { ServerRow } from './row.js';
import { VENDORS } from './vendors.js';

export { FAMILIES, KNOWN_SERVER, UNKNOWN_PROFILE, UNKNOWN_SERVER } from './models.js';
export { fitMembers } from './own.js';
export { REFUSALS } from './refusals.js';
export { withResultsOfText } from './results.js';
export type { ServerRow } from './row.js';
export { OPENAI } from './vendors.js';

const SERVERS: readonly ServerRow[] = [...VENDORS, ...HOSTS];

/** The names by which a profile is chosen: of models and of their vendors with a trailing `*`, and of servers. */
export const CHOICES: readonly string[] = [
  ...VENDORS.flatMap(({ names = [], models = [] }) => [...names, ...models.map(({ prefix }) => prefix)]),
  ...FAMILIES.map(({ prefix }) => prefix),
]
  .map((prefix) => `${prefix}*`)
  .concat(SERVERS.flatMap(({ name }) => name ?? []));

/** The server at a host, `name` or `name:port`; undefined when nobody knows it. */
export function serverAt(host: string): ServerRow | undefined {
  return SERVERS.find(({ hosts }) => hosts.some((pattern) => fitsHost(pattern, host)));
}

/** The server of a name in the configuration; undefined for the names of models. */
export function serverNamed(name: string | undefined): ServerRow | undefined {
  return name === undefined ? undefined : SERVERS.find((row) => row.name === name);
}

/** The server of the vendor of a model; undefined for names that belong to nobody. */
export function vendorOf(name: string): ServerRow | undefined {
  let best: { readonly row: ServerRow; readonly length: number } | undefined;
  for (const row of VENDORS)
    for (const prefix of row.names ?? [])
      if (name.startsWith(prefix) && prefix.length > (best?.length ?? 0)) best = { row, length: prefix.length };
  return best?.row;
}
