import type { Profile, ProfileChoice, ServerFlags } from '../profile.js';
import {
  FAMILIES,
  rowOf,
  type ServerRow,
  serverAt,
  serverNamed,
  UNKNOWN_PROFILE,
  UNKNOWN_SERVER,
  vendorOf,
} from './servers/index.js';

/**
 * The profile of a model at a server [H §10.3]: what the host says, then what the model is there, then what its family
 * needs anywhere, then the caller's flags. Without a host the model is taken to be at its vendor's. A choice may name a server
 * that has no host of its own in the place of a model: `vllm`, say.
 */
export function profile(model: string, choice?: ProfileChoice): Profile {
  const { model: named, host, server: own, ...flags } = typeof choice === 'string' ? { model: choice } : (choice ?? {});
  const chosen = serverNamed(named);
  const name = familyName(chosen === undefined ? (named ?? model) : model);
  const row = chosen ?? (host === undefined ? vendorOf(name) : serverAt(host));
  const known = rowOf(row?.models ?? [], name);
  const server = { ...UNKNOWN_SERVER, ...row?.server, ...known?.server, ...familyFlags(name, row), ...own };
  const looked = { ...UNKNOWN_PROFILE, ...row?.flags, ...known?.flags };
  return { ...looked, ...implied(looked, server), ...flags, server };
}

/** The flags that were completed, by those that a profile says: they are asked for once for every part of a request. */
const completed = new WeakMap<Partial<ServerFlags>, ServerFlags>();

/** Every flag of the server; what a profile does not say is as at an unknown server. */
export function serverFlags({ server }: Profile): ServerFlags {
  if (server === undefined) return UNKNOWN_SERVER;
  const known = completed.get(server);
  if (known !== undefined) return known;
  const flags = { ...UNKNOWN_SERVER, ...server };
  completed.set(server, flags);
  return flags;
}

/** A model's name as tables have it: the last segment of its path, without what follows a colon [H §10.3]. */
function familyName(model: string): string {
  const last = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const name = last.startsWith('ft:') ? last.slice(3) : last;
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(0, colon);
}

function familyFlags(name: string, row: ServerRow | undefined): Partial<ServerFlags> {
  const found = Object.entries(rowOf(FAMILIES, name)?.server ?? {});
  return Object.fromEntries(found.filter(([flag]) => !row?.keeps.some((kept) => kept === flag)));
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
