import { createFetch, type FetchOptions } from '../../src/fetch/index.js';
import { BACKEND_MODELS } from '../sdk/stage.js';
import {
  FAKE_DIALECTS,
  type FakeBackend,
  type FakeDialectName,
  startFakeBackend,
} from '../support/fake-backend/index.js';
import { createSession, type Session, type SessionOptions } from '../support/sessions/index.js';

const KEY = 'a-key-of-the-backend';

/** Where nothing listens: a request that gets past the fetch under test fails. */
export const NOWHERE = 'http://127.0.0.1:9';

/** A strict fake backend of each dialect, reached by no gateway. */
export interface FetchStage {
  readonly backends: Readonly<Record<FakeDialectName, FakeBackend>>;
  /** The fetch that calls a backend. */
  fetchTo(backend: FakeDialectName, options?: Partial<FetchOptions>): typeof fetch;
  /** A conversation of a client with a backend. */
  session(client: FakeDialectName, backend: FakeDialectName, options?: Partial<SessionOptions>): Session;
  reset(): void;
  close(): Promise<void>;
}

export async function openFetchStage(): Promise<FetchStage> {
  const started = await Promise.all(
    FAKE_DIALECTS.map(async (name) => {
      const options = {
        apiKey: KEY,
        ...(name === 'messages' && { generation: '4.5' as const }),
        ...(name === 'generateContent' && { gemini3: true }),
      };
      return [name, await startFakeBackend(name, options)] as const;
    }),
  );
  const backends = Object.fromEntries(started) as FetchStage['backends'];
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
    reset() {
      for (const backend of Object.values(backends)) backend.reset();
    },
    async close() {
      await Promise.all(Object.values(backends).map((backend) => backend.close()));
    },
  };
}
