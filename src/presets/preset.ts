import { type DialectId, dialectIds, type HostLack, type ProfileChoice } from '../../translators/index.js';
import type { KeyForm } from '../dialects/index.js';
import type { Cloud } from '../ground/plain/index.js';

type HostFlags = Exclude<ProfileChoice, string>;

/** What a host has of one dialect. */
export interface Door {
  /** Its service root; absent where each customer has an address of its own. */
  readonly root?: string;
  /** Such an address, with its variable parts in capitals. */
  readonly example?: string;
  /**
   * A parameter of queries that tells the version. Where that of the address is a date, the paths of calls begin with none; else
   * what clients name there is not sent.
   */
  readonly dated?: string;
  /** Form of the credential, where it is another than at the other doors. */
  readonly auth?: KeyForm | Cloud;
  /** What it takes of models that nobody knows: flags over the neutral profile (configuration.md#profile-flags). */
  readonly neutral?: HostFlags['neutral'];
  /** What is so of every model there, whatever its name says. */
  readonly profile?: HostFlags;
  /**
   * What it has not of the dialect, or ignores in silence (hosts.md#presets). What nobody has seen it refuse is here only where
   * another form costs the answer nothing.
   */
  readonly lacks?: readonly HostLack[];
  /**
   * The dialect whose route counts the tokens of requests to this door, at the same address: where the door's own dialect has none, or the
   * host lacks it.
   */
  readonly counts?: DialectId;
  /** It keeps a conversation for the next request that goes on with it; what nobody knows does not. */
  readonly threads?: true;
}

/** All that is known of a host (hosts.md#presets). Plain data: what is done with it is nowhere asked by the name of a host. */
export interface Preset {
  /** As its makers write it. */
  readonly title: string;
  /**
   * Names of its hosts, the usual one first, each with at most one `*` for any run of characters. `localhost:PORT` stands
   * for all loopback addresses; no other has a port. Empty where the address says nothing.
   */
  readonly hosts: readonly string[];
  /** What it speaks; the first is taken where the configuration names none. */
  readonly doors: Readonly<Partial<Record<DialectId, Door>>>;
  /** Its hosts have more roots than these: nothing is filled in behind an address of it. */
  readonly manyRoots?: true;
  readonly auth: KeyForm | Cloud;
  /** Whether calls without a key fail; `none` = its credentials are no key. */
  readonly key: 'needed' | 'optional' | 'none';
  /** Variable of the environment in which the vendor's own tools look for the key. */
  readonly variable?: string;
  /** It keeps answers that later requests name by id. */
  readonly state?: 'own';
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `gen_ai.provider.name`, where the semantic conventions have one; else its name here. */
  readonly provider?: string;
  /** The version that it was tried with, and when; where absent, what is known of it is from its documentation and reports. */
  readonly tried?: string;
  /** What an operator has to know, in one line for the recipes. */
  readonly note?: string;
}

/** The dialects of a host, in the order of its doors. */
export function dialectsOf({ doors }: Preset): readonly DialectId[] {
  return Object.keys(doors).flatMap((id) => dialectIds.find((dialect) => dialect === id) ?? []);
}
