/** A fact of a model with where it comes from. */
export interface Fact {
  readonly text: string;
  readonly source: string;
}

/** A restriction that a refusal revealed. */
export interface Learned {
  readonly backend: string;
  readonly model: string;
  readonly text: string;
  /** Whose it is, in words. */
  readonly whose: string;
  readonly minutes: number;
}

export type StateName = 'up' | 'cooling' | 'out' | 'trying' | 'key refused';

/** A target as a row shows it. */
export interface Target {
  readonly backend: string;
  readonly dialect: string;
  /** The host of its address; undefined = the simulator. */
  readonly host: string | undefined;
  /** The backend's name for the model; undefined = as asked. */
  readonly model: string | undefined;
  readonly weight: number | undefined;
  readonly window: Fact | undefined;
  readonly output: Fact | undefined;
  readonly prices: Fact | undefined;
  readonly title: Fact | undefined;
  readonly advice: string | undefined;
  readonly state: StateName;
  readonly stateText: string;
  readonly learned: readonly Learned[];
}

export interface Row {
  readonly name: string;
  readonly targets: readonly Target[];
  readonly requests: number | undefined;
  readonly errors: number;
}

/** The table, and since when requests are counted in it; undefined where they are not. */
export interface Table {
  readonly rows: readonly Row[];
  readonly since: string | undefined;
}

type Node = Readonly<Record<string, unknown>>;

const nodeOf = (value: unknown): Node => Object(value) as Node;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Reads `GET /models?detail`: the names that are asked for most come first, the others as the configuration has them. */
export function tableIn(answer: unknown): Table {
  const rows = listOf(nodeOf(answer).models).map(rowOf);
  const since = listOf(nodeOf(answer).models)
    .map((row) => textOf(nodeOf(nodeOf(row).used).since))
    .find((text) => text !== undefined);
  return { rows: rows.sort((one, other) => (other.requests ?? 0) - (one.requests ?? 0)), since };
}

function rowOf(value: unknown): Row {
  const { name, targets, used } = nodeOf(value);
  return {
    name: textOf(name) ?? '',
    targets: listOf(targets).map(targetOf),
    requests: numberOf(nodeOf(used).requests),
    errors: numberOf(nodeOf(used).errors) ?? 0,
  };
}

function targetOf(value: unknown): Target {
  const node = nodeOf(value);
  const state = nodeOf(node.state);
  return {
    backend: textOf(node.backend) ?? '',
    dialect: textOf(node.dialect) ?? '',
    host: hostOf(textOf(node.baseUrl)),
    model: textOf(node.model),
    weight: numberOf(node.weight),
    window: factOf(node.contextWindow, tokensText),
    output: factOf(node.maxOutput, tokensText),
    prices: factOf(node.prices, pricesText),
    title: factOf(node.title, String),
    advice: textOf(node.advice),
    state: (textOf(state.is) ?? 'up') as StateName,
    stateText: textOf(state.text) ?? '',
    learned: listOf(state.learned).map(learnedOf),
  };
}

function hostOf(baseUrl: string | undefined): string | undefined {
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
}

function learnedOf(value: unknown): Learned {
  const { backend, model, text, key, seconds } = nodeOf(value);
  return {
    backend: textOf(backend) ?? '',
    model: textOf(model) ?? '',
    text: textOf(text) ?? '',
    whose: key === undefined ? 'all keys' : `key ${String(key)}`,
    minutes: Math.ceil((numberOf(seconds) ?? 0) / 60),
  };
}

function factOf(value: unknown, words: (value: unknown) => string): Fact | undefined {
  const { value: known, source } = nodeOf(value);
  return known === undefined ? undefined : { text: words(known), source: textOf(source) ?? '' };
}

const WHOLE = new Intl.NumberFormat('en-US');

function tokensText(value: unknown): string {
  return WHOLE.format(Number(value));
}

/** Input and output in USD per million; the others are in the title of the cell. */
function pricesText(value: unknown): string {
  const { input, output } = nodeOf(value);
  const text = (rate: unknown): string => (typeof rate === 'number' ? `$${rate}` : '?');
  return `${text(input)} / ${text(output)}`;
}

/** The rows in which a text is, in whichever of its names. */
export function filtered(rows: readonly Row[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  const has = (...words: readonly (string | undefined)[]): boolean =>
    words.some((word) => word?.toLowerCase().includes(wanted));
  return rows.filter(
    ({ name, targets }) =>
      has(name) ||
      targets.some(({ backend, dialect, host, model, title, stateText }) =>
        has(backend, dialect, host ?? 'simulator', model, title?.text, stateText),
      ),
  );
}
