import type { Effort } from '../canonical/request.js';
import type { HostFeature } from '../target/host-words.js';
import type { ProfileFlags } from '../target/profile.js';
import type { ServerFlags } from '../target/server-words.js';
import type { Profile, ThinkingProfile } from '../target/words.js';

/** What is known of the models whose names begin with `prefix`; the longest prefix wins. */
export interface ModelRow {
  readonly prefix: string;
  readonly flags?: Partial<Profile>;
  readonly server?: Partial<ServerFlags>;
}

/** How a server speaks the chat completions dialect [H §10.2]. */
export interface ServerRow {
  /** How the names of the vendor's own models begin: where no host is known, they are taken to be there. */
  readonly names?: readonly string[];
  readonly flags?: Partial<Profile>;
  readonly server?: Partial<ServerFlags>;
  readonly models?: readonly ModelRow[];
  /** What is so for every model that it serves, whatever its family needs elsewhere. */
  readonly keeps?: readonly (keyof ServerFlags)[];
}

/** What a host has of one dialect. */
export interface HostEndpoint extends ServerRow {
  /** Its service root; absent where each customer has an address of its own. */
  readonly root?: string;
  /** Such an address, with its variable parts in capitals. */
  readonly example?: string;
  /**
   * A parameter of queries that tells the version. Where that of the address is a date, the paths of calls begin with none; else
   * what clients name there is not sent.
   */
  readonly dated?: string;
  /** Form of the credential, where it differs from the other endpoints. */
  readonly auth?: string;
  /** What it takes of models that nobody knows: flags over the neutral profile (configuration.md#profile-flags). */
  readonly neutral?: Partial<Profile>;
  /** What is so of every model there, whatever its name says. */
  readonly profile?: ProfileFlags;
  /**
   * What it has not of the dialect, or ignores in silence (hosts.md#presets). What nobody has seen it refuse is here only where
   * another form costs the answer nothing.
   */
  readonly unsupported?: readonly HostFeature[];
  /**
   * The dialect whose route counts the tokens of requests to this endpoint, at the same address: where the endpoint's own dialect has none, or the
   * host lacks it.
   */
  readonly counts?: string;
  /**
   * A service's imitation of another one's dialect, beside its own, which says more: taken only where the configuration names it. It ignores
   * members without a word, caches nothing on request and gives no state of the reasoning.
   */
  readonly imitation?: true;
  /** It keeps a conversation for the next request that goes on with it; what nobody knows does not. */
  readonly threads?: true;
}

/** All that is known of a host (hosts.md#presets). Plain data: what is done with it is nowhere asked by the name of a host. */
export interface HostRow {
  /** As its makers write it. */
  readonly title: string;
  /**
   * Names of its hosts, the usual one first, each with at most one `*` for any run of characters. `localhost:PORT` stands
   * for all loopback addresses; no other has a port. Empty where the address says nothing.
   */
  readonly hosts: readonly string[];
  /** More hosts whose chat server is the same; those with a port are compared with it. */
  readonly alike?: readonly string[];
  /** What it speaks, by dialect; the first is taken where the configuration names none. */
  readonly endpoints: Readonly<Record<string, HostEndpoint>>;
  /** Its hosts have more roots than these: nothing is filled in behind an address of it. */
  readonly manyRoots?: true;
  /** Form of the credential. */
  readonly auth: string;
  /** Whether calls without a key fail; `optional` = a server that people run themselves; `none` = its credentials are no key. */
  readonly key: 'needed' | 'optional' | 'none';
  /** Variable of the environment in which the vendor's own tools look for the key. */
  readonly variable?: string;
  /** It keeps answers that later requests name by id. */
  readonly state?: 'own';
  /** Where it tells the windows of its models, beside its list of them: running ones, which may be smaller than what was trained. */
  readonly windows?: 'props' | 'show' | 'loaded';
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `gen_ai.provider.name`, where the semantic conventions have one; else its name here. */
  readonly provider?: string;
  /** The version that it was tried with, and when; where absent, what is known of it is from its documentation and reports. */
  readonly tried?: string;
  /** What an operator has to know, in one line for the recipes. */
  readonly note?: string;
}

/** How an endpoint is called. */
export type CalledEndpoint = Omit<HostEndpoint, keyof ServerRow>;

/** What of a host its calls depend on. */
export interface CalledHost extends Pick<HostRow, 'hosts' | 'manyRoots' | 'auth' | 'key' | 'headers'> {
  readonly endpoints: Readonly<Record<string, CalledEndpoint>>;
}

/** Servers of responses that know tools of one type, functions, and items of messages, reasoning and their calls. */
export const FUNCTIONS_ONLY = [
  'customTools',
  'namespaces',
  'toolSearch',
  'additionalTools',
  'hostedTools',
  'codexItems',
] as const satisfies readonly HostFeature[];

/** Servers of messages that know tools by their schemas only. */
export const SCHEMAS_ONLY = [
  'clientTools',
  'hostedTools',
  'mcp',
  'containers',
] as const satisfies readonly HostFeature[];

/** Flags that a server's own parser of reasoning settles for every model. */
export const PARSES = ['inlineThink'] as const;

/** It refuses the field in which other servers want reasoning back [H §8.1], and forces tools on every model. */
export const REFUSES = ['inlineThink', 'reasoningReplay', 'toolChoice', 'toolChoiceThinking'] as const;

/** Pictures are fetched by the server. */
export const PICTURES = { urlMedia: ['image'] } as const satisfies Partial<Profile>;
/** Every sampling field is understood. */
export const TOP_K = { sampling: [] } as const satisfies Partial<Profile>;

/** Sampling of servers without penalties. */
export const PENALTY_FREE = ['no-topK', 'no-penalties'] as const;

/** A model that reasons unless it is told not to, on these levels. */
export function reasons(...levels: readonly Effort[]): ThinkingProfile {
  return { control: 'effort', canDisable: true, levels, defaultOn: true, defaultLevel: 'medium', defaultShow: 'none' };
}

/** A model that cannot but reason, on these levels. */
export function always(...levels: readonly Effort[]): ThinkingProfile {
  return { ...reasons(...levels), canDisable: false };
}

/** A model that reasons when it is asked to, on these levels. */
export function onDemand(...levels: readonly Effort[]): ThinkingProfile {
  return { ...reasons(...levels), defaultOn: false };
}
