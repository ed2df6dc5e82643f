import { type DialectId, dialects } from '../../translators/index.js';
import type { Config, Prices, Target, TargetConfig, Targets } from '../config/index.js';
import type { ModelFacts } from './facts.js';
import type { TargetState } from './states.js';

/** A name that clients can use, or a pattern of names, and where it leads: plain JSON. */
export interface ModelRow {
  readonly name: string;
  /** In the order of the configuration. */
  readonly targets: readonly TargetRow[];
  /** What was asked for under the name since an hour began; absent where usage is not counted. */
  readonly used?: { readonly since: string; readonly requests: number; readonly errors: number };
}

/** A target, with what is known of its model. */
export interface TargetRow extends ModelFacts {
  readonly backend: string;
  readonly dialect: DialectId;
  /** The root of the service; absent for the simulator. */
  readonly baseUrl?: string;
  /** The backend's name for the model; absent = that which the client uses. */
  readonly model?: string;
  readonly weight?: number;
  /** What is guessed about the model, and where to turn with one that its dialect serves in part only. */
  readonly advice?: string;
  /** Of a gateway that runs. */
  readonly state?: TargetState;
}

/** What is known of the model of a target. */
export type FactsOf = (target: Target | undefined) => ModelFacts;

/** What a gateway that runs tells of a name, and of a target. */
export interface RunningFacts {
  usedOf(name: string): ModelRow['used'];
  stateOf(target: TargetConfig, resolved: Target | undefined): TargetState;
}

/** The table of the models of a configuration: what `check` prints, `GET /models?detail` answers, and the page shows. */
export function modelTable(
  { models, backends }: Pick<Config, 'models' | 'backends'>,
  targets: Pick<Targets, 'resolve'>,
  factsOf: FactsOf,
  running?: RunningFacts,
): readonly ModelRow[] {
  return Object.entries(models).map(([name, list]) => {
    const resolved = targets.resolve(name);
    const used = running?.usedOf(name);
    return {
      name,
      targets: list.flatMap((target, index): TargetRow[] => {
        const { backend, model, weight } = target;
        const host = backends[backend];
        if (host === undefined) return [];
        const { dialect, baseUrl } = host;
        const advice = adviceOn(resolved[index]);
        return [
          {
            ...{ backend, dialect },
            ...(baseUrl !== undefined && { baseUrl }),
            ...(model !== undefined && { model }),
            ...(weight !== undefined && { weight }),
            ...factsOf(isPattern(resolved[index]) ? undefined : resolved[index]),
            ...(advice !== undefined && { advice }),
            ...(running !== undefined && { state: running.stateOf(target, resolved[index]) }),
          },
        ];
      }),
      ...(used !== undefined && { used }),
    };
  });
}

/** The table as lines for people: the same wherever it is shown. */
export function linesOfModels(rows: readonly ModelRow[]): readonly string[] {
  const width = rows.reduce((most, { name }) => Math.max(most, name.length), 0);
  return rows.flatMap(({ name, targets, used }) => [
    ...targets.flatMap((target, index) => {
      const rest = [describeFacts(target), ...describeState(target.state)].filter((text) => text !== '');
      return [
        `  ${(index === 0 ? name : '').padEnd(width)}  -> ${describeTarget(target)}`,
        ...rest.map((text) => `  ${''.padEnd(width)}     ${text}`),
      ];
    }),
    ...(used === undefined
      ? []
      : [`  ${''.padEnd(width)}     requests ${used.requests}, errors ${used.errors} since ${used.since}`]),
  ]);
}

function describeTarget({ backend, dialect, baseUrl, model, weight, advice }: TargetRow): string {
  const share = weight === undefined ? '' : `, weight ${weight}`;
  const rest = advice === undefined ? '' : `; ${advice}`;
  return `${backend} (${dialect}, ${baseUrl ?? 'simulator'}), model ${model ?? 'as asked'}${share}${rest}`;
}

/** The facts in one line, each with its source; '' where nothing is known. */
function describeFacts({ contextWindow, maxOutput, prices, title }: ModelFacts): string {
  return [
    contextWindow && `contextWindow ${contextWindow.value} (${contextWindow.source})`,
    maxOutput && `maxOutput ${maxOutput.value} (${maxOutput.source})`,
    prices && `prices ${describePrices(prices.value)} (${prices.source})`,
    title && `title ${title.value} (${title.source})`,
  ]
    .filter((fact) => fact !== undefined)
    .join('; ');
}

function describePrices({ above = [], ...rates }: Prices): string {
  const list = (one: object): string =>
    Object.entries(one)
      .flatMap(([name, rate]) => `${name} ${rate}`)
      .join(', ');
  return [list(rates), ...above.map(({ tokens, ...changed }) => `above ${tokens} tokens ${list(changed)}`)].join(', ');
}

function describeState(state: TargetState | undefined): readonly string[] {
  if (state === undefined) return [];
  return [
    `state ${state.text}`,
    ...state.learned.map(({ model, key, text, seconds }) => {
      const whose = key === undefined ? 'all keys' : key === '' ? 'all callers' : `key ${key}`;
      return `learned of ${model}: ${text} (${whose}, for ${Math.ceil(seconds / 60)} min)`;
    }),
  ];
}

function isPattern(target: Target | undefined): boolean {
  return target?.model.includes('*') === true;
}

function adviceOn(target: Target | undefined): string | undefined {
  if (target === undefined || isPattern(target)) return undefined;
  const { backend, model, profile } = target;
  const dialect = dialects[backend.dialect];
  const guess = !backend.simulator && dialect.takenForNewest(model, profile) ? [GUESS] : [];
  const part = dialect.target(model, profile).server?.functionTools === false ? [IN_PART] : [];
  return guess.length + part.length === 0 ? undefined : [...guess, ...part].join('; ');
}

const GUESS = 'in no table: taken for the newest of its vendor';
const IN_PART = 'takes functions by responses only: name a backend of the same root with `dialect: responses`';
