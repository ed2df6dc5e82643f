import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Part } from '../../translators/canonical/content.js';
import type { Turn } from '../../translators/canonical/request.js';
import {
  type DialectId,
  decodeRequest,
  decodeResponse,
  dialectIds,
  encodeRequest,
  encodeResponse,
  TranslationError,
} from '../../translators/index.js';
import { loadCases, parseJson } from '../support/cases.js';
import { isCreate, recordedExchanges } from '../support/corpus.js';
import { tableOf } from '../support/dialects/index.js';
import { neutral } from '../support/neutral.js';
import { TRIED } from '../support/pairs.js';
import { enough, runs, share } from '../support/runs.js';
import { scenariosOf } from '../support/scenarios.js';
import { has } from './dialects/index.js';
import { requests } from './honesty/requests.js';
import { send } from './honesty/round-trip.js';
import { DOMAINS, type Target } from './honesty/targets.js';

/*
 * What a dialect decodes and encodes again (translation.md 0.5, Decision 0006): the same JSON while nobody touches it, a body
 * that means the same after the model was copied, and the same neighbours after one node was changed.
 */

const FOLDERS = tableOf('folder');

const NEWEST = tableOf('newestModel');

/** Where generated requests are addressed. */
const homeOf = (dialect: DialectId): Target => ({ dialect, model: NEWEST[dialect], host: 'dev' });

interface Given {
  readonly name: string;
  readonly body: unknown;
}

function golden(dialect: DialectId, kind: 'requests' | 'answers'): Given[] {
  const folder = join(import.meta.dirname, '..', 'golden', FOLDERS[dialect], kind);
  return readdirSync(folder)
    .filter((file) => !file.endsWith('.canonical.json'))
    .map((file) => ({ name: file, body: JSON.parse(readFileSync(join(folder, file), 'utf8')) }));
}

const SCENARIOS = loadCases(join(import.meta.dirname, '..', 'cases')).flatMap((file) =>
  scenariosOf(file).map((scenario) => ({ file, scenario })),
);

function requestsOf(dialect: DialectId): Given[] {
  const cases = SCENARIOS.flatMap(({ file, scenario }) =>
    scenario.kind === 'request' && scenario.client === dialect && scenario.after === undefined
      ? [{ name: file.name, body: parseJson(file, scenario.given) }]
      : [],
  );
  const recorded = recordedExchanges(dialect)
    .filter((one) => isCreate(one) && one.status === 200 && one.request !== undefined)
    .map(({ name, request }) => ({ name, body: request }));
  // A call in pieces is put together of several nodes, and encoded whole: test/generate-content reads such bodies.
  return share([...golden(dialect, 'requests'), ...cases, ...recorded]).filter(
    ({ body }) => !/"(?:partialArgs|willContinue)"/.test(JSON.stringify(body)),
  );
}

function answersOf(dialect: DialectId): Given[] {
  const cases = SCENARIOS.flatMap(({ file, scenario }) =>
    scenario.kind === 'response' && scenario.backend === dialect
      ? [{ name: file.name, body: parseJson(file, scenario.given) }]
      : [],
  );
  const recorded = recordedExchanges(dialect)
    .filter((one) => isCreate(one) && one.status === 200 && one.response !== undefined && one.stream === undefined)
    .map(({ name, response }) => ({ name, body: response }));
  // Several choices in one answer are one to the model, and encoded as one: test/chat-completions reads such bodies.
  return share([...golden(dialect, 'answers'), ...cases, ...recorded]).filter(
    ({ body }) => !(Number(Reflect.get(Object(Object(body).choices), 'length')) > 1),
  );
}

/** The decoded body; undefined for one that is refused. */
function decoded<T>(decode: () => { readonly value: T }): T | undefined {
  try {
    return decode().value;
  } catch (thrown) {
    if (thrown instanceof TranslationError) return undefined;
    throw thrown;
  }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The turns of a body, as they are on the wire. */
const TURNS = tableOf('turnsKey');

describe.each(TRIED)('%s', (dialect) => {
  const model = (body: unknown): string | undefined =>
    has(dialect, 'modelInPath') ? 'm' : Reflect.get(Object(body), 'model') === undefined ? 'm' : undefined;
  const requestOf = (body: unknown) => decoded(() => decodeRequest(dialect, body, { model: model(body) }));
  const answerOf = (body: unknown) => decoded(() => decodeResponse(dialect, body));

  test('a request whose model was copied gives a body that means the same', () => {
    let read = 0;
    const given = requestsOf(dialect);
    for (const { name, body } of given) {
      const request = requestOf(body);
      if (request === undefined) continue;
      read += 1;
      const again = asJson(encodeRequest(dialect, structuredClone(request)).value);
      expect({ name, body: neutral(dialect, again) }).toEqual({
        name,
        body: neutral(dialect, asJson(withModel(body))),
      });
    }
    expect(read).toBeGreaterThan(enough(given));
  });

  test('generated: so does a request that another dialect wrote', () => {
    const source = dialectIds.find((id) => id !== dialect) ?? dialect;
    fc.assert(
      fc.property(requests(source, DOMAINS), (x) => {
        const sent = decoded(() => send(x, homeOf(dialect)));
        const body = sent === undefined ? undefined : asJson(sent);
        const request = body === undefined ? undefined : requestOf(body);
        if (request === undefined) return;
        const again = asJson(encodeRequest(dialect, structuredClone(request)).value);
        expect(neutral(dialect, again)).toEqual(neutral(dialect, withModel(body)));
      }),
      { numRuns: runs(60) },
    );
  });

  test('an answer whose model was copied gives a body that means the same', () => {
    let read = 0;
    const given = answersOf(dialect);
    for (const { name, body } of given) {
      const answer = answerOf(body);
      if (answer === undefined) continue;
      read += 1;
      const again = asJson(encodeResponse(dialect, structuredClone(answer)).value);
      expect({ name, body: neutral(dialect, again) }).toEqual({ name, body: neutral(dialect, asJson(body)) });
    }
    expect(read).toBeGreaterThan(enough(given));
  });

  test('a request with one setting changed keeps its turns and tools as they came', () => {
    for (const { name, body } of requestsOf(dialect)) {
      const request = requestOf(body);
      if (request === undefined) continue;
      const changed = encodeRequest(dialect, { ...request, sampling: { ...request.sampling, topP: 0.4321 } }).value;
      expect(JSON.stringify(changed)).toContain('0.4321');
      for (const key of [TURNS[dialect], 'tools']) {
        const given = Reflect.get(Object(body), key);
        if (Array.isArray(given) && given.length > 0)
          expect({ name, [key]: changed[key] }).toEqual({ name, [key]: given });
      }
    }
  });

  test('a request with one text changed keeps everything around it', () => {
    let changes = 0;
    const all = requestsOf(dialect);
    for (const { name, body } of all) {
      const request = requestOf(body);
      const given: unknown = Reflect.get(Object(body), TURNS[dialect]);
      if (request === undefined || !Array.isArray(given)) continue;
      request.turns.forEach((turn, index) => {
        const place = turn.parts.findIndex(({ kind }) => kind === 'text');
        if (place < 0) return;
        changes += 1;
        const parts = turn.parts.map((part, at) => (at === place ? { ...part, text: '\u{1f527}' } : part)) as Part[];
        const turns = request.turns.map((one, at) => (at === index ? ({ ...turn, parts } as Turn) : one));
        const value = encodeRequest(dialect, { ...request, turns }).value;
        const list = value[TURNS[dialect]];
        const differing = Array.isArray(list) ? list.filter((node, at) => !same(node, given[at])) : [list];
        expect({ name, differing: differing.length }).toEqual({ name, differing: 1 });
      });
    }
    expect(changes).toBeGreaterThan(enough(all));
  });

  /** The model that the context adds where the body has none. */
  function withModel(body: unknown): unknown {
    return has(dialect, 'modelInPath') || model(body) === undefined ? body : { ...Object(body), model: 'm' };
  }
});

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
