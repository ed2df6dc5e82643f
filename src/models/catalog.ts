import { dialects, type ModelInfo } from '../../translators/index.js';
import { type Backend, type Backends, collectBody } from '../backend/index.js';
import type { Config, TargetConfig, Targets } from '../config/index.js';
import { type Logger, matchesName, starOf } from '../ground/index.js';
import type { Told, ToldByBackend } from './facts.js';

/** The models that can be asked for. */
export interface Catalog {
  /** The exact names of the configuration, and for its patterns what their backends list. */
  list(): Promise<ModelInfo[]>;
  /**
   * One of them; also a name that leads to a model which its backend knows by another name, or whose backend tells nothing
   * of its models.
   */
  find(name: string): Promise<ModelInfo | undefined>;
  /** Names that can be asked for, as far as they are known without asking a backend. */
  known(): Iterable<string>;
  /** What backends told of their models when their lists were last read. */
  told(): ToldByBackend;
}

const KEPT_MS = 300_000;
/** A list that could not be had is asked for again sooner. */
const RETRY_MS = 15_000;
const MAX_PAGES = 20;
const MAX_BYTES = 16 * 1024 * 1024;

/** A backend's list; undefined when it has none. */
interface Kept {
  readonly models: Promise<ModelInfo[] | undefined>;
  /** The same, once it is there. */
  last?: readonly ModelInfo[];
  /** On a clock that is never set, in ms. */
  until: number;
}

export function createCatalog(config: Config, backends: Backends, targets: Targets, logger: Logger): Catalog {
  const kept = new Map<string, Kept>();
  const told = new Map<string, ReadonlyMap<string, Told>>();

  const listOf = (name: string): Promise<ModelInfo[] | undefined> => {
    const known = kept.get(name);
    if (known !== undefined && known.until > performance.now()) return known.models;
    const entry: Kept = { models: readList(backends.get(name), logger), until: performance.now() + KEPT_MS };
    kept.set(name, entry);
    entry.models.then((models) => {
      entry.last = models;
      if (models !== undefined) told.set(name, toldIn(models));
      if (models === undefined) entry.until = performance.now() + RETRY_MS;
    });
    return entry.models;
  };

  const exact = Object.entries(config.models).flatMap(([name, [target]]) =>
    target === undefined || name.endsWith('*')
      ? []
      : [{ id: name, owner: target.backend, model: target.model ?? name }],
  );
  /** Under the names that a client uses, what the backends of patterns list. */
  const listed = (modelsOf: (backend: string) => readonly ModelInfo[]): ModelInfo[] => {
    const owners = [...new Set(exact.map(({ owner }) => owner))];
    const told = new Map(owners.map((owner) => [owner, new Map(modelsOf(owner).map((one) => [one.id, one]))]));
    const found = new Map<string, ModelInfo>(
      exact.map(({ id, owner, model }) => [id, { ...told.get(owner)?.get(model), id, owner }]),
    );
    for (const [pattern, [target]] of Object.entries(config.models)) {
      if (target === undefined || !pattern.endsWith('*')) continue;
      for (const model of modelsOf(target.backend)) {
        const id = clientName(pattern, target, model.id);
        if (id !== undefined && !found.has(id)) found.set(id, { ...model, id });
      }
    }
    return [...found.values()];
  };

  const list = async (): Promise<ModelInfo[]> => {
    const behind = Object.entries(config.models).flatMap(([name, [target]]) =>
      target === undefined || !name.endsWith('*') ? [] : [target.backend],
    );
    const lists = new Map<string, readonly ModelInfo[]>();
    for (const backend of new Set(behind)) lists.set(backend, (await listOf(backend)) ?? []);
    return listed((backend) => lists.get(backend) ?? []);
  };

  return {
    list,
    async find(name) {
      const known = (await list()).find(({ id }) => id === name);
      if (known !== undefined) return known;
      const [target] = targets.resolve(name);
      if (target === undefined) return undefined;
      const owner = target.backend.name;
      const models = await listOf(owner);
      if (models === undefined) return { id: name, owner };
      const same = models.find(({ id }) => id === target.model);
      if (same !== undefined) return { ...same, id: name };
      const info = await readModel(backends.get(owner), target.model, logger);
      if (info === 'unknown') return undefined;
      return info === undefined ? { id: name, owner } : { ...info, id: shownAs(config, owner, info.id) ?? name };
    },
    known: () => listed((backend) => kept.get(backend)?.last ?? []).map(({ id }) => id),
    told: () => told,
  };
}

/** Where a dialect tells input and output apart, the window is that of the input alone. */
function toldIn(models: readonly ModelInfo[]): ReadonlyMap<string, Told> {
  return new Map(
    models.flatMap(({ id, inputLimit, outputLimit, displayName }) => {
      const told = {
        ...(inputLimit !== undefined && { contextWindow: inputLimit }),
        ...(outputLimit !== undefined && { maxOutput: outputLimit }),
        ...(displayName !== undefined && { title: displayName }),
      };
      return Object.keys(told).length === 0 ? [] : [[id, told] as const];
    }),
  );
}

/** The name under which clients get a model that its backend names so: where an alias leads to another name (http.md#tolerance). */
function shownAs({ models }: Config, backend: string, id: string): string | undefined {
  for (const [pattern, [target]] of Object.entries(models)) {
    if (target?.backend !== backend || !pattern.endsWith('*')) continue;
    const name = clientName(pattern, target, id);
    if (name !== undefined) return name;
  }
  return undefined;
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
  const { name, dialect, unsupported } = backend.config;
  if (unsupported.includes('modelList')) return undefined;
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
        logger.warn({ backend: name, status: answer.status }, 'the model list cannot be read');
        return undefined;
      }
      const list = models.decodeList(JSON.parse(body.toString()), name);
      found.push(...list.models);
      query = list.next;
    }
    return found;
  } catch (error) {
    logger.warn({ backend: name, reason: String(error) }, 'the model list cannot be read');
    return undefined;
  }
}

/** What a backend says of one model; `unknown` when it says that there is none, undefined when it says nothing of use. */
async function readModel(backend: Backend, id: string, logger: Logger): Promise<ModelInfo | 'unknown' | undefined> {
  const { name, dialect } = backend.config;
  const { endpoint, models } = dialects[dialect];
  const [list] = endpoint('models', { model: '', stream: false }).split('?');
  try {
    const call = backend.call({ method: 'GET', path: `${list}/${encodeURIComponent(id)}` });
    const answer = await call.answer;
    const body = await collectBody(answer, MAX_BYTES, call.abort);
    if (answer.status === 404) return 'unknown';
    return answer.status === 200 ? models.decodeModel(JSON.parse(body.toString()), name) : undefined;
  } catch (error) {
    logger.warn({ backend: name, reason: String(error) }, 'the description of a model cannot be read');
    return undefined;
  }
}
