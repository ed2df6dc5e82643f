import { adviceFor } from '../../translators/advice.js';
import { isCounted, type Loss } from '../../translators/index.js';
import { type Restriction, restrictionText } from '../backend/index.js';
import type { Redact } from '../ground/index.js';
import { type Tried, WORDS_CHARACTERS } from '../http/index.js';
import type { Entry } from './entry.js';
import type {
  LiveAttempt,
  LiveDetail,
  LiveExchange,
  LiveLoss,
  LiveLosses,
  LiveRestriction,
  LiveTimes,
  LiveTokens,
} from './plain/index.js';

/** Longest text of one member, in characters. */
const LONGEST = 300;
/** So many kinds of losses are shown of one exchange, and so many restrictions. */
const MOST_SHOWN = 24;

/** Names and texts that may be anything: without secrets, of which one that begins in what is shown must be looked for as a whole, and cut. */
type Clean = (text: string | undefined) => string | undefined;

/** An exchange as it is shown. `hide` takes secrets out of a text. */
export function viewOf(n: number, entry: Entry, hide: Redact): LiveExchange {
  const { dialect, error, losses } = entry;
  const clean: Clean = (text) =>
    text === undefined ? undefined : hide(text.slice(0, WORDS_CHARACTERS)).slice(0, LONGEST);
  const tried = entry.tried ?? [];
  return {
    n,
    at: new Date(entry.at).toISOString(),
    id: clean(entry.id) ?? '',
    key: entry.key,
    client: clean(entry.client),
    route: `${entry.method} ${clean(entry.path)}`,
    asked: { dialect, model: clean(entry.asked), stream: entry.stream },
    answered: answeredOf(entry, clean),
    endpoints: entry.endpoints,
    status: entry.status,
    outcome: entry.outcome,
    finish: clean(entry.finish),
    words: clean(entry.words),
    cut: error !== undefined && entry.firstByteMs !== undefined ? true : undefined,
    retried: tried.filter(({ next }) => next === 'again').length || undefined,
    passed: tried.filter(({ next }) => next === 'elsewhere').length || entry.passed,
    attempts: tried.length === 0 ? undefined : tried.map((one) => attemptOf(one, clean, entry.bodies !== undefined)),
    losses: losses === undefined ? undefined : lossesOf(losses, entry.lossCount, clean),
    restrictions: restrictionsOf(entry, clean),
    times: timesOf(entry),
    tokens: tokensOf(entry),
    cost: entry.cost,
    costPartial: entry.costPartial,
    headers: headersOf(entry, clean),
    bodies: entry.bodies === undefined ? undefined : true,
  };
}

/** The same with what was said, where that is kept. */
export function detailOf(n: number, entry: Entry, hide: Redact): LiveDetail {
  return { exchange: viewOf(n, entry, hide), ...entry.bodies };
}

function answeredOf(entry: Entry, clean: Clean): LiveExchange['answered'] {
  const { backend, backendDialect: dialect, target, answeredBy } = entry;
  if (backend === undefined || dialect === undefined) return undefined;
  return { backend, dialect, target: clean(target), model: clean(answeredBy) };
}

function attemptOf(tried: Tried, clean: Clean, quoted: boolean): LiveAttempt {
  const { backend, dialect, target, reason, status, kind, quotes, ms, next } = tried;
  return {
    backend,
    dialect,
    target: clean(target),
    reason,
    status,
    kind,
    code: clean(tried.code),
    path: clean(tried.path),
    words: quotes === true && !quoted ? undefined : clean(tried.words),
    ms,
    next,
  };
}

function lossesOf(losses: readonly Loss[], all: number, clean: Clean): LiveLosses {
  const found = new Map<string, LiveLoss & { times: number }>();
  let counted = 0;
  let minor = 0;
  for (const loss of losses) {
    if (isCounted(loss)) counted += 1;
    else if (loss.feature !== 'telemetry') minor += 1;
    const { feature, kind, path, detail } = loss;
    const topic = `${kind} ${feature}`;
    const before = found.get(topic);
    if (before !== undefined) before.times += 1;
    else if (found.size < MOST_SHOWN) {
      const shown = { path: clean(path) ?? '', detail: clean(detail) ?? '', advice: adviceFor(loss) };
      found.set(topic, { feature: clean(feature) ?? '', kind, ...shown, times: 1 });
    }
  }
  // Of very many the first ones are kept: what is counted of them stands for the rest.
  return { counted: losses.length === 0 ? 0 : counted + (all - losses.length), minor, list: [...found.values()] };
}

function restrictionsOf({ restrictions = [], learned = [] }: Entry, clean: Clean): LiveRestriction[] | undefined {
  const shown = (one: { readonly kind: string }): LiveRestriction => ({
    kind: one.kind,
    restriction: clean(restrictionText(one as Restriction)) ?? '',
    ...('shared' in one && { shared: true as const }),
  });
  const all = [...restrictions.map(shown), ...learned.map((one) => ({ ...shown(one), learned: true as const }))];
  return all.length === 0 ? undefined : all.slice(0, MOST_SHOWN);
}

/** A stream this short, in ms, came at once: it has no speed. */
const LEAST_MS = 5;

function timesOf(entry: Entry): LiveTimes {
  const { tenths, waitedTenths, backendTenths, lastTokenMs, error } = entry;
  const { firstByteMs, firstTokenMs, outputTokens, stream } = entry;
  const waiting = Math.min(waitedTenths, tenths);
  // Calls that ran at the same time add up to more than the whole.
  const backend = Math.min(backendTenths, tenths - waiting);
  const generating = (lastTokenMs ?? 0) - (firstTokenMs ?? 0);
  const steady = stream === true && error === undefined && firstTokenMs !== undefined && generating >= LEAST_MS;
  return {
    whole: Math.round(tenths / 10),
    firstByte: firstByteMs,
    firstToken: firstTokenMs,
    waiting: waiting / 10,
    backend: backend / 10,
    gateway: (tenths - waiting - backend) / 10,
    rate: steady && outputTokens !== undefined ? rounded((outputTokens * 1000) / generating) : undefined,
  };
}

/** To a tenth. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function tokensOf(entry: Entry): LiveTokens | undefined {
  const { inputTokens: input, outputTokens: output, cacheRead, cacheWrite, reasoning } = entry;
  if (input === undefined && output === undefined) return undefined;
  return { input, cached: count(cacheRead), written: count(cacheWrite), output, reasoning: count(reasoning) };
}

/** A backend may say anything. */
function count(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) && Number(tokens) > 0 ? tokens : undefined;
}

function headersOf({ headers = {} }: Entry, clean: Clean): Readonly<Record<string, string>> | undefined {
  const own = Object.entries(headers).filter(([name]) =>
    /^(?:x-interlingua-|x?-?request-id$|server-timing$)/.test(name),
  );
  return own.length === 0 ? undefined : Object.fromEntries(own.map(([name, value]) => [name, clean(value) ?? '']));
}
