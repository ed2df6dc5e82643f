import { createHandler } from '../../src/handler/index.js';
import { createGateway } from '../../src/index.js';
import { tableOf } from '../support/dialects/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { type Fakes, startFakes } from '../support/fakes.js';
import { share } from '../support/runs.js';
import { createSession, type Session, type SessionOptions } from '../support/sessions/index.js';
import { openBridge } from '../support/web/bridge.js';
import { openPeerStage, PEER } from './peer-stage.js';

/** Every dialect, as that of a client or of a backend. */
export const DIALECTS = [
  'messages',
  'responses',
  'generateContent',
  'chatCompletions',
] as const satisfies readonly FakeDialectName[];

/** One way through the gateway. */
export interface Way {
  readonly client: FakeDialectName;
  readonly backend: FakeDialectName;
  readonly stream: boolean;
}

const ALL: readonly Way[] = DIALECTS.flatMap((client) =>
  DIALECTS.flatMap((backend) => [false, true].map((stream) => ({ client, backend, stream }))),
);

/** All pairs, each plain and streamed; in the short run a third of them, another one for another `turn`. */
export function waysOf(turn: number): readonly Way[] {
  return share(ALL, turn).filter(({ client, backend }) => PEER?.stage.routes(client, backend) ?? true);
}

/** The title of a table over the ways. */
export const WAY_TITLE = '$client client, $backend backend, stream: $stream';

/** What the gateway's callers show, and what its backends want. */
export const GATEWAY_KEY = 'a-key-of-the-gateway';
export const BACKEND_KEY = 'a-key-of-the-backend';
const WRONG_KEY = 'a-key-nobody-accepts';

/** What the backends call their models. */
export const BACKEND_MODELS: Readonly<Record<FakeDialectName, string>> = {
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-5',
  generateContent: 'gemini-3-pro',
  // Of no known family, on a host that nobody knows.
  chatCompletions: 'thinker-7b',
};

/** A gateway in front of a strict fake backend of each dialect. */
export interface Stage extends Fakes {
  readonly url: string;
  /** A conversation through the gateway; the model decides on the backend: `via-D`, or `locked-D`, whose key is wrong. */
  session(client: FakeDialectName, options: SessionOptions): Session;
}

const OPTIONS = tableOf('fakeOptions');

/** Fakes that refuse what the real services refuse of the models they stand for. */
export function openFakes(): Promise<Fakes> {
  return startFakes((dialect) => ({ ...OPTIONS[dialect], apiKey: BACKEND_KEY }));
}

/** Backends and models of a stage in front of fakes. `more` = what else is said of each backend. */
export function waysTo<More extends object = object>({ backends }: Pick<Fakes, 'backends'>, more?: More) {
  const entries = DIALECTS.flatMap((dialect) => {
    const backend = { dialect, baseUrl: backends[dialect].url, ...more };
    return [
      [`via-${dialect}`, { ...backend, apiKey: BACKEND_KEY }],
      [`locked-${dialect}`, { ...backend, apiKey: WRONG_KEY }],
    ] as const;
  });
  return {
    backends: Object.fromEntries(entries),
    models: Object.fromEntries(
      entries.map(([name, { dialect }]) => [name, { backend: name, model: BACKEND_MODELS[dialect] }]),
    ),
  };
}

/** `createHandler` of interlingua/handler behind node:http in the place of the gateway. */
export async function openHandlerStage(fakes: Fakes): Promise<Stage> {
  const handler = createHandler({ ...waysTo(fakes), keys: [{ name: 'tests', key: GATEWAY_KEY }] });
  const bridge = await openBridge(handler);
  return {
    ...fakes,
    url: bridge.url,
    session: (client, options) => createSession(client, bridge.url, { apiKey: GATEWAY_KEY, ...options }),
    async close() {
      await bridge.close();
      await fakes.close();
    },
  };
}

/** Starts the stage: the gateway, or what the environment asks for in its place (a peer, or the handler with `SDK_STAGE=handler`). */
export async function openStage(): Promise<Stage> {
  const fakes = await openFakes();
  if (PEER !== undefined) return openPeerStage(PEER, fakes, { models: BACKEND_MODELS, key: BACKEND_KEY });
  if (process.env.SDK_STAGE === 'handler') return openHandlerStage(fakes);
  const { backends } = fakes;
  const gateway = createGateway({
    ...waysTo(fakes, { retries: 0 }),
    keys: [{ name: 'tests', key: GATEWAY_KEY }],
    limits: { drainSeconds: 1 },
    log: { level: 'silent' },
  });
  const { url } = await gateway.listen({ port: 0 });
  return {
    url,
    backends,
    session: (client, options) => createSession(client, url, { apiKey: GATEWAY_KEY, ...options }),
    reset: fakes.reset,
    async close() {
      await gateway.close();
      await fakes.close();
    },
  };
}
