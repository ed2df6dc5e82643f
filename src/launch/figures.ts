import { FEATURES, isCounted, type Loss } from '../../translators/index.js';

/** What a gateway counted. */
export interface Figures {
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** Those that strict would count. */
  readonly losses: number;
  /** In USD, of the exchanges whose prices are known. */
  readonly cost: number;
  /** Requests by backend and dialect, as they are written: several endpoints of one host speak several. */
  readonly backends: ReadonlyMap<string, number>;
}

const NONE: Figures = { requests: 0, input: 0, output: 0, losses: 0, cost: 0, backends: new Map() };

/** How long, in ms, is waited for exchanges that end with the agent. */
const SETTLE_MS = 1000;

/** What the gateway at a URL counted so far, once `settled` = nothing is open any more; undefined where it does not tell. */
export async function figuresAt(url: string, key: string, settled = false): Promise<Figures | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const text = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(SETTLE_MS) })
      .then((answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined);
    if (text === undefined) return undefined;
    const open = samplesOf(text, 'open_exchanges').some(({ value }) => value > 0);
    if (!settled || !open || performance.now() > end) return read(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of one of our metrics in the text format of Prometheus. */
function samplesOf(text: string, name: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, own, labels = '', value] = /^interlingua_(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (own !== name) return [];
    const pairs = [...labels.matchAll(/\b(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', said = '']) => [key, said]);
    return [{ labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

function read(text: string): Figures {
  const backends = new Map<string, number>();
  let requests = 0;
  for (const { labels, value } of samplesOf(text, 'exchanges_total')) {
    const { backend = '', dialect = '' } = labels;
    if (backend === '') continue;
    requests += value;
    const name = `${backend} (${dialect})`;
    backends.set(name, (backends.get(name) ?? 0) + value);
  }
  const tokens = samplesOf(text, 'tokens_total');
  const sum = (direction: string): number =>
    tokens.reduce((all, { labels, value }) => (labels.direction === direction ? all + value : all), 0);
  const losses = samplesOf(text, 'losses_total').reduce((all, { labels, value }) => {
    return isStrict(labels) ? all + value : all;
  }, 0);
  const cost = samplesOf(text, 'cost_total').reduce((all, { value }) => all + value, 0);
  return { requests, input: sum('input'), output: sum('output'), losses, cost, backends };
}

function isStrict({ feature = '', kind = '' }: Sample['labels']): boolean {
  return Object.hasOwn(FEATURES, feature) && isCounted({ path: '', detail: '', feature, kind } as Loss);
}

/** What was counted in between. */
export function figuresBetween(before: Figures | undefined, after: Figures | undefined): Figures {
  if (after === undefined) return NONE;
  const { requests, input, output, losses, cost, backends } = before ?? NONE;
  const called = [...after.backends].map(([name, n]) => [name, n - (backends.get(name) ?? 0)] as const);
  return {
    requests: after.requests - requests,
    input: after.input - input,
    output: after.output - output,
    losses: after.losses - losses,
    cost: after.cost - cost,
    backends: new Map(called.filter(([, n]) => n > 0)),
  };
}

/** `3 requests, 1234 tokens in, 56 out, 2 losses, known cost 0.0421 USD; claude (messages), local (responses)`. */
export function inOneLine(figures: Figures): string {
  const { requests, input, output, losses, cost, backends } = figures;
  const counts = [
    `${requests} ${requests === 1 ? 'request' : 'requests'}`,
    `${input} tokens in`,
    `${output} out`,
    `${losses} ${losses === 1 ? 'loss' : 'losses'}`,
    ...(cost > 0 ? [`known cost ${Number(cost.toPrecision(3))} USD`] : []),
  ].join(', ');
  return backends.size === 0 ? counts : `${counts}; ${[...backends.keys()].join(', ')}`;
}
