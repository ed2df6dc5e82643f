import { dialects, type ModelInfo } from '../translators/index.js';
import { type Backend, type Backends, collectBody } from './backend.js';
import type { Config, TargetConfig } from './config.js';
import type { Targets } from './exchange/target.js';
import type { Logger } from './observe/log.js';
import { matchesName, starOf } from './pattern.js';

/** The models that can be asked for. */
export interface Catalog {
  /** The exact names of the configuration, and for its patterns what their backends list. */
  list(): Promise<ModelInfo[]>;
  /** One of them; also a name that leads somewhere although its backend's list cannot be had. */
  find(name: string): Promise<ModelInfo | undefined>;
}

const KEPT_MS = 300_000;
/** A list that could not be had is asked for again sooner. */
const RETRY_MS = 15_000;
const MAX_PAGES = 20;
const MAX_BYTES = 16 * 1024 * 1024;

export function createCatalog(config: Config, backends: Backends, targets: Targets, logger: Logger): Catalog {
  const kept = new Map<string, { readonly models: Promise<ModelInfo[] | undefined>; until: number }>();

  const listOf = (name: string): Promise<ModelInfo[] | undefined> => {
    const known = kept.get(name);
    if (known !== undefined && known.until > Date.now()) return known.models;
    const entry = { models: readList(backends.get(name), logger), until: Date.now() + KEPT_MS };
    kept.set(name, entry);
    entry.models.then((models) => {
      if (models === undefined) entry.until = Date.now() + RETRY_MS;
    });
    return entry.models;
  };

  const list = async (): Promise<ModelInfo[]> => {
    const found = new Map<string, ModelInfo>();
    for (const [name, [target]] of Object.entries(config.models)) {
      if (target !== undefined && !name.endsWith('*')) found.set(name, { id: name, owner: target.backend });
    }
    for (const [pattern, list] of Object.entries(config.models)) {
      const target = list[0];
      if (target === undefined || !pattern.endsWith('*')) continue;
      for (const model of (await listOf(target.backend)) ?? []) {
        const id = clientName(pattern, target, model.id);
        if (id !== undefined && !found.has(id)) found.set(id, { ...model, id });
      }
    }
    return [...found.values()];
  };

  return {
    list,
    async find(name) {
      const listed = (await list()).find(({ id }) => id === name);
      if (listed !== undefined) return listed;
      const [target] = targets.resolve(name);
      if (target === undefined || (await listOf(target.backend.name)) !== undefined) return undefined;
      return { id: name, owner: target.backend.name };
    },
  };
}

/** The name under which a client gets the backend's model `id` through a pattern. */
function clientName(pattern: string, target: TargetConfig, id: string): string | undefined {
  if (target.model === undefined) return matchesName(pattern, id) ? id : undefined;
  const [before = '', after] = target.model.split('*');
  if (after === undefined) return undefined;
  if (!id.startsWith(before) || !id.endsWith(after) || id.length < before.length + after.length) return undefined;
  return pattern.slice(0, -1) + starOf(`${before}*`, id.slice(0, id.length - after.length));
}

/** All pages of a backend's list; undefined when it has none, or does not answer. */
async function readList(backend: Backend, logger: Logger): Promise<ModelInfo[] | undefined> {
  const { name, dialect } = backend.config;
  const { endpoint, models } = dialects[dialect];
  const found: ModelInfo[] = [];
  const first = endpoint('models', { model: '', stream: false });
  let query: string | undefined = '';
  try {
    for (let page = 0; page < MAX_PAGES && query !== undefined; page += 1) {
      const path: string = query === '' ? first : `${first}${first.includes('?') ? '&' : '?'}${query}`;
      const call = backend.call({ method: 'GET', path });
      const answer = await call.answer;
      const body = await collectBody(answer, MAX_BYTES, call.abort);
      if (answer.status !== 200) {
        logger.warn({ backend: name, status: answer.status }, 'no model list');
        return undefined;
      }
      const list = models.decodeList(JSON.parse(body.toString()), name);
      found.push(...list.models);
      query = list.next;
    }
    return found;
  } catch (error) {
    logger.warn({ backend: name, reason: String(error) }, 'no model list');
    return undefined;
  }
}
