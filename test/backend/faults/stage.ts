import type { ConfigInput } from '../../../src/config/schema.js';
import { type FaultyBackend, startFaultyBackend } from '../../support/faulty-backend.js';
import { DIALECTS, likeVendor, startGateway, type TestGateway } from '../../support/gateway/harness.js';
import { KEY } from './canaries.js';

/** A gateway in front of one faulty backend that plays all dialects. */
export interface Stage {
  readonly gateway: TestGateway;
  readonly backend: FaultyBackend;
  /** Host and port of the backend, which no client may see. */
  readonly host: string;
  close(): Promise<void>;
}

/** Limits in seconds of the three kinds of backends; `calm` ones never run out in a test. */
const LIMITS = {
  calm: { connect: 40, firstByte: 50, idle: 50, total: 55 },
  hasty: { connect: 40, firstByte: 1.5, idle: 1.5, total: 55 },
  brief: { connect: 40, firstByte: 50, idle: 50, total: 4 },
} as const;

/** Models `DIALECT-LIMITS-NAME` lead to the script NAME behind a backend of that dialect with those limits. */
export function stageConfig(url: string): ConfigInput {
  const kinds = DIALECTS.flatMap((dialect) =>
    Object.entries(LIMITS).map(([name, timeouts]) => ({ name: `${dialect}-${name}`, dialect, timeouts })),
  );
  return {
    backends: Object.fromEntries(
      kinds.map(({ name, dialect, timeouts }) => [
        name,
        { ...likeVendor(dialect), baseUrl: url, apiKey: KEY, breaker: false, timeouts },
      ]),
    ),
    models: Object.fromEntries(kinds.map(({ name }) => [`${name}-*`, { backend: name, model: '*' }])),
    limits: { eventMb: 0.25, drainSeconds: 1 },
    store: { type: 'memory' },
  };
}

export async function startStage(): Promise<Stage> {
  const backend = await startFaultyBackend();
  const gateway = await startGateway(stageConfig(backend.url));
  return {
    gateway,
    backend,
    host: `127.0.0.1:${backend.port}`,
    async close() {
      await gateway.close();
      await backend.close();
    },
  };
}
