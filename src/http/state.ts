import type { HeldPlaces } from './held-places.js';
import type { Inflated } from './inflated.js';
import type { OpenCalls } from './open-calls.js';
import type { Turns } from './turns.js';

/** How a gateway is at the moment, whatever its configuration. */
export interface GatewayState {
  /** Exchanges that are open. */
  readonly open: OpenCalls;
  /** How many of them each key has, by its name. */
  readonly places: HeldPlaces;
  /** What the open requests of each key hold of bodies that came compressed. */
  readonly inflated: Inflated;
  /** Whose body is worked on next. */
  readonly turns: Turns;
  /** When the gateway, with all its workers, was started: ms since 1970. */
  readonly startedAt: number;
  /** Requests that are open, whether they are exchanges or not. */
  requests: number;
  /** Requests that are over. */
  served: number;
  /** This gateway will be gone: no connection is used again, and soon no new ones are taken. */
  draining: boolean;
  /** Where this gateway is reached, without a trailing slash; until it listens, what the configuration says. */
  url: string;
  /** It listens itself; else it is mounted in an application of somebody else. */
  listening: boolean;
  /** Without keys, callers from everywhere are admitted. */
  insecure: boolean;
}
