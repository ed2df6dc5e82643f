import { dialects, type ModelInfo } from '../../translators/index.js';
import type { Backend, Backends } from '../backend/index.js';
import type { Logger } from '../ground/index.js';
import { askBackend } from './ask.js';
import type { Told, ToldByBackend } from './facts.js';
import { readWindows } from './window-routes.js';

/** What backends list, read when it is first wanted and then kept for a while. */
export interface Discovery {
  /** The list of a backend: one that is kept, else the one that is being read; undefined when it has none, or does not answer. */
  listOf(backend: string): Promise<readonly ModelInfo[] | undefined>;
  /** The list that was last had, without asking. */
  last(backend: string): readonly ModelInfo[] | undefined;
  /** What was told with these lists. */
  readonly told: ToldByBackend;
}

const KEPT_MS = 300_000;
/** A list that could not be had is asked for again sooner. */
const RETRY_MS = 15_000;
const MAX_PAGES = 20;
/** The models of one backend that are kept. */
const MAX_MODELS = 10_000;

interface Reading {
  /** Undefined when there is no list. */
  readonly models?: readonly ModelInfo[];
  /** Something could not be had that may be there soon. */
  readonly failed: boolean;
}

interface Kept {
  readonly models: Promise<readonly ModelInfo[] | undefined>;
  /** On a clock that is never set, in ms. */
  until: number;
}

/** `changed` hears when a backend told other things of its models than before, which are given to it. */
export function createDiscovery(
  backends: Backends,
  logger: Logger,
  changed: (backend: string, before: ReadonlyMap<string, Told> | undefined) => void,
): Discovery {
  const kept = new Map<string, Kept>();
  const had = new Map<string, readonly ModelInfo[]>();
  const told = new Map<string, ReadonlyMap<string, Told>>();

  /** By backend, the running windows that it told last: what is told elsewhere may be larger. */
  const running = new Map<string, ReadonlyMap<string, Told>>();

  const read = async (name: string): Promise<Reading> => {
    const backend = backends.get(name);
    const models = await readList(backend, logger);
    if (models === undefined) return { failed: true };
    const windows = await windowsOf(backend, models, logger);
    const before = told.get(name);
    had.set(name, models);
    if (windows !== undefined) running.set(name, windows);
    told.set(name, toldIn(models, running.get(name) ?? new Map()));
    changed(name, before);
    return { models, failed: windows === undefined };
  };

  return {
    listOf(name) {
      const known = kept.get(name);
      if (known !== undefined && known.until > performance.now()) return known.models;
      const reading = read(name);
      const entry: Kept = { models: reading.then(({ models }) => models), until: performance.now() + KEPT_MS };
      kept.set(name, entry);
      const settle = ({ failed }: Pick<Reading, 'failed'>): void => {
        if (failed) entry.until = performance.now() + RETRY_MS;
      };
      reading.then(settle, () => settle({ failed: true }));
      return entry.models;
    },
    last: (name) => had.get(name),
    told,
  };
}

function toldIn(models: readonly ModelInfo[], windows: ReadonlyMap<string, Told>): ReadonlyMap<string, Told> {
  const found = new Map(windows);
  for (const { id, inputLimit, inputAlone, outputLimit, displayName } of models) {
    const one: Told = {
      ...(inputLimit !== undefined && { contextWindow: inputLimit }),
      ...(inputAlone && !windows.has(id) && { inputAlone }),
      ...(outputLimit !== undefined && { maxOutput: outputLimit }),
      ...(displayName !== undefined && { title: displayName }),
      ...windows.get(id),
    };
    if (Object.keys(one).length > 0) found.set(id, one);
  }
  return found;
}

/** Undefined where they cannot be read now. */
async function windowsOf(
  backend: Backend,
  models: readonly ModelInfo[],
  logger: Logger,
): Promise<ReadonlyMap<string, Told> | undefined> {
  try {
    return await readWindows(
      backend,
      models.map(({ id }) => id),
    );
  } catch (error) {
    logger.warn({ backend: backend.config.name, reason: String(error) }, 'the windows of the models cannot be read');
    return undefined;
  }
}

/** All pages of a backend's list; undefined when it has none, or does not answer. */
async function readList(backend: Backend, logger: Logger): Promise<readonly ModelInfo[] | undefined> {
  const { name, dialect, unsupported } = backend.config;
  if (unsupported.includes('modelList')) return undefined;
  const { endpoint, models } = dialects[dialect];
  const found: ModelInfo[] = [];
  const first = endpoint('models', { model: '', stream: false });
  let query: string | undefined = '';
  try {
    for (let page = 0; page < MAX_PAGES && query !== undefined && found.length < MAX_MODELS; page += 1) {
      const path: string = query === '' ? first : `${first}${first.includes('?') ? '&' : '?'}${query}`;
      const { status, body } = await askBackend(backend, { method: 'GET', path });
      if (status !== 200) {
        logger.warn({ backend: name, status }, 'the model list cannot be read');
        return undefined;
      }
      const list = models.decodeList(body, name);
      found.push(...list.models);
      query = list.next;
    }
    return found.slice(0, MAX_MODELS);
  } catch (error) {
    logger.warn({ backend: name, reason: String(error) }, 'the model list cannot be read');
    return undefined;
  }
}

/** What a backend says of one model; `unknown` when it says that there is none, undefined when it says nothing of use. */
export async function readModel(
  backend: Backend,
  id: string,
  logger: Logger,
): Promise<ModelInfo | 'unknown' | undefined> {
  const { name, dialect } = backend.config;
  const { endpoint, models } = dialects[dialect];
  const [list] = endpoint('models', { model: '', stream: false }).split('?');
  try {
    const { status, body } = await askBackend(backend, { method: 'GET', path: `${list}/${encodeURIComponent(id)}` });
    if (status === 404) return 'unknown';
    return status === 200 ? models.decodeModel(body, name) : undefined;
  } catch (error) {
    logger.warn({ backend: name, reason: String(error) }, 'the description of a model cannot be read');
    return undefined;
  }
}
