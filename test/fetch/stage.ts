import { createFetch, type FetchOptions } from '../../src/fetch/index.js';
import { BACKEND_KEY, BACKEND_MODELS, openFakes } from '../sdk/stage.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import type { Fakes } from '../support/fakes.js';
import { createSession, type Session, type SessionOptions } from '../support/sessions/index.js';

/** What the SDKs show, and no backend is told. */
export const UNUSED_KEY = 'unused';

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
  const fakes = await openFakes();
  const { backends } = fakes;
  const fetchTo: FetchStage['fetchTo'] = (backend, options) =>
    createFetch({
      to: backend,
      baseUrl: backends[backend].url,
      apiKey: BACKEND_KEY,
      model: BACKEND_MODELS[backend],
      ...options,
    });
  return {
    backends,
    fetchTo,
    session: (client, backend, options) =>
      createSession(client, NOWHERE, { model: 'any', apiKey: UNUSED_KEY, fetch: fetchTo(backend), ...options }),
    reset: fakes.reset,
    close: fakes.close,
  };
}
