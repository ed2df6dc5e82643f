import { createServer } from 'node:http';
import { createGateway } from '../../src/index.js';
import { BACKEND_MODELS, DIALECTS } from '../sdk/stage.js';
import { tableOf } from '../support/dialects/index.js';
import { type FakeBackend, type FakeDialectName, startFakeBackend } from '../support/fake-backend/index.js';
import { type Bill, createPromptCache, type PromptCache } from '../support/fake-backend/prompt-cache/index.js';
import { likeVendor } from '../support/gateway/harness.js';
import type { TurnUsage } from '../support/sessions/index.js';
import { listen, shut } from '../support/sockets.js';
import { REPLIES, runAgent } from './agent.js';

/** One session: what the backend billed and what the client was told, turn by turn. */
export interface Measured {
  readonly bills: readonly Bill[];
  readonly told: readonly TurnUsage[];
  /** Input tokens read from the cache, of all input tokens. */
  readonly share: number;
}

/**
 * Backends that bill as the services do, and two gateways in front of them that take turns, as behind a balancer: what one
 * of them remembers of a session must not matter.
 */
export interface Stand {
  /** A session of a client through the gateways. The cache of the backend is empty at its beginning. */
  through(client: FakeDialectName, backend: FakeDialectName): Promise<Measured>;
  /** The same session of the backend's own client, with nothing in between. */
  native(backend: FakeDialectName): Promise<Measured>;
  close(): Promise<void>;
}

const DEMANDS = tableOf('fakeOptions');

/** Such as cache little: nothing below 4,096 tokens, and nothing but what ends where an earlier prompt ended. */
const MODELS = { ...BACKEND_MODELS, messages: 'claude-haiku-4-5', responses: 'gpt-5.6' };

interface BilledBackend {
  readonly fake: FakeBackend;
  readonly cache: PromptCache;
}

/** Starts the stand. What the services keep themselves is left to them, as on the vendors' own hosts. */
export async function openStand(): Promise<Stand> {
  const backends = {
    messages: await startBilled('messages'),
    responses: await startBilled('responses'),
    generateContent: await startBilled('generateContent'),
    chatCompletions: await startBilled('chatCompletions'),
  };
  const entries = DIALECTS.map((dialect) => [dialect, backends[dialect]] as const);
  const config = {
    backends: Object.fromEntries(entries.map(([name, { fake }]) => [name, { ...likeVendor(name), baseUrl: fake.url }])),
    models: Object.fromEntries(entries.map(([name]) => [`via-${name}`, { backend: name, model: MODELS[name] }])),
    log: { level: 'silent' },
  } as const;
  const gateways = [createGateway(config), createGateway(config)] as const;
  let came = 0;
  const balancer = createServer((request, response) => {
    came += 1;
    gateways[came % 2 === 0 ? 0 : 1].app(request, response);
  });
  const url = await listen(balancer);

  async function measure(
    client: FakeDialectName,
    at: string,
    model: string,
    backend: BilledBackend,
  ): Promise<Measured> {
    backend.cache.reset();
    backend.fake.reset();
    backend.fake.script(REPLIES);
    const told = await runAgent(client, at, { model });
    const bills = [...backend.cache.bills];
    return { bills, told, share: shareOf(bills) };
  }

  return {
    through: (client, backend) => measure(client, url, `via-${backend}`, backends[backend]),
    native: (backend) => measure(backend, backends[backend].fake.url, MODELS[backend], backends[backend]),
    async close() {
      await shut(balancer);
      await Promise.all([...gateways, ...entries.map(([, { fake }]) => fake)].map((server) => server.close()));
    },
  };
}

async function startBilled(dialect: FakeDialectName): Promise<BilledBackend> {
  const cache = createPromptCache(dialect);
  return { cache, fake: await startFakeBackend(dialect, { ...DEMANDS[dialect], promptCache: cache }) };
}

function shareOf(bills: readonly Bill[]): number {
  const sum = (count: (bill: Bill) => number): number => bills.reduce((total, bill) => total + count(bill), 0);
  return sum(({ cached }) => cached) / sum(({ input }) => input);
}
