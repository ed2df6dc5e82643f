import type { FakeDialectName } from '../fake-backend/index.js';
import { readData } from '../frames.js';
import type { ServerName } from '../services/chat-completions/server.js';
import type { Limits } from './limits.js';

/** The header in which a host wants its key. */
type KeyHeader = 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'api-key';

/** What is known of a host, from its own documentation: a second witness beside the presets, which know nothing of this. */
interface HostFacts {
  /** The path in front of `/v1/messages`, `/v1/responses`, `/chat/completions` or `/v1beta/models/…`, by dialect. */
  readonly paths: Readonly<Partial<Record<FakeDialectName, string>>>;
  readonly keyIn: KeyHeader | Readonly<Partial<Record<FakeDialectName, KeyHeader>>>;
  /** Whether it answers without a key. */
  readonly open?: true;
  /** It has no route that counts tokens. */
  readonly countless?: true;
  /** Where it counts beside the routes of its dialects: the answer is `{input_tokens}`. */
  readonly counts?: string;
  /** It has no list of models, or none of what can be called. */
  readonly listless?: true;
  /** It has one list for all dialects, as chat completions have it, or one without an object around it. */
  readonly list?: 'open' | 'bare';
  /** A line of its streams that says nothing. */
  readonly comment?: string;
  /** It lets in the tokens of its cloud, and wants calls in the form of a publisher below the path of its models. */
  readonly publisher?: true;
  /** A header that it has to get with each call. */
  readonly header?: readonly [name: string, value: string];
  /**
   * Whose manners its chat completions have, those of nobody in particular unless given. `own` = it has members of its own, and
   * any are let through; test/sdk/chat-servers knows those of the most usual ones.
   */
  readonly manners?: ServerName | 'own';
}

/** A host: what is known of it, and what it takes of each dialect where that is less than all. */
interface Host extends HostFacts {
  /** How it says that an input is too long. */
  readonly tooLong?: string;
  readonly limits?: Readonly<Partial<Record<FakeDialectName, Limits>>>;
}

const { shared: _shared, ...hosts } = readData('support/hosts/hosts.yaml');

/** By the name of its preset. */
const HOSTS: ReadonlyMap<string, Host> = new Map(Object.entries(hosts));

/** What is known of the host of a preset. */
export function factsOf(name: string): Host {
  const facts = HOSTS.get(name);
  if (facts === undefined) throw new Error(`nothing is known of ${name}`);
  return facts;
}
