import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import type { Target } from '../../page/translate/targets/target.js';
import type { Told } from '../../page/translate/traffic/messages.js';
import { createReports } from '../../page/translate/traffic/reports.js';
import { atHost } from '../../src/cli/target.js';
import { migrate, type Report, streamSource } from '../../src/migrate/index.js';
import { targetAt } from '../../src/migrate/plain/index.js';
import { ASK, WHOLE } from '../support/gateway/harness.js';

/** The report that the page makes of a file is that of `interlingua migrate`: the same reader, the same counting (Decision 0041). */

const TARGETS: readonly Target[] = [
  { dialect: 'responses', model: '', host: '' },
  { dialect: 'generateContent', model: 'gemini-2.5-flash', host: '' },
  { dialect: 'chatCompletions', model: 'qwen3-32b', host: 'groq' },
];

const plain = ASK.messages('claude-opus-4-5').body;
const lossy = ASK.messages('claude-sonnet-4-5', { top_k: 40 }).body;
const lines = (...values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');

const entry = (body: object) => ({
  request: { method: 'POST', url: 'https://a.example/v1/messages', postData: { text: JSON.stringify(body) } },
  response: {
    status: 200,
    content: { mimeType: 'application/json', encoding: 'base64', text: btoa(JSON.stringify(WHOLE.messages('Yes.'))) },
  },
});

const MANY = lines(
  ...Array.from({ length: 120 }, (_, index) => ({ request: index % 3 === 0 ? lossy : plain, status: 200 })),
  'no JSON',
);
const HAR = JSON.stringify({ log: { version: '1.2', entries: [entry(plain), { request: {} }, entry(lossy)] } });
const BATCH = lines({ custom_id: 'a', params: plain }, { custom_id: 'b', params: lossy });

const FILES: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['lines.jsonl', Buffer.from(MANY)],
  ['all.har', Buffer.from(HAR)],
  ['batch.jsonl', Buffer.from(BATCH)],
  ['packed.jsonl.gz', gzipSync(MANY)],
  ['two-members.gz', Buffer.concat([gzipSync(BATCH), gzipSync(BATCH)])],
  ['cut-off.har', Buffer.from(HAR.slice(0, -3))],
  ['empty.jsonl', Buffer.alloc(0)],
  ['<img src=x onerror=alert(1)>.jsonl', Buffer.from(BATCH)],
];

/** What the page tells of a file. */
async function told(name: string, bytes: Uint8Array, signal = new AbortController().signal): Promise<readonly Told[]> {
  const all: Told[] = [];
  await createReports(new File([Uint8Array.from(bytes)], name), TARGETS, signal, (one) => all.push(one));
  return all;
}

const reportsIn = (all: readonly Told[]): readonly (readonly Report[])[] =>
  all.flatMap((one) => (one.type === 'reports' ? [one.reports] : []));

describe('the numbers of the page are those of the command', () => {
  test.each(FILES)('%s', async (name, bytes) => {
    const expected: (readonly Report[])[] = [];
    for (const { dialect, model, host } of TARGETS) {
      const source = streamSource(name, bytes.length, () => Readable.from([Buffer.from(bytes)]));
      const named = { ...(model !== '' && { model }), ...(host !== '' && { host }) };
      const target = targetAt(atHost(dialect, host === '' ? undefined : host, undefined), named);
      expected.push(await migrate({ sources: [source], from: undefined, to: dialect, targetOf: () => target }));
    }
    const all = await told(name, bytes);
    expect(reportsIn(all)).toEqual(expected);
    expect(all.at(-1)).toEqual({ type: 'done' });
    if (name === 'lines.jsonl') expect(expected[0]?.[0]).toMatchObject({ exchanges: 120, lossy: 40, unreadable: 1 });
    if (name === 'all.har') expect(expected[0]?.[0]).toMatchObject({ exchanges: 2, lossy: 1, answers: 2 });
    if (name === 'two-members.gz') expect(expected[0]?.[0]).toMatchObject({ exchanges: 4 });
    if (name === 'cut-off.har') expect(expected[0]?.[0]?.unread.at(-1)?.reason).toMatch(/too early/);
  });
});

test('a packed file that ends too early is reported as far as it can be read', async () => {
  const [reports] = reportsIn(await told('cut-off.gz', gzipSync(MANY).subarray(0, -20)));
  expect(reports?.[0]?.exchanges).toBeGreaterThan(0);
  expect(reports?.[0]?.unread.at(-1)?.reason).toBe('the file cannot be read on');
});

test('a file is read once, for however many targets', async () => {
  const all: Told[] = [];
  const file = new File([MANY], 'lines.jsonl');
  const read = jest.spyOn(file, 'stream');
  await createReports(file, TARGETS, new AbortController().signal, (one) => all.push(one));
  expect(read).toHaveBeenCalledTimes(1);
  expect(reportsIn(all)).toHaveLength(TARGETS.length);
});

test('a stop gives what was read until then, marked as a part', async () => {
  const stopped = new AbortController();
  stopped.abort();
  const all = await told('lines.jsonl', Buffer.from(MANY), stopped.signal);
  expect(reportsIn(all)).toHaveLength(TARGETS.length);
  expect(
    reportsIn(all)
      .flat()
      .every(({ partial, exchanges }) => partial && exchanges < 120),
  ).toBe(true);
});

test('a host that is none is said', async () => {
  const target: Target = { dialect: 'messages', model: 'm', host: 'nowhere' };
  const none = new AbortController().signal;
  await expect(createReports(new File([BATCH], 'b'), [target], none, () => {})).rejects.toThrow(
    'nowhere is neither a known host nor an address',
  );
});
