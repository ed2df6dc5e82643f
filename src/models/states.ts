import { allEndpoints, type Backends, restrictionText } from '../backend/index.js';
import type { Target, TargetConfig } from '../config/index.js';
import { isObject } from '../ground/index.js';
import { answerPrimary, askPrimary, isWorker } from '../workers/index.js';

/** A restriction that a refusal revealed. */
export interface Learned {
  readonly backend: string;
  readonly dialect: string;
  /** The backend's name of it. */
  readonly model: string;
  /** Whose request met it; absent = it applies to all keys. */
  readonly key?: string;
  readonly kind: string;
  readonly text: string;
  /** How long it still applies. */
  readonly seconds: number;
}

/** What a process believes of a backend: plain JSON. */
export interface BackendState {
  readonly backend: string;
  readonly breaker: 'closed' | 'half-open' | 'open';
  /** For which no call begins. */
  readonly outSeconds: number;
  /** The same for calls of some keys alone. */
  readonly keysOut: readonly (readonly [key: string, seconds: number])[];
  readonly keyRefused: boolean;
  /** Models that asked to be left alone, by the backend's names. */
  readonly cooling: readonly (readonly [model: string, seconds: number])[];
  readonly learned: readonly Learned[];
}

/** What is believed of a target. */
export interface TargetState {
  readonly is: 'up' | 'cooling' | 'out' | 'trying' | 'key refused';
  /** In words. */
  readonly text: string;
  readonly learned: readonly Learned[];
}

/** Which restrictions are meant; all of them without any. */
export interface LearnedOf {
  readonly backend?: string;
  readonly model?: string;
}

/** What is believed of the backends, by all processes that share the port. */
export interface ModelStates {
  /** These are in force from now on. */
  watch(backends: Backends): void;
  read(): Promise<readonly BackendState[]>;
  /** Discards learned restrictions; gives how many there were. */
  forget(of: LearnedOf): Promise<number>;
}

/** The subject of questions between processes. */
export const MODELS_SUBJECT = 'models';

/** What one process is asked. */
export type StateQuestion = { readonly do: 'read' } | ({ readonly do: 'forget' } & LearnedOf);

/** `shares`: in a worker, the primary may ask for it, and asks the others. */
export function createModelStates(shares: boolean): ModelStates {
  let watched: Backends | undefined;
  const own = (question: StateQuestion): unknown => {
    if (watched === undefined) return question.do === 'read' ? [] : 0;
    return question.do === 'read' ? statesOf(watched) : forgetIn(watched, question);
  };
  if (shares && isWorker) answerPrimary(MODELS_SUBJECT, async (value) => own(value as StateQuestion));
  const ask = async (question: StateQuestion): Promise<readonly unknown[]> => {
    if (!isWorker) return [own(question)];
    const answers = await askPrimary(MODELS_SUBJECT, question);
    return Array.isArray(answers) ? answers : [own(question)];
  };
  return {
    watch(backends) {
      watched = backends;
    },
    async read() {
      const all = await ask({ do: 'read' });
      return merged(all.flatMap((one) => (Array.isArray(one) ? one : [])).filter(isState));
    },
    async forget(of) {
      const counts = await ask({ do: 'forget', ...of });
      return counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0);
    },
  };
}

function isState(value: unknown): value is BackendState {
  return isObject(value) && typeof value.backend === 'string' && Array.isArray(value.learned);
}

function statesOf(backends: Backends): readonly BackendState[] {
  return [...backends.all()].map((backend) => {
    const { breaker, restMs, keysOut, keyRefused } = backend.status();
    const { name } = backend.config;
    return {
      ...{ backend: name, breaker, keyRefused },
      outSeconds: secondsOf(restMs),
      keysOut: keysOut.map(([key, ms]) => [key, secondsOf(ms)] as const),
      cooling: backend.cooling.resting().map((model) => [model, secondsOf(backend.cooling.rest(model))] as const),
      learned: allEndpoints(backend).flatMap(({ config: { dialect }, restrictions }) =>
        restrictions.kept().map(({ model, learner, restriction, ms }) => ({
          ...{ backend: name, dialect, model, kind: restriction.kind, text: restrictionText(restriction) },
          ...(learner !== undefined && { key: learner }),
          seconds: secondsOf(ms),
        })),
      ),
    };
  });
}

function forgetIn(backends: Backends, { backend, model }: LearnedOf): number {
  let count = 0;
  for (const one of backends.all()) {
    if (backend !== undefined && one.config.name !== backend) continue;
    for (const { restrictions } of allEndpoints(one)) {
      count += restrictions.kept().filter((kept) => model === undefined || kept.model === model).length;
      restrictions.forget(model);
    }
  }
  return count;
}

/** What several processes believe, of which the worst counts. */
function merged(states: readonly BackendState[]): readonly BackendState[] {
  const found = new Map<string, BackendState>();
  for (const state of states) {
    const before = found.get(state.backend);
    found.set(state.backend, before === undefined ? state : worse(before, state));
  }
  return [...found.values()];
}

function worse(one: BackendState, other: BackendState): BackendState {
  const learned = new Map<string, Learned>();
  for (const { seconds, ...rest } of [...one.learned, ...other.learned]) {
    const id = JSON.stringify(rest);
    learned.set(id, { ...rest, seconds: Math.max(seconds, learned.get(id)?.seconds ?? 0) });
  }
  const [furthest] = [one, other].sort((a, b) => b.outSeconds - a.outSeconds || (a.breaker === 'closed' ? 1 : -1));
  return {
    backend: one.backend,
    breaker: furthest?.breaker ?? one.breaker,
    outSeconds: Math.max(one.outSeconds, other.outSeconds),
    keysOut: longest(one.keysOut, other.keysOut),
    keyRefused: one.keyRefused || other.keyRefused,
    cooling: longest(one.cooling, other.cooling),
    learned: [...learned.values()],
  };
}

type Times = readonly (readonly [name: string, seconds: number])[];

function longest(some: Times, others: Times): Times {
  const found = new Map(some);
  for (const [name, seconds] of others) found.set(name, Math.max(seconds, found.get(name) ?? 0));
  return [...found];
}

/** What the states of the backends say of a target; `named` tells which of the backend's models its name leads to. */
export function targetState(
  states: readonly BackendState[],
  { backend, model }: TargetConfig,
  target: Target | undefined,
): TargetState {
  const state = states.find((one) => one.backend === backend);
  if (state === undefined) return { is: 'up', text: 'up', learned: [] };
  const isMeant = namedBy(target?.model ?? model ?? '*');
  const learned = state.learned.filter((one) => isMeant(one.model));
  const cooling = state.cooling.filter(([name]) => isMeant(name));
  return { ...judged(state, cooling, target?.model), learned };
}

function judged(
  { keyRefused, breaker, outSeconds, keysOut }: BackendState,
  cooling: BackendState['cooling'],
  exact: string | undefined,
): Pick<TargetState, 'is' | 'text'> {
  if (keyRefused) return { is: 'key refused', text: 'key refused: the backend does not take the credentials' };
  if (breaker === 'open') return { is: 'out', text: `out for ${outSeconds} s: its breaker is open` };
  if (breaker === 'half-open') return { is: 'trying', text: 'tried again after failures' };
  const [out] = keysOut;
  if (out !== undefined) {
    const [key, seconds] = out;
    return { is: 'out', text: `out for ${seconds} s for key ${key}${andMore(keysOut)}: its calls failed` };
  }
  const [first] = cooling;
  if (first === undefined) return { is: 'up', text: 'up' };
  const [model, seconds] = first;
  return { is: 'cooling', text: `cooling for ${seconds} s${model === exact ? '' : ` (${model}${andMore(cooling)})`}` };
}

function andMore({ length }: readonly unknown[]): string {
  return length > 1 ? ` and ${length - 1} more` : '';
}

/** Whether a backend's name is that of a target, or fits what a pattern makes of it. */
function namedBy(model: string): (name: string) => boolean {
  const [before = '', after] = model.split('*');
  if (after === undefined) return (name) => name === model;
  return (name) => name.startsWith(before) && name.endsWith(after) && name.length >= before.length + after.length;
}

function secondsOf(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
