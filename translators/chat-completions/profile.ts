import { CHAT_SERVERS, type ServerRow, serversOf } from '../hosts/index.js';
import type { HostFeature } from '../target/host-words.js';
import { type Choice, familyName, names, type ProfileChoice, rowOf } from '../target/profile.js';
import type { ServerFlags } from '../target/server-words.js';
import { withoutUnsupported } from '../target/unsupported.js';
import type { Profile } from '../target/words.js';
import { FAMILIES, KNOWN_SERVER, UNKNOWN_PROFILE, UNKNOWN_SERVER } from './servers/index.js';

const SERVERS = serversOf(CHAT_SERVERS);

/** That of the vendor of the protocol. */
const VENDOR = SERVERS.vendorOf('gpt-');

/** The newest of the vendor's models for everyday work: what is offered where nobody chose one. */
export const mainline = 'gpt-6.2-astra';

/** The names that {@link profile} knows: of models and of their vendors with a trailing `*`, and of servers. */
export const profileNames: readonly string[] = [...SERVERS.prefixes, ...FAMILIES.map(({ prefix }) => prefix)]
  .map((prefix) => `${prefix}*`)
  .concat(SERVERS.names);

/** The server of a choice: named, at a host, or the vendor of a model. */
function serverOf(
  name: string,
  { model, preset, host }: Pick<Choice, 'model' | 'preset' | 'host'>,
): ServerRow | undefined {
  return (
    SERVERS.named(model) ?? SERVERS.named(preset) ?? (host === undefined ? SERVERS.vendorOf(name) : SERVERS.at(host))
  );
}

/**
 * The profile of a model at a server [H §10.3]: what the host says, then what the model is there, then what its family
 * needs anywhere, then the caller's flags. Without a host the model is taken to be at its vendor's. A choice may name a server
 * that has no host of its own in the place of a model: `vllm`, say.
 */
export function profile(model: string, choice?: ProfileChoice): Profile {
  const given = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const { model: named, host: _host, preset: _preset, neutral, unsupported = [], server: own, ...flags } = given;
  const name = familyName(SERVERS.named(named) === undefined ? (named ?? model) : model);
  const row = serverOf(name, given);
  const known = rowOf(row?.models ?? [], name);
  const base = row === undefined ? UNKNOWN_SERVER : KNOWN_SERVER;
  const server = {
    ...base,
    ...row?.server,
    ...known?.server,
    ...familyFlags(name, row),
    ...serverWithout(unsupported),
    ...own,
  };
  const unknown = row === undefined ? { ...UNKNOWN_PROFILE, ...neutral } : UNKNOWN_PROFILE;
  const looked = { ...unknown, ...row?.flags, ...known?.flags };
  return { ...withoutUnsupported({ ...looked, ...implied(looked, server) }, unsupported), ...flags, server };
}

/** Whether nothing is known of a name but the vendor of the protocol, whose newest model it is taken for (configuration.md#profile-flags). */
export function takenForNewest(model: string, choice?: ProfileChoice): boolean {
  const given = { model, ...(typeof choice === 'string' ? { model: choice } : choice) };
  const name = familyName(given.model);
  const row = serverOf(name, given);
  return row !== undefined && row === VENDOR && rowOf(row.models ?? [], name) === undefined;
}

/** The most tokens that the model generates; undefined where no row of its host names this very model (translation.md 2.1). */
export function outputLimit(model: string, choice?: ProfileChoice): number | undefined {
  const given = { model, ...(typeof choice === 'string' ? { model: choice } : choice) };
  const name = familyName(given.model);
  const known = rowOf(serverOf(name, given)?.models ?? [], name);
  return given.maxOutput ?? (known !== undefined && names(known, name) ? profile(model, choice).maxOutput : undefined);
}

/** How a server speaks that lacks something of the dialect. */
function serverWithout(unsupported: readonly HostFeature[]): Partial<ServerFlags> {
  const efforts = unsupported.includes('farEfforts') || unsupported.includes('effort');
  return {
    ...(unsupported.includes('reasoningHistory') && { reasoningReplay: 'never' }),
    ...(efforts && { strictEfforts: true }),
  };
}

function familyFlags(name: string, row: ServerRow | undefined): Partial<ServerFlags> {
  const found = Object.entries(rowOf(FAMILIES, name)?.server ?? {});
  return Object.fromEntries(found.filter(([flag]) => !row?.keeps?.some((kept) => kept === flag)));
}

/** What flags that every dialect has are, given how the server speaks. */
function implied({ thinking }: Profile, server: ServerFlags): Partial<Profile> {
  return {
    midSystem: server.systemMessages === 'many',
    systemField: server.systemMessages !== 'none',
    forcedWithThinking: server.toolChoiceThinking === 'all' || server.toolChoiceThinking === 'noNamed',
    ...(server.reasoningControl === 'none'
      ? { thinking: { ...thinking, control: 'none' } }
      : thinking.control === 'none' && { thinking: { ...thinking, control: 'effort' } }),
  };
}
