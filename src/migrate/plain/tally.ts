import { adviceFor } from '../../../translators/advice.js';
import { type DialectId, type Feature, isCounted, type Loss, type LossKind } from '../../../translators/index.js';
import type { Examined, Refusal } from './examine.js';
import type { Exchange } from './exchange.js';
import { createReasons, withoutValues } from './reasons.js';
import type { Direction, FeatureRow, JudgedAs, LossAt, ModelRow, Place, Report } from './report.js';
import { AS_RECORDED, type Target } from './target.js';
import { valueAt } from './values.js';

/** Counts what becomes of exchanges on the way from one dialect to another. What it keeps does not grow with their number. */
export interface Tally {
  /** `target` is what the exchange was examined for. */
  add(place: Place, exchange: Exchange, examined: Examined, target: Target): void;
  /** `unread` = what was read next to it and is no exchange. */
  report(unread: Pick<Report, 'partial' | 'unreadable' | 'unread'>): Report;
}

/** The most bad exchanges, and the most losses of one of these, that are named one by one. */
const WORST = 20;
const LOSSES = 1000;

/** The most features that only one dialect knows, and the most models, that are distinguished. */
const KEYS = 1000;
const MODELS = 1000;

/** The names under which those beyond are counted. */
const OTHER_KEYS = 'ext.*';
const OTHER_MODELS = '(others)';

interface Counted {
  readonly feature: Feature;
  readonly kind: LossKind;
  readonly way: Direction;
  requests: number;
  readonly first: FeatureRow['first'];
  strict: boolean;
}

interface Bad extends Place {
  readonly weight: readonly [counted: number, all: number];
  readonly losses: readonly LossAt[];
}

/** An empty tally. With `showValues` the report holds values of bodies. */
export function createTally({
  from,
  to,
  showValues,
}: {
  readonly from: DialectId;
  readonly to: DialectId;
  readonly showValues: boolean;
}): Tally {
  const outcomes = { clean: 0, lossy: 0, refused: 0 };
  let answers = 0;
  const features = new Map<string, Counted>();
  const models = new Map<string, { readonly target: JudgedAs; exchanges: number; lossy: number; refused: number }>();
  let worst: readonly Bad[] = [];
  const refusals = createReasons();
  const atHome = createReasons();
  const shownReason = ({ by, path, reason, body }: Refusal) => ({
    by,
    path,
    reason: showValues ? reason : withoutValues(reason, body),
  });
  let strange = 0;

  const keyOf = ({ feature, kind }: Loss, way: Direction): { readonly key: string; readonly feature: Feature } => {
    const key = `${way} ${kind} ${feature}`;
    const room = features.has(key) || !feature.startsWith('ext.') || features.size < KEYS;
    return room ? { key, feature } : { key: `${way} ${kind} ${OTHER_KEYS}`, feature: OTHER_KEYS };
  };
  const count = (losses: readonly Loss[], way: Direction, place: Place, body: unknown): void => {
    const seen = new Set<string>();
    for (const loss of losses) {
      const { key, feature } = keyOf(loss, way);
      const known = features.get(key);
      if (known === undefined) {
        const value = showValues ? valueAt(body, loss.path) : undefined;
        const first = { ...place, path: loss.path, ...(value !== undefined && { value }) };
        features.set(key, { feature, kind: loss.kind, way, requests: 1, first, strict: isCounted(loss) });
      } else {
        if (!seen.has(key)) known.requests += 1;
        known.strict ||= isCounted(loss);
      }
      seen.add(key);
    }
  };
  const shown = (losses: readonly Loss[], way: Direction, body: unknown): LossAt[] =>
    losses.map(({ path, feature, kind, detail }) => {
      const value = showValues ? valueAt(body, path) : undefined;
      return { way, path, feature, kind, detail, ...(value !== undefined && { value }) };
    });
  const judge = (place: Place, { there, home = [] }: Examined, { request, response }: Exchange): void => {
    const all = there.length + home.length;
    if (all === 0) return;
    const counted = there.filter(isCounted).length + home.filter(isCounted).length;
    const weight = [counted, all] as const;
    const least = worst.at(-1);
    if (worst.length === WORST && least !== undefined && !isWorse(weight, least.weight)) return;
    const losses = [...shown(there, 'there', request), ...shown(home, 'home', response)].slice(0, LOSSES);
    const behind = worst.findIndex((one) => isWorse(weight, one.weight));
    const at = behind === -1 ? worst.length : behind;
    worst = [...worst.slice(0, at), { ...place, weight, losses }, ...worst.slice(at)].slice(0, WORST);
  };

  return {
    add(place, exchange, examined, target) {
      const { outcome, model, there, home, refusal, atHome: own } = examined;
      outcomes[outcome] += 1;
      const name = models.has(model) || models.size < MODELS ? model : OTHER_MODELS;
      const row = models.get(name) ?? {
        target: judgedAs(name === model ? target : AS_RECORDED),
        exchanges: 0,
        lossy: 0,
        refused: 0,
      };
      models.set(name, row);
      row.exchanges += 1;
      if (outcome !== 'clean') row[outcome] += 1;
      count(there, 'there', place, exchange.request);
      if (home !== undefined) {
        answers += 1;
        count(home, 'home', place, exchange.response);
      }
      judge(place, examined, exchange);
      if (refusal !== undefined) refusals.add(place, shownReason(refusal));
      if (own === undefined) return;
      strange += 1;
      atHome.add(place, shownReason(own));
    },
    report({ partial, unreadable, unread }) {
      const [refused, own] = [refusals.rows(), atHome.rows()];
      const exchanges = outcomes.clean + outcomes.lossy + outcomes.refused;
      return {
        version: 1,
        from,
        to,
        partial,
        exchanges,
        ...outcomes,
        unreadable,
        answers,
        features: rowsOf(features.values(), exchanges, answers),
        models: modelsOf(models),
        worst: worst.map(({ file, line, losses }) => ({ file, line, losses })),
        unread,
        refusals: refused.rows,
        refusalsBeyond: refused.beyond,
        atHome: { exchanges: strange, refusals: own.rows, refusalsBeyond: own.beyond },
      };
    },
  };
}

function isWorse([counted, all]: Bad['weight'], [lessCounted, less]: Bad['weight']): boolean {
  return counted > lessCounted || (counted === lessCounted && all > less);
}

function judgedAs({ model = '', profileName: profile = '', host = '', checks: checked }: Target): JudgedAs {
  return { model, profile, host, checked };
}

function rowsOf(counted: Iterable<Counted>, exchanges: number, answers: number): FeatureRow[] {
  return [...counted]
    .map(({ feature, kind, way, requests, first, strict }) => ({
      feature,
      kind,
      way,
      requests,
      share: Math.round((requests / (way === 'there' ? exchanges : answers)) * 10_000) / 10_000,
      first,
      strict,
      advice: adviceFor({ feature, kind }),
    }))
    .sort(
      (a, b) =>
        b.requests - a.requests || compare(b.way, a.way) || compare(a.feature, b.feature) || compare(a.kind, b.kind),
    );
}

function modelsOf(models: ReadonlyMap<string, Omit<ModelRow, 'model'>>): ModelRow[] {
  return [...models]
    .map(([model, row]) => ({ model, ...row }))
    .sort((a, b) => b.exchanges - a.exchanges || compare(a.model, b.model));
}

/** By code units: the same everywhere. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
