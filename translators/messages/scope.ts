import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { ClientFamily } from '../canonical/tools.js';

/** What decoding one body knows beside the node at hand. */
export interface Scope {
  readonly losses: Losses;
  /** Whose opaque state the body holds: `unknown:messages` in requests, where nothing tells. */
  readonly domain: string;
  /** Names that declared client tools fix, with their families. */
  readonly clientTools: ReadonlyMap<string, ClientFamily>;
  /** In answers: wire nodes of hosted calls by id, so that a result's state holds the pair. Absent in requests. */
  readonly hostedCalls?: Map<string, JsonObject>;
}
