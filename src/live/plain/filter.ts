import type { LiveExchange } from './exchange.js';

/** Which exchanges are meant (http.md#live). A name may be given several times: one of its values has to fit. */
export interface LiveFilter {
  /** Of requests. */
  readonly id: readonly string[];
  /** Names of keys. */
  readonly key: readonly string[];
  /** Parts of names of models, in any capitals: as asked, at the backend, or in the answer. */
  readonly model: readonly string[];
  /** Of the client or the backend. */
  readonly dialect: readonly string[];
  /** `200`, `4xx`, `ok`, `failed` or `none`. */
  readonly status: readonly string[];
  /** `any`, `counted`, `none`, or a feature, with `*` at its end for a family. */
  readonly losses: readonly string[];
}

export const FILTERS = ['id', 'key', 'model', 'dialect', 'status', 'losses'] as const satisfies (keyof LiveFilter)[];

const STATUS = /^(?:[1-5]\d\d|[1-5]xx|ok|failed|none)$/;
const LOSSES = /^[\w.$-]{1,100}\*?$/;

/** Why a query can fit nothing, in a sentence; undefined = it can. */
export function filterFault(query: URLSearchParams): string | undefined {
  const wrong = (name: keyof LiveFilter, form: RegExp): boolean =>
    !valuesOf(query, name).every((one) => form.test(one));
  if (wrong('status', STATUS)) return 'status must be a status such as 429, a class such as 5xx, ok, failed or none';
  if (wrong('losses', LOSSES)) {
    return 'losses must be any, counted, none, or a feature such as sampling.topK or sampling.*';
  }
  return undefined;
}

/** The filter of a query in which {@link filterFault} found none. */
export function readFilter(query: URLSearchParams): LiveFilter {
  const all = (name: keyof LiveFilter): readonly string[] => valuesOf(query, name);
  return {
    id: all('id'),
    key: all('key'),
    model: all('model'),
    dialect: all('dialect'),
    status: all('status'),
    losses: all('losses'),
  };
}

function valuesOf(query: URLSearchParams, name: keyof LiveFilter): readonly string[] {
  return query.getAll(name).filter((value) => value !== '');
}

/** Whether an exchange is meant by a filter. */
export function fits(filter: LiveFilter, exchange: LiveExchange): boolean {
  return FILTERS.every((name) => filter[name].length === 0 || filter[name].some((one) => TESTS[name](one, exchange)));
}

const TESTS: Readonly<Record<keyof LiveFilter, (wanted: string, exchange: LiveExchange) => boolean>> = {
  id: (wanted, { id }) => id === wanted,
  key: (wanted, { key }) => key === wanted,
  model(wanted, { asked, answered }) {
    const names = [asked.model, answered?.target, answered?.model];
    return names.some((name) => name?.toLowerCase().includes(wanted.toLowerCase()) === true);
  },
  dialect: (wanted, { asked, answered }) => asked.dialect === wanted || answered?.dialect === wanted,
  status(wanted, { status, outcome }) {
    if (wanted === 'ok') return outcome === 'ok';
    if (wanted === 'failed') return outcome !== 'ok';
    if (wanted === 'none') return status === undefined;
    return wanted.endsWith('xx') ? Math.floor((status ?? 0) / 100) === Number(wanted[0]) : status === Number(wanted);
  },
  losses(wanted, { losses }) {
    const { counted = 0, minor = 0, list = [] } = losses ?? {};
    if (wanted === 'any') return counted + minor > 0 || list.length > 0;
    if (wanted === 'counted') return counted > 0;
    if (wanted === 'none') return list.length === 0;
    const stem = wanted.endsWith('*') ? wanted.slice(0, -1) : undefined;
    return list.some(({ feature }) => (stem === undefined ? feature === wanted : feature.startsWith(stem)));
  },
};
