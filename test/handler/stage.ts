import { createHandler, type HandlerOptions } from '../../src/handler/index.js';
import { BACKEND_MODELS, DIALECTS } from '../sdk/stage.js';
import { tableOf } from '../support/dialects/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { type Fakes, startFakes } from '../support/fakes.js';
import { createSession, type Session, type SessionOptions } from '../support/sessions/index.js';
import { openBridge } from '../support/web/bridge.js';

/** What callers show, and what backends want. */
export const CALLER_KEY = 'a-key-of-the-handler';
export const BACKEND_KEY = 'a-key-of-the-backend';
const WRONG_KEY = 'a-key-nobody-accepts';
const OPTIONS = tableOf('fakeOptions');

/** A handler behind node:http, in front of a strict fake backend of each dialect. */
export interface HandlerStage extends Fakes {
  readonly url: string;
  /** A conversation through it; the model decides on the backend: `via-D`, or `locked-D`, whose key is wrong. */
  session(client: FakeDialectName, options: SessionOptions): Session;
}

/** The backends and models of a stage. */
export function optionsFor({ backends }: Pick<Fakes, 'backends'>): Pick<HandlerOptions, 'backends' | 'models'> {
  const entries = DIALECTS.flatMap((dialect) => {
    const backend = { dialect, baseUrl: backends[dialect].url };
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

/** Fakes that refuse what the real services refuse. */
export function openFakes(): Promise<Fakes> {
  return startFakes((dialect) => ({ ...OPTIONS[dialect], apiKey: BACKEND_KEY }));
}

/** The options of a test beside what a stage gives. */
export type Changes = Partial<HandlerOptions>;

export async function openHandlerStage(changes: Changes = {}): Promise<HandlerStage> {
  const fakes = await openFakes();
  const keys = [{ name: 'tests', key: CALLER_KEY }];
  const handler = createHandler({ ...optionsFor(fakes), keys, ...changes });
  const bridge = await openBridge(handler);
  return {
    ...fakes,
    url: bridge.url,
    session: (client, options) => createSession(client, bridge.url, { apiKey: CALLER_KEY, ...options }),
    async close() {
      await bridge.close();
      await fakes.close();
    },
  };
}
