import { type Data, readData } from '../support/frames.js';

/** A fault of a client that is no fault of the gateway: every row of it has to fall. */
export interface KnownFault {
  readonly client: RegExp;
  readonly backend: RegExp;
  readonly check: RegExp;
  /** What falls and why. */
  readonly why: string;
}

/** Known faults by language. */
export const KNOWN: Readonly<Record<string, readonly KnownFault[]>> = Object.fromEntries(
  Object.entries<Data>(readData('clients/known.yaml')).map(([language, rows]) => [
    language,
    rows.map(({ client, backend, check, why }: Data) => ({
      client: new RegExp(client),
      backend: new RegExp(backend),
      check: new RegExp(check),
      why,
    })),
  ]),
);
