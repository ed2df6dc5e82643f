import type {
  AnswerFacts,
  CanonicalError,
  DialectId,
  Exchange,
  HostRestorer,
  Loss,
  Losses,
} from '../../translators/index.js';
import type { RelayedCall } from '../call/index.js';
import type { HostAsk } from '../protocol/index.js';
import type { WebRequest } from './request.js';
import type { Answered } from './send.js';
import type { Asked } from './transport.js';

/** A request that is to be served. */
export interface Task extends Pick<Asked, 'call'> {
  readonly ask: WebRequest;
  /** How it passes where the client speaks the dialect of the backend. Absent where none does. */
  readonly relays: Relays | undefined;
  /** Called once the answer was read to its end. */
  complete(outcome: WebOutcome): void;
  /** Called where the client left before that. */
  left?(): void;
}

/** What an answer came to. */
export interface WebOutcome {
  readonly losses: readonly Loss[];
  /** What it reports about itself. Absent = it is no answer of a model. */
  readonly facts?: AnswerFacts;
  /** Why a stream broke off behind its first byte. */
  readonly failed?: CanonicalError;
}

/** How a request is served: what is sent, and what its answer needs to be read. */
export type CallPlan = RelayedPlan | TranslatedPlan | CountedPlan;

interface Planned extends Asked, Task {
  readonly ask: WebRequest;
  /** undefined = the host has no route for it, and is not asked. */
  readonly sent: HostAsk<'POST', string | Uint8Array<ArrayBuffer>> | undefined;
}

/** A conversation for a host of the client's own dialect. */
export interface RelayedPlan extends Planned {
  readonly kind: 'relayed';
  readonly relays: Relays;
  /** Gives the answer back what the body lost. */
  readonly restore: HostRestorer | undefined;
}

/** A conversation for a host of another dialect. */
export interface TranslatedPlan extends Planned {
  readonly kind: 'translated';
  readonly exchange: Exchange;
  readonly losses: Losses;
}

/** The tokens of a request. */
export interface CountedPlan extends Planned {
  readonly kind: 'counted';
}

/** How calls of the backend's own dialect pass as they are. */
export interface Relays {
  /** Rejects with the client's error. */
  plan(task: Task): Promise<RelayedPlan>;
  /** The client's own bytes for a backend of its dialect. Rejects with the client's error. */
  call(task: Task): Promise<RelayedCall>;
  /** Passes the answer on as it comes. */
  deliver(plan: RelayedPlan, answered: Answered): Promise<Response>;
  /** Frames that end a stream of a client in the place of what it must not see. Absent = it breaks. */
  ending?(dialect: DialectId, ends: readonly string[], requestId: string): string;
}
