import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelInfo } from '../../translators/index.js';
import type { Backends } from '../backend/index.js';
import type { Config, Targets } from '../config/index.js';
import type { Logger } from '../ground/index.js';
import { clientName } from '../protocol/index.js';
import { createDiscovery, readModel } from './discovery.js';
import { createModels, type Models, type Told, type ToldByBackend, toldOf } from './facts.js';

/** The models that can be asked for. */
export interface Catalog {
  /**
   * The exact names of the configuration, and for its patterns what their backends list, with what is known of each. Resolves within two
   * seconds: a backend that takes longer is shown by what it listed before, if anything, and its list is there for the next who asks.
   */
  list(): Promise<ModelInfo[]>;
  /**
   * One of them; also a name that leads to a model which its backend knows by another name, or whose backend tells nothing
   * of its models. As fast.
   */
  find(name: string): Promise<ModelInfo | undefined>;
  /** Resolves when each backend has told what it tells of its models, or failed to. */
  discover(): Promise<void>;
  /** Names that can be asked for, as far as they are known without asking a backend. */
  known(): Iterable<string>;
  /** What backends told of their models when their lists were last read. */
  told(): ToldByBackend;
  /** What is known of models, with what backends told. */
  readonly models: Models;
}

/** Time to answer who asks for models. */
const ANSWER_MS = 2000;

export function createCatalog(config: Config, backends: Backends, targets: Targets, logger: Logger): Catalog {
  const discovery = createDiscovery(backends, logger, (backend, before) => warnOfSmaller(backend, before));
  const models = createModels(config, targets, () => discovery.told);

  const exact = Object.entries(config.models).flatMap(([name, [target]]) =>
    target === undefined || name.endsWith('*')
      ? []
      : [{ id: name, owner: target.backend, model: target.model ?? name }],
  );
  const owners = [...new Set(Object.values(config.models).flatMap((list) => list.map(({ backend }) => backend)))];

  /** Under the names that a client uses, what the backends list, as far as it is there. */
  const listed = (): ModelInfo[] => {
    const modelsOf = (backend: string): readonly ModelInfo[] => discovery.last(backend) ?? [];
    const byId = new Map(owners.map((owner) => [owner, new Map(modelsOf(owner).map((one) => [one.id, one]))]));
    const found = new Map<string, ModelInfo>(
      exact.map(({ id, owner, model }) => [id, { ...byId.get(owner)?.get(model), id, owner }]),
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

  /** A model with what is known of its name: what a backend says of its own model counts where the name leads to no other. */
  const completed = ({ inputLimit, outputLimit, displayName, ...rest }: ModelInfo): ModelInfo => {
    const { contextWindow, maxOutput, title } = models.named(rest.id);
    const alone = targets.resolve(rest.id).length === 1;
    const window = contextWindow?.value ?? (alone ? inputLimit : undefined);
    const output = maxOutput?.value ?? (alone ? outputLimit : undefined);
    const shown = title?.value ?? displayName;
    return {
      ...rest,
      ...(shown !== undefined && { displayName: shown }),
      ...(window !== undefined && { inputLimit: window }),
      ...(output !== undefined && { outputLimit: output }),
    };
  };

  const saysWindows =
    Object.values(config.backends).some((one) => Object.keys(one.models).length > 0) ||
    Object.values(config.models).some((list) => list.some(({ contextWindow }) => contextWindow !== undefined));
  /** The file may say more than a server was started with: it would refuse, or cut, what agents then send. */
  const warnOfSmaller = (backend: string, before: ReadonlyMap<string, Told> | undefined): void => {
    if (!saysWindows) return;
    const now = discovery.told.get(backend);
    for (const { id } of listed())
      for (const { backend: own, model, said } of targets.resolve(id)) {
        const host = toldOf(now, model)?.contextWindow;
        if (own.name !== backend || host === undefined || said.contextWindow === undefined) continue;
        if (host >= said.contextWindow || toldOf(before, model)?.contextWindow === host) continue;
        const sizes = { contextWindow: said.contextWindow, host };
        logger.warn(
          { backend, model, ...sizes },
          'the window of the model at its host is smaller than contextWindow says',
        );
      }
  };

  const discover = async (): Promise<void> => {
    await Promise.all(owners.map(discovery.listOf));
  };
  const list = async (until: number): Promise<ModelInfo[]> => {
    await within(until, discover());
    return listed();
  };

  return {
    async list() {
      return (await list(performance.now() + ANSWER_MS)).map(completed);
    },
    async find(name) {
      const until = performance.now() + ANSWER_MS;
      const known = (await list(until)).find(({ id }) => id === name);
      if (known !== undefined) return completed(known);
      const [target] = targets.resolve(name);
      if (target === undefined) return undefined;
      const owner = target.backend.name;
      const untold = completed({ id: name, owner });
      const there = await within(until, discovery.listOf(owner));
      if (there === undefined) return untold;
      const same = there.find(({ id }) => id === target.model);
      if (same !== undefined) return completed({ ...same, id: name });
      const info = await within(until, readModel(backends.get(owner), target.model, logger));
      if (info === 'unknown') return undefined;
      return info === undefined ? untold : completed({ ...info, id: shownAs(config, owner, info.id) ?? name });
    },
    discover,
    known: () => listed().map(({ id }) => id),
    told: () => discovery.told,
    models,
  };
}

/** What a promise resolves to; undefined where that takes until after a time, in ms on a clock that is never set. */
async function within<Value>(until: number, coming: Promise<Value>): Promise<Value | undefined> {
  const over = new AbortController();
  const late = sleep(Math.max(0, until - performance.now()), undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([coming, late]);
  } finally {
    over.abort();
  }
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
