import type { Exchange, HostRestorer, Loss, Losses } from '../../translators/index.js';
import type { HostAsk } from '../protocol/index.js';
import type { FetchRequest } from './request.js';
import type { Asked } from './transport.js';

/** A request that is to be served. */
export interface Task extends Pick<Asked, 'call'> {
  readonly ask: FetchRequest;
  /** Told what was lost once the answer is complete. */
  complete(losses: readonly Loss[]): void;
}

/** How a request is served: what is sent, and what its answer needs to be read. */
export type CallPlan = RelayedPlan | TranslatedPlan | CountedPlan;

interface Planned extends Asked, Task {
  readonly ask: FetchRequest;
  /** undefined = the host has no route for it, and is not asked. */
  readonly sent: HostAsk<'POST', string | Uint8Array<ArrayBuffer>> | undefined;
}

/** A conversation for a host of the client's own dialect. */
export interface RelayedPlan extends Planned {
  readonly kind: 'relayed';
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
