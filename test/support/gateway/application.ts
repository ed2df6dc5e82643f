import supertest from 'supertest';
import type { ConfigInput } from '../../../src/config/schema.js';
import { createGateway } from '../../../src/index.js';

/** A gateway without logs that does not listen: requests go to its Express application. */
export interface TestApplication {
  /** Sends requests to the application, over a port that is open while one of them is. */
  readonly http: supertest.Agent;
  close(): Promise<void>;
}

export function openApplication(config: ConfigInput): TestApplication {
  const gateway = createGateway({ log: { level: 'silent' }, ...config });
  return { http: supertest(gateway.app), close: () => gateway.close() };
}
