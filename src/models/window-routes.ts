import { type HostRow, tokenLimit } from '../../translators/index.js';
import type { Backend, BackendAsk } from '../backend/index.js';
import { isObject } from '../ground/index.js';
import { presets } from '../presets/index.js';
import { askBackend } from './ask.js';
import { ANY, type Told } from './facts.js';

type WindowRoute = NonNullable<HostRow['windows']>;

/** Reads the windows of the models that a server lists, from where it tells the running ones. Rejects where it cannot be asked. */
type Reader = (backend: Backend, listed: readonly string[]) => Promise<ReadonlyMap<string, Told>>;

/** So many models are asked for one by one. */
const MOST_ASKED = 64;

/**
 * The windows that the server of a backend tells beside its list; empty where it is not known to tell any. Running windows come before
 * those that a model was trained with, which are larger: what exceeds the running one is refused, or cut in silence.
 */
export async function readWindows(backend: Backend, listed: readonly string[]): Promise<ReadonlyMap<string, Told>> {
  const { preset } = backend.config;
  const row: HostRow | undefined = preset && presets[preset.name];
  return row?.windows === undefined ? new Map() : READERS[row.windows](backend, listed);
}

const READERS: Readonly<Record<WindowRoute, Reader>> = {
  /** llama.cpp: the window of a slot. With several models there is none to tell without loading one. */
  async props(backend, listed) {
    if (listed.length > 1) return new Map();
    const settings = at(await bodyOf(backend, { method: 'GET', path: '/props' }), 'default_generation_settings');
    const contextWindow = tokenLimit(at(settings, 'n_ctx'));
    return contextWindow === undefined ? new Map() : new Map([ANY, ...listed].map((name) => [name, { contextWindow }]));
  },

  /** Ollama: the running window of what is loaded; else what the model is set to; else what it was trained with. */
  async show(backend, listed) {
    const found = new Map<string, Told>();
    const add = (name: unknown, contextWindow: number | undefined): void => {
      if (typeof name !== 'string' || contextWindow === undefined) return;
      found.set(name, { contextWindow });
      if (name.endsWith(LATEST)) found.set(name.slice(0, -LATEST.length), { contextWindow });
    };
    for (const running of listIn(await bodyOf(backend, { method: 'GET', path: '/api/ps' }), 'models'))
      add(at(running, 'model') ?? at(running, 'name'), tokenLimit(at(running, 'context_length')));
    for (const name of listed.filter((one) => !found.has(one)).slice(0, MOST_ASKED))
      add(name, windowOfOllama((await askedBeside(backend, showing(name))).body));
    return found;
  },

  /** LM Studio: the running window of what is loaded, else the largest that a model can have. */
  async loaded(backend) {
    const models = listIn(await bodyOf(backend, { method: 'GET', path: '/api/v0/models' }), 'data');
    return new Map(
      models.flatMap((model) => {
        const id = at(model, 'id');
        const running =
          at(model, 'state') === 'not-loaded' ? undefined : tokenLimit(at(model, 'loaded_context_length'));
        const contextWindow = running ?? tokenLimit(at(model, 'max_context_length'));
        return typeof id === 'string' && contextWindow !== undefined ? [[id, { contextWindow }] as const] : [];
      }),
    );
  },
};

/** A name without a tag means this one. */
const LATEST = ':latest';

function showing(model: string): BackendAsk {
  return {
    method: 'POST',
    path: '/api/show',
    body: JSON.stringify({ model }),
    headers: { 'content-type': 'application/json' },
  };
}

function windowOfOllama(shown: unknown): number | undefined {
  const parameters = at(shown, 'parameters');
  const [, set] = typeof parameters === 'string' ? (/^num_ctx\s+(\d{1,12})\s*$/m.exec(parameters) ?? []) : [];
  const info = at(shown, 'model_info');
  const trained = at(info, `${String(at(info, 'general.architecture'))}.context_length`);
  return tokenLimit(Number(set)) ?? tokenLimit(trained);
}

/** These routes stand beside the version of the API. */
function askedBeside(backend: Backend, ask: BackendAsk): ReturnType<typeof askBackend> {
  return askBackend(backend, { ...ask, besideVersion: true });
}

/** A server without the route tells nothing. One that fails may tell it soon: llama.cpp does while it loads. */
async function bodyOf(backend: Backend, ask: BackendAsk): Promise<unknown> {
  const { status, body } = await askedBeside(backend, ask);
  if (status >= 500) throw new Error(`${ask.path} answered ${status}`);
  return body;
}

function at(node: unknown, key: string): unknown {
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

function listIn(node: unknown, key: string): readonly unknown[] {
  const list = at(node, key);
  return Array.isArray(list) ? list : [];
}
