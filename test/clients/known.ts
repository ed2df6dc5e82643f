import { type Data, readData } from '../support/frames.js';

/** A fault of a client that is no fault of the gateway: every row of it has to fall. */
export interface KnownFault {
  readonly client: RegExp;
  readonly backend: RegExp;
  readonly check: RegExp;
  /** What falls and why. */
  readonly why: string;
}

/** The known faults of a data file below `test/`, by the first word of each. */
export function knownIn(file: string): Readonly<Record<string, readonly KnownFault[]>> {
  const lists = Object.entries<Data>(readData(file) ?? {});
  return Object.fromEntries(
    lists.map(([word, rows]) => [
      word,
      rows.map(({ client, backend, check, why }: Data) => ({
        client: new RegExp(client),
        backend: new RegExp(backend),
        check: new RegExp(check),
        why,
      })),
    ]),
  );
}
