import type { ConfigInput } from '../../src/config/schema.js';
import {
  FAKE_DIALECTS,
  type FakeBackend,
  type FakeDialectName,
  startFakeBackend,
} from '../support/fake-backend/index.js';
import { likeVendor } from '../support/gateway/harness.js';
import { type Program, startProgram } from '../support/load/program.js';
import { ANSWER, FORMS, type Form, replyTo, SLOW_MS, USAGE } from './replies.js';

const BACKEND_KEY = 'a-key-of-the-backend';
const KEY = 'a-key-of-the-gateway';

/** What the backends call their models; the fakes refuse what the real services refuse of these. */
const MODELS: Readonly<Record<FakeDialectName, string>> = {
  messages: 'claude-sonnet-4-5',
  responses: 'gpt-5',
  generateContent: 'gemini-3-pro',
  chatCompletions: 'thinker-7b',
};

/** The program of the gateway, and a fake backend for each dialect and form of answer behind it. */
export interface Scene {
  /** What a client program needs to know, in JSON. */
  readonly told: string;
  /** What the gateway wrote to stderr. */
  log(): string;
  close(): Promise<void>;
}

/** Starts everything; `BACKEND-FORM` is the name of a model, as in `messages-slow`. */
export async function openScene(): Promise<Scene> {
  const fakes: FakeBackend[] = [];
  const backends: NonNullable<ConfigInput['backends']> = {};
  const models: NonNullable<ConfigInput['models']> = {};
  for (const dialect of FAKE_DIALECTS) {
    for (const form of FORMS) {
      const fake = await startFakeBackend(dialect, { apiKey: BACKEND_KEY, generation: '4.5', gemini3: true });
      fakes.push(fake);
      fake.script((request) => replyTo(dialect, form, request));
      const name = aliasOf(dialect, form);
      backends[name] = { ...likeVendor(dialect), baseUrl: fake.url, apiKey: BACKEND_KEY, retries: 0 };
      models[name] = { backend: name, model: MODELS[dialect] };
    }
  }
  let gateway: Program | undefined;
  const close = async (): Promise<void> => {
    await gateway?.close();
    await Promise.all(fakes.map((fake) => fake.close()));
  };
  try {
    gateway = await startProgram({ backends, models, keys: [{ name: 'clients', key: KEY }], log: { level: 'error' } });
  } catch (error) {
    await close();
    throw error;
  }
  const { url } = gateway;
  const told = { url, key: KEY, backends: FAKE_DIALECTS, answer: ANSWER, usage: USAGE, slowMs: SLOW_MS };
  return { told: JSON.stringify(told), log: () => gateway?.stderr ?? '', close };
}

function aliasOf(dialect: FakeDialectName, form: Form): string {
  return `${dialect}-${form}`;
}
