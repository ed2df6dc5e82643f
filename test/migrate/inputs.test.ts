import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { ASK, WHOLE } from '../support/gateway/harness.js';
import { lines, read, source } from './stage.js';

/** What `interlingua migrate` reads (migration.md). */

const plain = ASK.messages('m').body;
const lossy = ASK.messages('m', { top_k: 40 }).body;

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
      expect(report.models).toMatchObject([{ model: 'gemini-x', exchanges: 2, lossy: 0 }]);
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
