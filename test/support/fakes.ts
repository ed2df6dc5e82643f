import {
  FAKE_DIALECTS,
  type FakeBackend,
  type FakeBackendOptions,
  type FakeDialectName,
  startFakeBackend,
} from './fake-backend/index.js';

/** A fake backend of each dialect. */
export interface Fakes {
  readonly backends: Readonly<Record<FakeDialectName, FakeBackend>>;
  /** Forgets what was scripted and recorded. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts one of each dialect. */
export async function startFakes(optionsOf: (dialect: FakeDialectName) => FakeBackendOptions): Promise<Fakes> {
  const started = await Promise.all(
    FAKE_DIALECTS.map(async (dialect) => [dialect, await startFakeBackend(dialect, optionsOf(dialect))] as const),
  );
  return {
    backends: Object.fromEntries(started) as Fakes['backends'],
    reset() {
      for (const [, backend] of started) backend.reset();
    },
    async close() {
      await Promise.all(started.map(([, backend]) => backend.close()));
    },
  };
}
