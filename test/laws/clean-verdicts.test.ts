import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Examined, examine } from '../../src/migrate/plain/examine.js';
import { AS_RECORDED } from '../../src/migrate/plain/target.js';
import { createSimulator } from '../../src/simulator/index.js';
import { type DialectId, dialectIds, dialects, TranslationError, translateRequest } from '../../translators/index.js';
import { loadCases, parseJson } from '../support/cases.js';
import { tableOf } from '../support/dialects/index.js';
import { CROSS_PAIRS, runsOfPair } from '../support/pairs.js';
import { runs } from '../support/runs.js';
import { scenariosOf } from '../support/scenarios.js';
import { requests } from './honesty/requests.js';
import { send } from './honesty/round-trip.js';
import { DOMAINS } from './honesty/targets.js';

/** What `migrate` calls clean, the simulator of the target's service takes. */

const NEWEST = tableOf('newestModel');
const STRANGER = 'house-model';
/** The models that refuse most. */
const STRICTEST = tableOf('strictestModel');
const simulate = createSimulator({ seed: 'clean', now: () => 0 });

/** What the simulator says to the translation of a body; undefined = it takes it. */
function refusalBySimulator(from: DialectId, to: DialectId, body: unknown, model: string): string | undefined {
  const sent = translateRequest({ from, to, body, model });
  const path = dialects[to].endpoint('create', { model, stream: sent.stream });
  const betas = sent.betas.length > 0 && { 'anthropic-beta': sent.betas.join(',') };
  const headers = { 'anthropic-version': '2023-06-01', ...betas };
  const { status, body: answer } = simulate({ method: 'POST', path, headers, body: JSON.stringify(sent.body) });
  return status === 200 ? undefined : String(answer);
}

/** The outcome of a body; throws where it is clean and refused. */
function judge(from: DialectId, to: DialectId, body: unknown, model: string): Examined['outcome'] {
  const { outcome } = examine({ from, request: body }, to, { ...AS_RECORDED, model });
  const refused = outcome === 'refused' ? undefined : refusalBySimulator(from, to, body, model);
  expect({ body: refused && body, refused }).toEqual({ body: undefined, refused: undefined });
  return outcome;
}

/** One value of a body is another one: bodies that are slightly wrong are what a verdict has to be right about. */
function spoiled(body: unknown, at: number, value: unknown): unknown {
  const places: (readonly [holder: Record<string, unknown>, key: string])[] = [];
  const copy: unknown = JSON.parse(JSON.stringify(body));
  const open = [copy];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const key of Object.keys(node)) {
      const holder = node as Record<string, unknown>;
      places.push([holder, key]);
      open.push(holder[key]);
    }
  }
  const [holder, key] = places[at % places.length] ?? [];
  if (holder !== undefined && key !== undefined) holder[key] = value;
  return copy;
}

const ODD = fc.constantFrom<unknown>('', ' ', 'x'.repeat(80), -1, 0, 1.5, 1e9, null, [], {}, true, [{}]);

test.each(CROSS_PAIRS)(
  '%s to %s: generated requests, right and slightly wrong',
  (from, to) => {
    let passed = 0;
    const source = dialectIds.find((id) => id !== from) ?? from;
    const target = { dialect: from, model: NEWEST[from], host: 'dev' } as const;
    const values = fc.tuple(
      requests(source, DOMAINS),
      fc.boolean(),
      fc.nat(),
      ODD,
      fc.constantFrom(NEWEST[to], STRICTEST[to], STRANGER),
    );
    fc.assert(
      fc.property(values, ([x, spoil, at, odd, model]) => {
        let body: unknown;
        try {
          body = JSON.parse(JSON.stringify(send(x, target).value));
        } catch (thrown) {
          if (thrown instanceof TranslationError) return;
          throw thrown;
        }
        if (judge(from, to, spoil ? spoiled(body, at, odd) : body, model) !== 'refused') passed += 1;
      }),
      { numRuns: runsOfPair(1000) },
    );
    expect(passed).toBeGreaterThan(0);
  },
  Math.max(60_000, runs(120_000)),
);

const cases = loadCases(join(import.meta.dirname, '..', 'cases')).flatMap((file) =>
  scenariosOf(file).flatMap((scenario) =>
    scenario.kind === 'request' && scenario.after === undefined
      ? [{ dialect: scenario.client, body: parseJson(file, scenario.given) }]
      : [],
  ),
);

test.each(CROSS_PAIRS.filter(([from]) => cases.some(({ dialect }) => dialect === from)))(
  '%s to %s: the requests of the cases',
  (from, to) => {
    const own = cases.filter(({ dialect }) => dialect === from);
    const outcomes = [NEWEST[to], STRICTEST[to], STRANGER].flatMap((model) =>
      own.map(({ body }) => judge(from, to, body, model)),
    );
    expect(new Set(outcomes)).toEqual(new Set(['clean', 'lossy', 'refused']));
  },
);
