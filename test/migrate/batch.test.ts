import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type BatchJob, createBatchTranslator, type TranslatedLine } from '../../src/migrate/index.js';
import { createRecentIds } from '../../src/migrate/recent-ids.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';

/** Batch files between all vendors (cli.md). */

type Line = Record<string, unknown>;

const FILES: Record<'requests' | 'results', Record<string, Line[]>> = parse(
  readFileSync(new URL('batch.yaml', import.meta.url), 'utf8'),
);

const NAMES: Readonly<Record<FakeDialectName, string>> = {
  messages: 'anthropic',
  responses: 'responses',
  generateContent: 'gemini',
  chatCompletions: 'chatCompletions',
};

const PAIRS = FAKE_DIALECTS.flatMap((from) => FAKE_DIALECTS.map((to) => [from, to] as const));

function translate(lines: readonly unknown[], job: Partial<BatchJob> & Pick<BatchJob, 'to'>): TranslatedLine[] {
  const neutral = {
    model: 'm',
    profile: undefined,
    checks: false,
    cloud: false,
    strict: false,
    allow: [],
    from: undefined,
  };
  const take = createBatchTranslator({ ...neutral, ...job });
  return lines.map((line, index) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    return take({ file: 'f', line: index + 1, text });
  });
}

const idOf = (line: unknown): unknown => {
  const { custom_id, key } = line as Line;
  return custom_id ?? key;
};

/** What was asked, wherever the vendor has it. */
const WORDS: Readonly<Record<FakeDialectName, (line: Line) => string>> = {
  messages: ({ params }) => JSON.stringify((params as Line).messages),
  responses: ({ body }) => JSON.stringify((body as Line).input),
  generateContent: ({ request }) => JSON.stringify((request as Line).contents),
  chatCompletions: ({ body }) => JSON.stringify((body as Line).messages),
};

/** What stands at a path in a line. */
function at(line: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, step) => (value as Line | null)?.[step], line);
}

/** What became of a request, wherever the vendor says it. */
const ENDS: Readonly<Record<FakeDialectName, (line: Line) => unknown>> = {
  messages(line) {
    const type = at(line, 'result.type');
    if (type === 'succeeded') return at(line, 'result.message.content.0.text');
    return type === 'errored'
      ? ['type', 'error.type', 'error.message'].map((path) => at(line, `result.error.${path}`))
      : type;
  },
  responses: (line) => openAiEnd(line, 'output.0.content.0.text'),
  chatCompletions: (line) => openAiEnd(line, 'choices.0.message.content'),
  generateContent(line) {
    const code = at(line, 'error.code');
    if (code === undefined) return at(line, 'response.candidates.0.content.parts.0.text');
    return code === 3 ? [code, at(line, 'error.message')] : code;
  },
};

function openAiEnd(line: Line, text: string): unknown {
  if (line.response === null) return at(line, 'error.code');
  expect(line.error).toBeNull();
  expect(at(line, 'response.request_id')).toMatch(/^req_\d+$/);
  const status = at(line, 'response.status_code');
  return status === 200 ? at(line, `response.body.${text}`) : [status, at(line, 'response.body.error.message')];
}

const ENDED: Readonly<Record<FakeDialectName, unknown[]>> = {
  messages: ['Hello!', ['error', 'invalid_request_error', 'The request is not valid.'], 'canceled', 'expired'],
  responses: ['Hello!', [400, 'The request is not valid.'], 'batch_cancelled', 'batch_expired'],
  chatCompletions: ['Hello!', [400, 'The request is not valid.'], 'batch_cancelled', 'batch_expired'],
  generateContent: ['Hello!', [3, 'The request is not valid.'], 1, 4],
};

describe('a batch file', () => {
  test.each(PAIRS)('of %s becomes one of %s', (from, to) => {
    const lines = FILES.requests[NAMES[from]] ?? [];
    const done = translate(lines, { to });
    expect(done.map(({ problem }) => problem)).toEqual([undefined, undefined]);
    expect(done.map(({ id }) => id)).toEqual(lines.map(idOf));
    expect(done.map(({ output }) => idOf(output))).toEqual(lines.map(idOf));
    const asked = ['Hello, world', 'Hello world!', 'photosynthesis'];
    const [first = {}, second = {}] = done.map(({ output }) => output as Line);
    expect(asked.some((words) => WORDS[to](first).includes(words))).toBe(true);
    expect(WORDS[to](second)).toMatch(/Hi again, friend|Margherita/);
  });

  test.each(PAIRS)('of results of %s becomes one of %s', (from, to) => {
    const done = translate(FILES.results[NAMES[from]] ?? [], { to });
    expect(done.map(({ output }) => idOf(output))).toEqual(['answered', 'refused', 'canceled', 'expired']);
    expect(done.map(({ output }) => ENDS[to](output as Line))).toEqual(ENDED[to]);
    expect(new Set(done.map(({ kind }) => kind))).toEqual(new Set(['result']));
  });

  test('names the model of each request, as far as it has a place for it', () => {
    const [line] = FILES.requests.anthropic ?? [];
    const [gemini] = translate([line], { to: 'generateContent', model: undefined });
    expect(gemini?.output).toMatchObject({ request: { model: 'models/m' } });
    const [back] = translate([gemini?.output], { to: 'messages', model: undefined });
    expect(back?.output).toMatchObject({ custom_id: 'my-first-request', params: { model: 'm' } });
    const [other] = translate([line], { to: 'responses', model: 'gpt-5' });
    expect(other?.output).toMatchObject({ url: '/v1/responses', method: 'POST', body: { model: 'gpt-5' } });
  });

  test('goes on behind lines that cannot go, and says which', () => {
    const [good] = FILES.requests.chatCompletions ?? [];
    const [result] = FILES.results.chatCompletions ?? [];
    const { key, ...rest } = { key: 'a b', request: { contents: [{ parts: [{ text: 'Hi' }] }] } };
    const lines = [
      '{',
      { custom_id: 'x' },
      good,
      result,
      { custom_id: 'e', method: 'POST', url: '/v1/embeddings', body: {} },
    ];
    const done = translate(
      [...lines, { key, ...rest }, { ...good, custom_id: 'c d' }, { ...good, custom_id: 'last' }],
      {
        to: 'messages',
      },
    );
    expect(done.map(({ problem, output }) => (output === undefined ? problem : 'goes'))).toEqual([
      'it is no line of a batch file of Anthropic, OpenAI or Gemini',
      'it is no line of a batch file of Anthropic, OpenAI or Gemini',
      'goes',
      'it is a result, and the file began with a request',
      'nothing translates calls of /v1/embeddings',
      'Anthropic takes ids of 1 to 64 letters, digits, `_` and `-` only',
      'Anthropic takes ids of 1 to 64 letters, digits, `_` and `-` only',
      'goes',
    ]);
    const [unnamed] = translate([{ key: 'k', ...rest }], { to: 'messages', model: undefined });
    expect(unnamed).toMatchObject({ id: 'k', output: undefined, problem: expect.stringContaining('--model') });
  });

  test('takes an id once, as the vendors do, and says where it was', () => {
    const [good, other] = FILES.requests.chatCompletions ?? [];
    const again = { ...other, custom_id: good?.custom_id };
    const done = translate([good, again, other, again], { to: 'messages' });
    expect(done.map(({ problem }) => problem)).toEqual([
      undefined,
      'line 1 has the same id: results are found by it',
      undefined,
      'line 1 has the same id: results are found by it',
    ]);
    expect(done.map(({ output }) => idOf(output ?? {}))).toEqual(['request-1', undefined, 'request-2', undefined]);
    // Those of several batches are read in one file.
    const [result] = FILES.results.chatCompletions ?? [];
    expect(translate([result, result], { to: 'messages' }).map(({ problem }) => problem)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('knows ids again in bounded memory', () => {
    const ids = createRecentIds(2000);
    const count = 10_000;
    for (let line = 1; line <= count; line += 1) {
      expect(ids.lineOf(`request-${line}`, line)).toBeUndefined();
      // Those of the last lines are known, whatever was forgotten.
      const before = Math.max(1, line - 1999);
      expect(ids.lineOf(`request-${before}`, count + 1)).toBe(before);
    }
    expect(ids.lineOf('request-1', count + 1)).toBeUndefined();
  });

  test('takes no wish for a stream, and no other dialect than the one that is named', () => {
    const [good] = FILES.requests.chatCompletions ?? [];
    const streamed = { ...good, custom_id: 'streamed', body: { ...(good?.body as Line), stream: true } };
    const done = translate([streamed, good], { to: 'messages', from: 'chatCompletions' });
    expect(done.map(({ problem }) => problem)).toEqual([
      'a batch is not answered in streams: leave out stream',
      undefined,
    ]);
    const [other] = translate([good], { to: 'messages', from: 'responses' });
    expect(other?.problem).toBe('it speaks chatCompletions, not responses');
  });

  test('reports the losses of each line, and strict refuses those alone', () => {
    const [good] = FILES.requests.anthropic ?? [];
    const lossy = { custom_id: 'l', params: { ...(good?.params as Line), top_k: 5 } };
    const [first, second] = translate([lossy, good], { to: 'responses' });
    expect(first?.losses.map(({ feature }) => feature)).toEqual(['sampling.topK']);
    expect(second?.losses).toEqual([]);
    const [refused, passed] = translate([lossy, good], { to: 'responses', strict: true });
    expect(refused).toMatchObject({ output: undefined, refused: true, id: 'l' });
    expect(passed?.output).toBeDefined();
    const [allowed] = translate([lossy], { to: 'responses', strict: true, allow: ['sampling.topK'] });
    expect(allowed?.output).toBeDefined();
  });

  test('says what the service would refuse', () => {
    const json_schema = { name: 'n', schema: { type: 'object', properties: {} } };
    const [, good] = FILES.requests.chatCompletions ?? [];
    const body = { ...(good?.body as Line), response_format: { type: 'json_schema', json_schema } };
    const [told] = translate([{ ...good, body }], { to: 'messages', checks: true });
    expect(told?.problem).toMatch(/^the service of messages refuses this: output_config/);
    expect(told?.output).toBeDefined();
    const [strict] = translate([{ ...good, body }], { to: 'messages', checks: true, strict: true });
    expect(strict).toMatchObject({ output: undefined, refused: true });
  });
});
