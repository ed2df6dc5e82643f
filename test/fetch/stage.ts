import { createFetch, type FetchOptions } from '../../src/fetch/index.js';
import { BACKEND_MODELS } from '../sdk/stage.js';
import { tableOf } from '../support/dialects/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { type Fakes, startFakes } from '../support/fakes.js';
import { createSession, type Session, type SessionOptions } from '../support/sessions/index.js';

export const KEY = 'a-key-of-the-backend';
const OPTIONS = tableOf('fakeOptions');

/** Where nothing listens: a request that gets past the fetch under test fails. */
export const NOWHERE = 'http://127.0.0.1:9';

/** A strict fake backend of each dialect, reached by no gateway. */
export interface FetchStage extends Fakes {
  /** The fetch that calls a backend. */
  fetchTo(backend: FakeDialectName, options?: Partial<FetchOptions>): typeof fetch;
  /** A conversation of a client with a backend. */
  session(client: FakeDialectName, backend: FakeDialectName, options?: Partial<SessionOptions>): Session;
}

export async function openFetchStage(): Promise<FetchStage> {
  const fakes = await startFakes((dialect) => ({ ...OPTIONS[dialect], apiKey: KEY }));
  const { backends } = fakes;
  const fetchTo: FetchStage['fetchTo'] = (backend, options) =>
    createFetch({
      to: backend,
      baseUrl: backends[backend].url,
      apiKey: KEY,
      model: BACKEND_MODELS[backend],
      ...options,
    });
  return {
    backends,
    fetchTo,
    session: (client, backend, options) =>
      createSession(client, NOWHERE, { model: 'any', apiKey: 'unused', fetch: fetchTo(backend), ...options }),
    reset: fakes.reset,
    close: fakes.close,
  };
}
