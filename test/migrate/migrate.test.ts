import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { htmlOf, jsonOf, markdownOf, migrate, type Report, streamSource, tableOf } from '../../src/migrate/index.js';
import { createReasons } from '../../src/migrate/plain/reasons.js';
import { serviceRefusal } from '../../src/simulator/index.js';
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

/** `interlingua migrate` as a function (migration.md). */

const plain = ASK.messages('m').body;
const MESSAGES = plain.messages as object[];
const lossy = ASK.messages('m', { top_k: 40 }).body;
const broken = { model: 'm', max_tokens: 5, messages: 'none' };

test('what cannot go is named without what it says, unless values are asked for', async () => {
  const secret = 'a secret of the caller';
  const text = lines(broken, { ...plain, metadata: { user_id: secret }, stop_sequences: [secret] });
  const report = await read(text);
  expect(report).toMatchObject({ exchanges: 2, lossy: 1, refused: 1 });
  // Of a model, what cannot go is apart from what has losses.
  expect(report.models).toMatchObject([{ model: 'm', exchanges: 2, lossy: 1, refused: 1 }]);
  const first = { file: 'traffic.jsonl', line: 1, path: '/messages', reason: expect.any(String) };
  expect(report.refusals).toEqual([{ by: 'translation', exchanges: 1, ...first }]);
  const all = (one: Report): string => JSON.stringify(one) + markdownOf(one) + htmlOf(one) + tableOf(one);
  expect(all(report)).not.toContain(secret);
  const shown = await read(text, { showValues: true });
  expect(shown.features.find(({ feature }) => feature === 'stop')?.first.value).toContain(secret);
  expect(all(shown)).toContain(secret);
});

const many = (count: number, one: unknown): unknown[] => Array.from({ length: count }, () => one);

/** Forms of a report for people. */
const FORMS = { table: tableOf, markdown: markdownOf, html: htmlOf };

test('recorded names command no terminal, break no line, and turn no direction of writing', async () => {
  const evil = '\u001b]0;owned\u0007\r\u009b2J\u007f\u202e\u2028';
  const message = { role: `odd${evil}`, content: 'x' };
  const text = lines(
    { ...plain, model: `m${evil}`, [`key${evil}`]: 1, stop_sequences: [evil] },
    { ...plain, messages: [message] },
    { ...broken, model: `m${evil}` },
    `no JSON ${evil}`,
  );
  const report = await read([source(text, `traffic${evil}.jsonl`)], {
    to: 'generateContent',
    showValues: true,
    targetOf: () => ({ model: `t${evil}`, profileName: `p${evil}`, host: `h${evil}`, checks: false }),
  });
  expect(report.features.map(({ feature }) => feature)).toContain(`ext.key${evil}`);
  for (const form of Object.values({ ...FORMS, json: jsonOf })) {
    expect(form(report)).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u);
    expect(form(report)).toMatch(/\\u001b/);
  }
  expect(JSON.parse(jsonOf(report))).toEqual(JSON.parse(JSON.stringify(report)));
});

describe('what cannot go', () => {
  test('is one line for each reason, with its count and its first place', async () => {
    const elsewhere = { ...plain, messages: [...many(3, MESSAGES[0]), { role: 'odd', content: 'x' }] };
    const deeper = { ...plain, messages: [MESSAGES[0], { role: 'odd', content: 'x' }] };
    const report = await read(lines(plain, ...many(150, broken), elsewhere, deeper), { showValues: true });
    expect(report.refusals).toMatchObject([
      { by: 'translation', exchanges: 150, line: 2, path: '/messages' },
      { by: 'translation', exchanges: 2, line: 152 },
    ]);
    // The service that they were recorded at refuses them too, which stands apart.
    for (const form of Object.values(FORMS))
      expect(form(report).match(/150 exchanges, first traffic/g)).toHaveLength(2);
  });

  test('is never cut in silence', async () => {
    const reasons = createReasons();
    for (let index = 0; index < 130; index += 1)
      reasons.add({ file: 'f', line: index + 1 }, { by: 'service', path: '', reason: 'x'.repeat(index + 1) });
    const { rows: refusals, beyond: refusalsBeyond } = reasons.rows();
    expect([refusals.length, refusalsBeyond]).toEqual([100, 30]);
    const report = { ...(await read(lines(plain))), refusals, refusalsBeyond };
    expect(tableOf(report)).toContain('cannot go  120 more exchanges for further reasons\n');
    for (const form of [markdownOf, htmlOf]) expect(form(report)).toContain('30 more exchanges for further reasons');
    const unread = await read(lines(...many(120, 'no JSON')));
    for (const form of [markdownOf, htmlOf]) expect(form(unread)).toContain('the first 100 of 120');
  });
});

describe('what the services refuse', () => {
  const call = {
    role: 'assistant',
    tool_calls: [{ id: 'the-call', type: 'function', function: { name: 'f', arguments: '{}' } }],
  };

  test('that the requests would go to: is never clean, and is said without what the body says', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const format = { type: 'json_schema', json_schema: { name: 'secret', schema, strict: false } };
    const open = { model: 'm', messages: MESSAGES, response_format: format };
    const options = { from: 'chatCompletions', to: 'messages' } as const;
    const report = await read(lines(open, open), options);
    expect(report).toMatchObject({ clean: 0, lossy: 0, refused: 2 });
    expect(report.refusals).toMatchObject([{ by: 'service', exchanges: 2, line: 1 }]);
    expect(report.refusals[0]?.reason).toContain('output_config.format.schema');
    for (const form of Object.values(FORMS)) expect(form(report)).toContain('refused by the service: ');
    // A model of the vendor has the schema closed, a host with other rules is not held to them.
    for (const target of [
      { model: 'claude-opus-4-8', checks: true },
      { host: 'house.example', checks: false },
    ]) {
      expect(await read(lines(open), { ...options, targetOf: () => target })).toMatchObject({ refused: 0 });
    }
  });

  test('that they were recorded at: stands apart, unless the service has taken it', async () => {
    const stray = { model: 'm', messages: MESSAGES, stop: ['a', 'b', 'c', 'd', 'e'] };
    const taken = { request: stray, response: WHOLE.chatCompletions('Yes.') };
    const failed = { request: stray, response: { error: { message: 'no' } }, status: 400 };
    const report = await read(lines(stray, taken, failed), { from: 'chatCompletions', to: 'messages' });
    expect(report.refused).toBe(0);
    expect(report.atHome).toMatchObject({ exchanges: 2, refusals: [{ by: 'service', exchanges: 2, line: 1 }] });
    for (const form of Object.values(FORMS))
      expect(form(report)).toMatch(/itself refuses {2}2 exchanges|refuses itself/);
  });

  test('is said without the ids of the body', async () => {
    const open = { model: 'm', messages: [...MESSAGES, call] };
    const report = await read(lines(open), { from: 'chatCompletions', to: 'messages' });
    expect(report.atHome.refusals[0]?.reason).toContain('did not have response messages: …');
    expect(JSON.stringify(report)).not.toContain('the-call');
  });
});

describe('the target', () => {
  test('decides what is lost, and every form of the report names it', async () => {
    const warm = { ...plain, model: 'claude-haiku-4-5', temperature: 0.3 };
    const other = { ...warm, model: 'claude-opus-4-5' };
    const targetOf = (model: string) =>
      model === 'claude-haiku-4-5'
        ? { model: 'gpt-5', checks: true }
        : { model: 'house', profile: 'gpt-4o', profileName: 'gpt-4o', host: 'house.example', checks: false };
    expect(await read(lines(warm, other))).toMatchObject({ clean: 2 });
    const report = await read(lines(warm, other), { targetOf });
    expect(report).toMatchObject({ clean: 1, lossy: 1 });
    expect(report.models).toMatchObject([
      { model: 'claude-haiku-4-5', lossy: 1, target: { model: 'gpt-5', profile: '', host: '', checked: true } },
      { model: 'claude-opus-4-5', lossy: 0, target: { model: 'house', host: 'house.example', checked: false } },
    ]);
    for (const form of Object.values(FORMS)) {
      const text = form(report);
      expect(text).toContain('gpt-5');
      expect(text).toContain('house with the abilities of gpt-4o at house.example');
      expect(text).toContain('house.example refuses beyond the translation is not known');
    }
  });

  test('of a request that had its model in a URL that was not recorded is a model that nobody knows', async () => {
    const { body } = ASK.generateContent('');
    const report = await read(lines(body), { from: 'generateContent', to: 'messages' });
    expect(report).toMatchObject({ refused: 0, models: [{ model: '' }] });
    expect(tableOf(report)).toContain('models of the recorded names');
  });
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
          const model = from === 'generateContent' ? { model: 'unnamed' } : {};
          const { losses, ...sent } = translateRequest({ from, to, body, ...model });
          if (serviceRefusal(to, sent) !== undefined) outcomes.refused += 1;
          else outcomes[refusedLosses(losses).length === 0 ? 'clean' : 'lossy'] += 1;
          for (const name of new Set(losses.map(({ feature, kind }) => `${feature} ${kind}`)))
            counts.set(name, (counts.get(name) ?? 0) + 1);
          let passes = true;
          try {
            translateRequest({ from, to, body, ...model, strict: true });
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
  const many = streamSource('many', undefined, () => Readable.from(pieces()));
  // 3 MB altogether.
  const most = 75;
  const cost = await costOf(() => migrate({ sources: [many], from: 'messages', to: 'responses' }), most);
  expect(cost).toBeLessThan(most);
});
