import type { ServerFlags } from '../../target/server-words.js';
import type { Profile } from '../../target/words.js';
import type { ModelRow } from './models.js';

/** A server that is known by its host, or by its name where it is nobody's host. */
export interface ServerRow {
  /** How a configuration names a server that everybody runs at a host of their own. */
  readonly name?: string;
  /** Names of hosts, with at most one `*` for any run of characters; those with a port are compared with it. */
  readonly hosts: readonly string[];
  /** How the names of the vendor's own models begin: where no host is known, they are taken to be there. */
  readonly names?: readonly string[];
  readonly flags?: Partial<Profile>;
  readonly server?: Partial<ServerFlags>;
  readonly models?: readonly ModelRow[];
  /** What is so for every model that it serves, whatever its family needs elsewhere. */
  readonly keeps: readonly (keyof ServerFlags)[];
}

/** Flags that its own parser of reasoning settles for every model. */
export const PARSES = ['inlineThink'] as const;

/** It refuses the field in which other servers want reasoning back [H §8.1], and forces tools on every model. */
export const REFUSES = ['inlineThink', 'reasoningReplay', 'toolChoice', 'toolChoiceThinking'] as const;

/** Pictures are fetched by the server. */
export const PICTURES = { urlMedia: ['image'] } as const satisfies Partial<Profile>;
/** Every sampling field is understood. */
export const TOP_K = { sampling: [] } as const satisfies Partial<Profile>;

/** Sampling of servers without penalties. */
export const PENALTY_FREE = ['no-topK', 'no-penalties'] as const;
