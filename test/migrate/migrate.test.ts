import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { htmlOf, markdownOf, migrate, type Report, type Source, tableOf } from '../../src/migrate/index.js';
import { adviceFor } from '../../translators/advice.js';
import {
  type DialectId,
  dialectIds,
  FEATURES,
  type Feature,
  refusedLosses,
  TranslationError,
  translateRequest,
} from '../../translators/index.js';
import { corpusPresent, isCreate, recordedExchanges } from '../support/corpus.js';
import { costOf } from '../support/cost.js';
import { ASK, WHOLE } from '../support/gateway/harness.js';
import { lines, read, source } from './stage.js';

/** `interlingua migrate` as a function (contract.md 6). */

const plain = ASK.messages('m').body;
const lossy = ASK.messages('m', { top_k: 40 }).body;
const broken = { model: 'm', max_tokens: 5, messages: 'none' };

test('what cannot go is named without what it says, unless values are asked for', async () => {
  const secret = 'a secret of the caller';
  const text = lines(broken, { ...plain, metadata: { user_id: secret }, stop_sequences: [secret] });
  const report = await read(text);
  expect(report).toMatchObject({ exchanges: 2, lossy: 1, refused: 1 });
  expect(report.refusals).toEqual([{ file: 'traffic.jsonl', line: 1, path: '/messages', reason: expect.any(String) }]);
  const all = (one: Report): string => JSON.stringify(one) + markdownOf(one) + htmlOf(one) + tableOf(one);
  expect(all(report)).not.toContain(secret);
  const shown = await read(text, { showValues: true });
  expect(shown.features.find(({ feature }) => feature === 'stop')?.first.value).toContain(secret);
  expect(all(shown)).toContain(secret);
});

test('answers, streams and errors are held against the way home', async () => {
  const answer = WHOLE.messages('Yes.');
  const cited = {
    ...answer,
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'text', text: 'Yes.' },
    ],
  };
  const failed = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } };
  const report = await read(
    lines(
      { request: plain, response: answer },
      { request: plain, response: cited },
      { request: plain, response: failed, status: 529 },
      { request: plain, response: 'not an answer' },
      { request: plain },
    ),
    { to: 'chatCompletions' },
  );
  expect(report).toMatchObject({ exchanges: 5, answers: 3 });
  const home = report.features.filter(({ way }) => way === 'home');
  expect(home.map(({ feature }) => feature)).toContain('reasoning.state');
  for (const { requests, share } of home) expect(share).toBeCloseTo(requests / 3, 3);
});

describe('the reports', () => {
  test('are the same bytes for the same input, hold any name, and no script', async () => {
    const odd = '<script>|`*\u0007';
    const text = lines(lossy, { ...plain, [odd]: 1, model: odd }, broken, '{');
    const [one, two] = [await read(text), await read(text)];
    expect([JSON.stringify(two), htmlOf(two), markdownOf(two)]).toEqual([
      JSON.stringify(one),
      htmlOf(one),
      markdownOf(one),
    ]);
    const html = htmlOf(one);
    expect(html).not.toMatch(/<script|https?:|url\(|@import/);
    expect(html).toContain('&#60;script&#62;');
    expect(html).toContain('<details>');
    expect(html).toContain('prefers-color-scheme');
    expect(html).toContain('@media print');
    expect(markdownOf(one)).toContain('| Feature | Kind |');
    expect(tableOf(one)).toContain('sampling.topK');
  });

  test('worst exchanges come worst first', async () => {
    const worse = { ...lossy, stop_sequences: ['a'] };
    const report = await read(lines(plain, lossy, worse));
    expect(report.worst.map(({ line }) => line)).toEqual([3, 2]);
    expect(report.worst[0]?.losses.length).toBeGreaterThan(1);
  });

  test('every feature has its advice', () => {
    const unsaid = Object.keys(FEATURES).filter(
      (feature) => !/^[A-Z].*\.$/.test(adviceFor({ feature: feature as Feature, kind: 'dropped' })),
    );
    expect(unsaid).toEqual([]);
    expect(adviceFor({ feature: 'ext.some_key', kind: 'dropped' })).toContain('key');
  });
});

test('every direction at once: each request goes from its own dialect to all others', async () => {
  const text = lines(...dialectIds.map((id) => ASK[id]('m').body));
  const reports = await migrate({ sources: [source(text)], from: undefined, to: undefined });
  const pairs = dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => `${from} ${to} 1`));
  expect(reports.map(({ from, to, exchanges }) => `${from} ${to} ${exchanges}`).sort()).toEqual(pairs.sort());
});

test('interrupted it reports what was read, as a part', async () => {
  const controller = new AbortController();
  let seen = 0;
  const [report] = await migrate({
    sources: [source(lines(...Array.from({ length: 500 }, () => plain)))],
    from: 'messages',
    to: 'responses',
    signal: controller.signal,
    progress({ entries }) {
      seen = entries;
      if (entries === 100) controller.abort();
    },
  });
  expect(report).toMatchObject({ partial: true, exchanges: 100 });
  expect(seen).toBe(100);
});

describe('counts', () => {
  /** Every fourth of the recorded requests: all of them take as long as many other files together. */
  const recorded = (from: DialectId): unknown[] =>
    recordedExchanges(from)
      .filter((one) => isCreate(one) && one.request !== undefined)
      .flatMap(({ request }, index) => (index % 4 === 0 ? [request] : []));

  test.each(dialectIds.flatMap((from) => dialectIds.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'of %s to %s equal a plain loop over translateRequest',
    async (from, to) => {
      const bodies = corpusPresent ? recorded(from) : [ASK[from]('m').body];
      const counts = new Map<string, number>();
      const outcomes = { clean: 0, lossy: 0, refused: 0 };
      for (const body of bodies) {
        try {
          const { losses } = translateRequest({ from, to, body });
          outcomes[refusedLosses(losses).length === 0 ? 'clean' : 'lossy'] += 1;
          for (const name of new Set(losses.map(({ feature, kind }) => `${feature} ${kind}`)))
            counts.set(name, (counts.get(name) ?? 0) + 1);
          let passes = true;
          try {
            translateRequest({ from, to, body, strict: true });
          } catch {
            passes = false;
          }
          expect(passes).toBe(refusedLosses(losses).length === 0);
        } catch (thrown) {
          if (!(thrown instanceof TranslationError)) throw thrown;
          outcomes.refused += 1;
          for (const name of new Set(thrown.losses.map(({ feature, kind }) => `${feature} ${kind}`)))
            counts.set(name, (counts.get(name) ?? 0) + 1);
        }
      }
      const report = await read(lines(...bodies), { from, to });
      expect(report).toMatchObject({ ...outcomes, exchanges: bodies.length, unreadable: 0 });
      const found = report.features.map(({ feature, kind, requests }) => [`${feature} ${kind}`, requests] as const);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(counts));
    },
  );
});

test('to read, translate and count an exchange costs no more than to read it some thirty times', async () => {
  const words = 'The quick brown fox jumps over the lazy dog. '.repeat(22);
  const said = (index: number) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: words });
  const line = lines({ ...lossy, messages: Array.from({ length: 11 }, (_, index) => said(index)) });
  expect(line.length).toBeGreaterThan(10_000);
  const pieces = function* (): Generator<Buffer> {
    for (let count = 0; count < 300; count += 1) yield Buffer.from(line);
  };
  const many: Source = { name: 'many', size: undefined, open: () => Readable.from(pieces()) };
  // 3 MB altogether.
  const most = 75;
  const cost = await costOf(() => migrate({ sources: [many], from: 'messages', to: 'responses' }), most);
  expect(cost).toBeLessThan(most);
});
