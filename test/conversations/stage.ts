import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type OpenAI from 'openai';
import type { ConfigInput } from '../../src/config/schema.js';
import { createDeferred } from '../../src/ground/deferred.js';
import { createGateway } from '../../src/index.js';
import { connectResponses } from '../support/clients.js';
import { type FakeBackend, type FakeDialectName, startFakeBackend } from '../support/fake-backend/index.js';
import type { Answer, ErrorReply } from '../support/fake-backend/reply.js';
import { likeVendor } from '../support/gateway/harness.js';

type Store = ConfigInput['store'];

/** How a backend is reached: by dialect, or as one of the client's own dialect that keeps nothing. */
export const KINDS = ['messages', 'generateContent', 'stateless', 'responses'] as const;
export type Kind = (typeof KINDS)[number];

export const MODELS: Readonly<Record<Kind, string>> = {
  messages: 'claude-sonnet-4-5',
  generateContent: 'gemini-3-pro',
  stateless: 'gpt-5',
  responses: 'gpt-5',
};

const DIALECTS: Readonly<Record<Kind, FakeDialectName>> = {
  messages: 'messages',
  generateContent: 'generateContent',
  stateless: 'responses',
  responses: 'responses',
};

export const KEYS = { a: 'a-key-of-tenant-a', b: 'a-key-of-tenant-b' } as const;

/** Strict fake backends of each kind, and gateways in front of them. */
export interface Stage {
  readonly backends: Readonly<Record<Kind, FakeBackend>>;
  /** Starts one more gateway; its models are the kinds. `more` replaces parts of its configuration. */
  gateway(store: Store, more?: Partial<ConfigInput>): Promise<{ readonly url: string; close(): Promise<void> }>;
  close(): Promise<void>;
}

/** Lets a backend answer so, once what is given back was called. */
export function holdAnswer(backend: FakeBackend, reply: Answer | ErrorReply): () => void {
  const { promise: held, resolve } = createDeferred<void>();
  backend.script({ ...reply, held });
  return resolve;
}

/** The backends of a configuration for a stage. */
export function backendsOf({ backends }: Pick<Stage, 'backends'>): ConfigInput['backends'] {
  return Object.fromEntries(
    KINDS.map((kind) => {
      const backend = { ...likeVendor(DIALECTS[kind]), baseUrl: backends[kind].url };
      return [kind, kind === 'stateless' ? { ...backend, state: 'none' as const } : backend];
    }),
  );
}

export async function openStage(): Promise<Stage> {
  const started = await Promise.all(
    KINDS.map(async (kind) => {
      const options = { ...(kind === 'generateContent' && { gemini3: true }), generation: '4.5' } as const;
      return [kind, await startFakeBackend(DIALECTS[kind], options)] as const;
    }),
  );
  const backends = Object.fromEntries(started) as Record<Kind, FakeBackend>;
  const closing: (() => Promise<void>)[] = [];
  return {
    backends,
    async gateway(store, more) {
      const gateway = createGateway({
        backends: backendsOf({ backends }),
        models: Object.fromEntries(KINDS.map((kind) => [kind, { backend: kind, model: MODELS[kind] }])),
        keys: [
          { name: 'a', key: KEYS.a },
          { name: 'b', key: KEYS.b },
        ],
        store,
        limits: { drainSeconds: 1 },
        log: { level: 'silent' },
        ...more,
      });
      const { url } = await gateway.listen({ port: 0 });
      closing.push(() => gateway.close());
      return { url, close: () => gateway.close() };
    },
    async close() {
      await Promise.all(closing.map((close) => close()));
      await Promise.all(started.map(([, backend]) => backend.close()));
    },
  };
}

/** The official client of one tenant. */
export function clientOf(url: string, key: keyof typeof KEYS = 'a'): OpenAI {
  return connectResponses(url, { apiKey: KEYS[key] });
}

/** A stage with one gateway that keeps in memory. */
export interface Served extends Stage {
  readonly url: string;
  /** The official client of the first tenant. */
  readonly client: OpenAI;
}

/** One for all tests of a file; its backends forget between them. */
export function useStage(): Served {
  let served: Served | undefined;
  const get = (): Served => {
    if (served === undefined) throw new Error('the stage is open while tests run');
    return served;
  };
  beforeAll(async () => {
    const stage = await openStage();
    const { url } = await stage.gateway({ type: 'memory' });
    served = { ...stage, url, client: clientOf(url) };
  });
  beforeEach(() => {
    for (const backend of Object.values(get().backends)) backend.reset();
  });
  afterAll(() => get().close());
  return {
    get url() {
      return get().url;
    },
    get client() {
      return get().client;
    },
    get backends() {
      return get().backends;
    },
    gateway: (...given) => get().gateway(...given),
    close: () => get().close(),
  };
}
