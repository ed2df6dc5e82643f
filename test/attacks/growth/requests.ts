import type { DialectId, JsonObject } from '../../../translators/index.js';
import { type Data, fill, readData } from '../../support/frames.js';
import { grown } from './grown.js';

/** A request body in which one list has `n` entries. */
export interface GrowingRequest {
  readonly name: string;
  readonly from: DialectId;
  readonly body: (n: number) => JsonObject;
}

const { shared: _shared, schemas, ...dialects } = readData('attacks/growth/requests.yaml');

/** Every list of a request that a caller makes as long as it likes. */
export const GROWING_REQUESTS: readonly GrowingRequest[] = Object.entries<Data>(dialects).flatMap(
  ([from, { base, frames, ...rows }]) =>
    Object.entries<Data>({ ...rows, schema: schemas }).flatMap(([frame, bodies]) =>
      Object.entries<Data>(bodies).map(([name, row]) => ({
        name: frame === 'body' ? name : `${frame}: ${name}`,
        from: from as DialectId,
        body: (n: number) => ({ ...base, ...grown(fill(frames[frame], row), n) }),
      })),
    ),
);
