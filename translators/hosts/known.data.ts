/**
 * What bundles need of the table of hosts. For bundlers the build writes what these come to, without the table (docs/internals/
 * decisions/0033-what-a-bundle-holds.md): plain data, each row a part of one there.
 */
import { OTHER_SERVERS } from './other.js';
import type { CalledEndpoint, CalledHost, HostEndpoint, HostRow, ServerRow } from './row.js';
import type { KnownServer } from './servers.js';
import { HOSTS } from './table.js';

type HostName = keyof typeof HOSTS;

const ROWS = Object.entries<HostRow>(HOSTS);

/** The members of an endpoint that say what its server does; the others say how it is called. */
const OF_SERVER = { names: true, flags: true, server: true, models: true, keeps: true } satisfies Readonly<
  Record<keyof ServerRow, true>
>;

/** The servers that speak chat completions, in the order of the table. */
export const CHAT_SERVERS: readonly KnownServer[] = [
  ...ROWS.flatMap(([name, row]) => serverIn(row, row.key === 'optional' ? name : undefined)),
  ...OTHER_SERVERS.flatMap((row) => serverIn(row, undefined)),
];

/** How each host is called. */
export const CALLED_HOSTS = Object.fromEntries(
  ROWS.map(([name, { hosts, auth, key, headers, manyRoots, endpoints }]) => [
    name,
    {
      hosts,
      auth,
      key,
      ...(headers && { headers }),
      ...(manyRoots && { manyRoots }),
      endpoints: Object.fromEntries(Object.entries(endpoints).map(([dialect, one]) => [dialect, endpointIn(one)])),
    },
  ]),
) as Readonly<Record<HostName, CalledHost>>;

function serverIn(
  { hosts, alike = [], endpoints: { chatCompletions } }: Pick<HostRow, 'hosts' | 'alike' | 'endpoints'>,
  name: string | undefined,
): readonly KnownServer[] {
  if (chatCompletions === undefined) return [];
  return [{ ...(name !== undefined && { name }), hosts: [...hosts, ...alike], row: rowIn(chatCompletions) }];
}

function rowIn(endpoint: HostEndpoint): ServerRow {
  return Object.fromEntries(Object.entries(endpoint).filter(([key]) => key in OF_SERVER));
}

function endpointIn(endpoint: HostEndpoint): CalledEndpoint {
  return Object.fromEntries(Object.entries(endpoint).filter(([key]) => !(key in OF_SERVER)));
}
