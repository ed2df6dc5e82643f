import { FEATURES, isCounted, type Loss } from '../../translators/index.js';
import { isObject } from '../ground/index.js';

/** What a gateway counted. */
export interface Figures {
  /** Requests that were answered. */
  readonly turns: number;
  readonly input: number;
  readonly output: number;
  /** Of the input, what came from a prompt cache; undefined where the gateway keeps no such sum. */
  readonly cached?: number | undefined;
  /** Those that strict would count, by feature and kind. */
  readonly losses: ReadonlyMap<string, Lost>;
  /** In USD, of the exchanges whose prices are known. */
  readonly cost: number;
  /** Requests by backend and dialect, as they are written: several endpoints of one host speak several. */
  readonly backends: ReadonlyMap<string, number>;
}

/** How often a feature was lost in one way. */
interface Lost {
  readonly feature: keyof typeof FEATURES;
  readonly kind: string;
  readonly times: number;
}

/** How long, in ms, is waited for exchanges that end with the agent. */
const SETTLE_MS = 1000;

/**
 * What the gateway at a URL counted so far, once `settled` = nothing is open any more; undefined where it does not tell. `since` = the
 * beginning of the sums of caches, the same for figures that are compared.
 */
export async function figuresAt(url: string, key: string, since: Date, settled = false): Promise<Figures | undefined> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const text = await textAt(`${url}/metrics`, key);
    if (text === undefined) return undefined;
    const open = samplesOf(text, 'open_exchanges').some(({ value }) => value > 0);
    if (!settled || !open || performance.now() > end) return { ...read(text), cached: await cachedAt(url, key, since) };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function textAt(url: string, key: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  return fetch(url, { headers, signal: AbortSignal.timeout(SETTLE_MS) })
    .then((answer) => (answer.ok ? answer.text() : undefined))
    .catch(() => undefined);
}

/** Tokens that our key read from prompt caches; undefined where no sums are kept. */
async function cachedAt(url: string, key: string, since: Date): Promise<number | undefined> {
  const text = await textAt(`${url}/usage?by=key&since=${since.toISOString().slice(0, 13)}:00Z`, key);
  const { total } = objectIn(text);
  const tokens = isObject(total) ? total.cachedTokens : undefined;
  return typeof tokens === 'number' ? tokens : undefined;
}

/** The object that a text is as JSON; an empty one where it is none. */
function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : {};
  } catch {
    return {};
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
    const pairs = [...labels.matchAll(/\b(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]);
    return [{ labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

function read(text: string): Figures {
  const backends = new Map<string, number>();
  let turns = 0;
  for (const { labels, value } of samplesOf(text, 'exchanges_total')) {
    const { backend = '', dialect = '', outcome = '' } = labels;
    if (backend === '') continue;
    if (outcome === 'ok') turns += value;
    const name = `${backend} (${dialect})`;
    backends.set(name, (backends.get(name) ?? 0) + value);
  }
  const tokens = samplesOf(text, 'tokens_total');
  const sum = (direction: string): number =>
    tokens.reduce((all, { labels, value }) => (labels.direction === direction ? all + value : all), 0);
  const losses = new Map<string, Lost>();
  for (const { labels, value } of samplesOf(text, 'losses_total')) {
    const { feature = '', kind = '' } = labels;
    if (isStrict(feature, kind)) losses.set(`${feature} ${kind}`, { feature, kind, times: value });
  }
  const cost = samplesOf(text, 'cost_total').reduce((all, { value }) => all + value, 0);
  return { turns, input: sum('input'), output: sum('output'), losses, cost, backends };
}

function isStrict(feature: string, kind: string): feature is keyof typeof FEATURES {
  return Object.hasOwn(FEATURES, feature) && isCounted({ path: '', detail: '', feature, kind } as Loss);
}

/** What was counted in between. */
function figuresBetween(before: Figures, after: Figures): Figures {
  const { turns, input, output, losses, cost, backends, cached } = before;
  const called = [...after.backends].map(([name, n]) => [name, n - (backends.get(name) ?? 0)] as const);
  const lost = [...after.losses].map(
    ([id, one]) => [id, { ...one, times: one.times - (losses.get(id)?.times ?? 0) }] as const,
  );
  return {
    turns: after.turns - turns,
    input: after.input - input,
    output: after.output - output,
    ...(after.cached !== undefined && { cached: after.cached - (cached ?? 0) }),
    losses: new Map(lost.filter(([, { times }]) => times > 0)),
    cost: after.cost - cost,
    backends: new Map(called.filter(([, n]) => n > 0)),
  };
}

/** `3 turns, 1234 tokens in (62 % cached), 56 out, 2 losses, known cost 0.0421 USD; claude (messages), local (responses)`. */
function inOneLine(figures: Figures): string {
  const { turns, input, output, losses, cost, backends, cached = 0 } = figures;
  const lost = [...losses.values()].reduce((all, { times }) => all + times, 0);
  const share = input > 0 && cached > 0 ? ` (${Math.min(100, Math.round((cached * 100) / input))} % cached)` : '';
  const counts = [
    `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    `${input} tokens in${share}`,
    `${output} out`,
    `${lost} ${lost === 1 ? 'loss' : 'losses'}`,
    ...(cost > 0 ? [`known cost ${Number(cost.toPrecision(3))} USD`] : []),
  ].join(', ');
  return backends.size === 0 ? counts : `${counts}; ${[...backends.keys()].join(', ')}`;
}

/** So many features are listed one by one. */
const LISTED = 5;

/** What was lost, in words, the most frequent first; each is a line. */
function lossesInWords({ losses }: Figures): readonly string[] {
  const sorted = [...losses.values()].sort((a, b) => b.times - a.times || (a.feature < b.feature ? -1 : 1));
  const listed = sorted.slice(0, LISTED).map(({ feature, kind, times }) => {
    return `${kind} ${times === 1 ? 'once' : `${times} times`}: ${feature}. ${FEATURES[feature]}`;
  });
  const others = sorted.length - listed.length;
  return others === 0 ? listed : [...listed, `and ${others} other ${others === 1 ? 'feature' : 'features'}`];
}

/** What was used in between, a line each: what was lost, and last the figures. */
export function usedInWords(before: Figures | undefined, after: Figures | undefined): readonly string[] {
  // Sums of all time are no sums of a session.
  if (before === undefined || after === undefined)
    return ['the gateway reports no metrics at its address: what was used is not known'];
  const figures = figuresBetween(before, after);
  return [...lossesInWords(figures), inOneLine(figures)];
}
