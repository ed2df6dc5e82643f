import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigInput } from '../../../src/config/schema.js';
import { likeVendor } from '../gateway/harness.js';
import { modelOf } from './ask.js';
import { type OrderedBackend, startOrderedBackend } from './backend.js';
import { DIALECTS } from './mix.js';
import { type Program, startProgram } from './program.js';

/** The gateway's program in front of a backend that takes orders, and the sockets of its clients. */
export interface LongStage {
  readonly backend: OrderedBackend;
  readonly program: Program;
  readonly agent: Agent;
  close(): Promise<void>;
}

/** A configuration for a backend at `url` behind each dialect. */
export function configFor(url: string, more: Omit<ConfigInput, 'backends'> = {}, backend: object = {}): ConfigInput {
  return {
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl: url, ...backend }]),
    ),
    models: Object.fromEntries(DIALECTS.map((dialect) => [modelOf(dialect), { backend: dialect }])),
    store: { type: 'memory', maxMb: 8 },
    log: { level: 'error' },
    ...more,
  };
}

export async function startLongStage(more?: Omit<ConfigInput, 'backends'>, backendMore?: object): Promise<LongStage> {
  const backend = await startOrderedBackend();
  const agent = new Agent({ keepAlive: true });
  const program = await startProgram(configFor(backend.url, more, backendMore)).catch(async (error: unknown) => {
    await backend.close();
    throw error;
  });
  return {
    backend,
    program,
    agent,
    async close() {
      agent.destroy();
      await program.close();
      await backend.close();
    },
  };
}

/** Waits until something holds, at most `ms`; tells whether it does. */
export async function holds(check: () => boolean | Promise<boolean>, ms: number, everyMs = 50): Promise<boolean> {
  const end = performance.now() + ms;
  while (!(await check())) {
    if (performance.now() > end) return false;
    await delay(everyMs);
  }
  return true;
}
