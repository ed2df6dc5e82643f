import fc from 'fast-check';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { DialectId } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';

export const schema = { type: 'object', properties: {} };

/** Requests of a client that decide what it may be shown: with and without tools, thinking, documents. */
export function clientRequests(dialect: DialectId): fc.Arbitrary<JsonObject> {
  const flags = fc.record({ tools: fc.boolean(), thinks: fc.boolean(), documents: fc.nat({ max: 2 }) });
  return flags.map((chosen) => REQUESTS[dialect](chosen));
}

export interface Flags {
  readonly tools: boolean;
  readonly thinks: boolean;
  readonly documents: number;
}

const REQUESTS = lawTableOf('clientRequest');
