import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
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
import { ASK, WHOLE } from '../support/gateway/harness.js';

/** `interlingua migrate` as a function (contract.md 6). */

const validate = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync(new URL('../../src/migrate/report.schema.json', import.meta.url), 'utf8')),
);

/** A file in memory that comes in pieces of so many bytes. */
function source(content: string | Uint8Array, name = 'traffic.jsonl', piece = 1000): Source {
  const bytes = Buffer.from(content);
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  return { name, size: bytes.length, open: () => Readable.from(pieces()) };
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');
}

/** The only report of a reading, which is a valid one. */
async function read(
  content: string | Uint8Array | readonly Source[],
  { from = 'messages', to = 'responses', ...more }: { from?: DialectId; to?: DialectId; showValues?: boolean } = {},
): Promise<Report> {
  const sources = typeof content === 'string' || content instanceof Uint8Array ? [source(content)] : content;
  const [report, ...others] = await migrate({ sources, from, to, ...more });
  if (report === undefined) throw new Error('no report');
  expect(others).toEqual([]);
  expect([validate(JSON.parse(JSON.stringify(report))), validate.errors]).toEqual([true, null]);
  expect(report.exchanges).toBe(report.clean + report.lossy + report.refused);
  return report;
}

const plain = ASK.messages('m').body;
const lossy = ASK.messages('m', { top_k: 40 }).body;
const broken = { model: 'm', max_tokens: 5, messages: 'none' };

describe('what is read', () => {
  test.each<[string, string]>([
    ['bare bodies', lines(plain, lossy)],
    ['the last line without an end', lines(plain, lossy).trimEnd()],
    ['a byte order mark, empty lines and CRLF', `\uFEFF${lines(plain, '', lossy).replaceAll('\n', '\r\n')}`],
    ['exchanges', lines({ request: plain, status: 200 }, { request: lossy, response: WHOLE.messages('Yes.') })],
    [
      'a batch',
      JSON.stringify({ requests: [plain, lossy].map((params, index) => ({ custom_id: `${index}`, params })) }),
    ],
    [
      'a batch over several lines',
      JSON.stringify(
        {
          requests: [
            { custom_id: 'a', params: plain },
            { custom_id: 'b', params: lossy },
          ],
        },
        null,
        2,
      ),
    ],
    ['lines of a batch', lines({ custom_id: 'a', params: plain }, { custom_id: 'b', params: lossy })],
    ['a list', JSON.stringify([plain, lossy], null, 2)],
  ])('%s', async (_name, text) => {
    for (const piece of [1, 7, 100_000]) {
      const report = await read([source(text, 'in', piece)]);
      expect(report).toMatchObject({ exchanges: 2, clean: 1, lossy: 1, refused: 0, unreadable: 0 });
      expect(report.features.find(({ way }) => way === 'there')).toMatchObject({
        feature: 'sampling.topK',
        kind: 'dropped',
        requests: 1,
        share: 0.5,
        strict: true,
        first: { file: 'in', path: '/top_k' },
      });
    }
    const packed = await read([source(gzipSync(text), 'in.gz', 5)]);
    expect(packed).toMatchObject({ exchanges: 2, clean: 1, lossy: 1 });
  });

  test('one body over several lines', async () => {
    expect(await read(JSON.stringify(lossy, null, 2))).toMatchObject({ exchanges: 1, lossy: 1, unreadable: 0 });
  });

  test('batches of the other vendors', async () => {
    const calls = lines(
      { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body: ASK.chatCompletions('m', { seed: 1 }).body },
      { custom_id: '2', method: 'POST', url: '/v1/embeddings', body: { model: 'e', input: 'x' } },
    );
    expect(await read(calls, { from: 'chatCompletions', to: 'messages' })).toMatchObject({ exchanges: 1, lossy: 1 });
    const keyed = lines({ key: '1', request: { ...ASK.generateContent('').body, generationConfig: { seed: 1 } } });
    expect(await read(keyed, { from: 'generateContent', to: 'messages' })).toMatchObject({ exchanges: 1, lossy: 1 });
  });

  test('HAR: calls of the dialect at any host, and no other traffic', async () => {
    const entry = (url: string, body: object, answer?: { mimeType: string; text: string; encoding?: string }) => ({
      request: { method: 'POST', url, postData: { mimeType: 'application/json', text: JSON.stringify(body) } },
      response: { status: 200, content: answer ?? {} },
    });
    const answer = JSON.stringify(WHOLE.generateContent('Yes.'));
    const { body } = ASK.generateContent('');
    const har = {
      log: {
        version: '1.2',
        creator: { name: 'entries', comment: 'a "log" of [entries]' },
        pages: [{ entries: [1, 2] }],
        entries: [
          { request: { method: 'GET', url: 'https://example.org/a.js' }, response: {} },
          entry('https://example.org/v1/messages', plain),
          entry('https://proxy.example.org/google/v1beta/models/gemini-x:generateContent?key=k', body, {
            mimeType: 'application/json',
            text: Buffer.from(answer).toString('base64'),
            encoding: 'base64',
          }),
          entry('https://example.org/v1beta/models/gemini-x:streamGenerateContent?alt=sse', body, {
            mimeType: 'text/event-stream',
            text: `data: ${answer}\n\n`,
          }),
          entry('https://example.org/v1beta/models/gemini-x:countTokens', body),
        ],
      },
    };
    for (const piece of [3, 100_000]) {
      const report = await read([source(JSON.stringify(har, null, 1), 'a.har', piece)], {
        from: 'generateContent',
        to: 'messages',
      });
      expect(report).toMatchObject({ exchanges: 2, answers: 2, unreadable: 0 });
      expect(report.models).toEqual([{ model: 'gemini-x', exchanges: 2, lossy: 0 }]);
      expect(report.features[0]?.first).toMatchObject({ file: 'a.har', line: 3 });
    }
  });

  test('a bad line is counted and named, and never a stop', async () => {
    const report = await read(lines(plain, '{"model":', '[1]', '"text"', '{"a":1,"b"', lossy));
    expect(report).toMatchObject({ exchanges: 2, unreadable: 4 });
    expect(report.unread.map(({ file, line }) => `${file}:${line}`)).toEqual(
      [2, 3, 4, 5].map((n) => `traffic.jsonl:${n}`),
    );
    const cut = await read(JSON.stringify([plain, plain]).slice(0, -20));
    expect(cut).toMatchObject({ exchanges: 1, unreadable: 2 });
    const packed = await read(gzipSync(lines(plain, plain)).subarray(0, -12));
    expect(packed.unread.at(-1)?.reason).toBe('the file cannot be read on');
    expect(await read('')).toMatchObject({ exchanges: 0, unreadable: 0, features: [] });
  });
});

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

test('reading and counting cost little next to the translation', async () => {
  const words = 'The quick brown fox jumps over the lazy dog. '.repeat(22);
  const said = (index: number) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: words });
  const body = { ...lossy, messages: Array.from({ length: 11 }, (_, index) => said(index)) };
  const line = lines(body);
  expect(line.length).toBeGreaterThan(10_000);
  const pieces = function* (): Generator<Buffer> {
    for (let count = 0; count < 300; count += 1) yield Buffer.from(line);
  };
  const many: Source = { name: 'many', size: undefined, open: () => Readable.from(pieces()) };
  /** Processor time, in microseconds: others may be at work on this machine. */
  const cost = async (work: () => unknown): Promise<number> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const loop = (): void => {
    for (let count = 0; count < 300; count += 1)
      translateRequest({ from: 'messages', to: 'responses', body: JSON.parse(line) });
  };
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const whole = await cost(() => migrate({ sources: [many], from: 'messages', to: 'responses' }));
    ratios.push(whole / (await cost(loop)));
  }
  expect(Math.min(...ratios)).toBeLessThan(3);
});
