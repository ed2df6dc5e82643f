import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { detect } from '../../page/translate/detect.js';
import { framesOf } from '../../page/translate/frames.js';
import { reindent } from '../../page/translate/reindent.js';
import { fromFragment, toFragment, withoutKeys } from '../../page/translate/share.js';
import { rangeOf, spansOf } from '../../page/translate/spans.js';
import type { Target } from '../../page/translate/targets/target.js';
import { createFollower, pathAt } from '../../page/translate/work/follow.js';
import { labelOf } from '../../page/translate/work/places.js';
import { traceLosses } from '../../page/translate/work/trace.js';
import { give, type Source, translateTo, textOf as translationOf } from '../../page/translate/work/translate.js';
import { jsonFault } from '../../src/ground/plain/index.js';
import { type DialectId, dialectIds, dialects, translateRequest } from '../../translators/index.js';
import { type Example, examples, root, textOf } from './examples.js';

const KB = 1024;

const ASKED = { model: 'gpt-5', max_tokens: 4000, messages: [{ role: 'user', content: 'Hello' }] };

test('what a browser loads first is below 120 kB, compressed, and the whole page below 500 kB', () => {
  const folder = join(root, 'dist/page');
  const size = (name: string): number => gzipSync(readFileSync(join(folder, name))).length;
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + size(name), 0);
  const names = readdirSync(folder);
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = new Set([
    'index.html',
    ...names.filter((name) => html.includes(`="./${name}"`) && !/^(?:traffic-)?worker/.test(name)),
  ]);
  // What a file imports at once is loaded with it.
  for (const name of first) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, part = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) first.add(part);
  }
  expect(first.size).toBeGreaterThanOrEqual(4);
  expect(sum([...first])).toBeLessThanOrEqual(120 * KB);
  expect(sum(names)).toBeLessThanOrEqual(500 * KB);
});

describe('what a text shows of itself', () => {
  test.each(examples.map((one): [string, Example] => [`${one.dialect}, ${one.kind}: ${one.name}`, one]))(
    '%s',
    (_name, example) => {
      const { kind, dialect } = detect(textOf(example));
      expect(kind).toBe(example.kind);
      // Two dialects share the form of their errors.
      if (example.kind !== 'error') expect(dialect).toBe(example.dialect);
    },
  );

  test.each(dialectIds)('there are ten examples of %s, of every kind', (id) => {
    const own = examples.filter(({ dialect }) => dialect === id);
    expect(own.length).toBeGreaterThanOrEqual(10);
    expect([...new Set(own.map(({ kind }) => kind))].sort()).toEqual(['error', 'request', 'response', 'stream']);
  });

  test.each([
    ['', {}],
    ['{', {}],
    ['17', {}],
    ['[1, 2]', {}],
    ['hello', {}],
    ['[{"candidates": []}]', { kind: 'stream', dialect: 'generateContent' }],
    ['{"messages": [{"role": "tool", "content": ""}]}', { kind: 'request', dialect: 'chatCompletions' }],
    [': ping\n\ndata: {"type": "response.created"}\n\n', { kind: 'stream', dialect: 'responses' }],
  ])('%s', (text, expected) => {
    expect(detect(text)).toMatchObject(expected);
  });
});

describe('a text that is no JSON', () => {
  test.each([
    ['{"a": 1,}', 1, 9, 'a name in "'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'a comma or }'],
    ['{"a": [1, 2', 1, 12, 'a comma or ]'],
    ['{"a": tru\n}', 1, 7, 'a value: ", {, [, a number, true, false or null'],
    ['{"a" 1}', 1, 6, 'a colon'],
    ['{"a": "b\n"}', 1, 7, 'a string that ends'],
    ['{} {}', 1, 4, 'the end'],
  ])('%j tells where, and what was expected', (text, line, column, expected) => {
    expect(jsonFault(text)).toMatchObject({ line, column, expected });
  });

  test('of JSON there is nothing to tell', () => {
    expect(jsonFault(' {"a": [1, "\\u00e9", null]} ')).toBeUndefined();
  });
});

describe('a request is judged', () => {
  const judged = (target: Target, body: unknown, rest: Partial<Source> = {}) => {
    const source = {
      dialect: 'messages',
      kind: 'request',
      strict: false,
      allow: [],
      betas: [],
      status: 400,
      now: 0,
    } as const;
    const translation = translateTo(give({ ...source, text: JSON.stringify(body), ...rest }, body), target);
    const features = translation.losses.map(({ feature }) => feature);
    return { ...translation.verdict, features, text: translationOf(translation) };
  };
  const at = (dialect: DialectId, model = '', host = ''): Target => ({ dialect, model, host });
  const ask = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };

  test('for the model that is named for the target', () => {
    const warm = { ...ask, temperature: 0.5 };
    expect(judged(at('responses'), warm).features).toEqual([]);
    const { features, text, state } = judged(at('responses', 'gpt-5'), warm);
    expect([features.includes('sampling.temperature'), state]).toEqual([true, 'lossy']);
    expect(JSON.parse(text)).toMatchObject({ model: 'gpt-5' });
  });

  test('for the model that its URL names', () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
    const { text } = judged(at('responses'), body, { dialect: 'generateContent', model: 'gemini-2.5-flash' });
    expect(JSON.parse(text)).toMatchObject({ model: 'gemini-2.5-flash' });
  });

  test('at its host, which may be none', () => {
    expect(judged(at('chatCompletions', 'm', 'groq'), ask).state).not.toBe('refused');
    expect(judged(at('chatCompletions', 'm', 'nowhere'), ask).refusal?.by).toBe('target');
    expect(judged(at('messages', 'm', 'groq'), ask).refusal?.message).toContain('groq');
  });

  test('by strict, less what it lets go', () => {
    const body = { ...ask, stop_sequences: ['END'] };
    const strict = judged(at('responses', 'gpt-5'), body, { strict: true });
    expect([strict.state, strict.refusal?.by]).toEqual(['refused', 'strict']);
    expect(strict.features).toContain('stop');
    expect(judged(at('responses', 'gpt-5'), body, { strict: true, allow: ['stop'] }).state).toBe('lossy');
  });

  test('by what the service of the target refuses', () => {
    expect(judged(at('responses'), ask).refusal).toBeUndefined();
    // The service wants additionalProperties, and only of its own models it is known that they are given.
    const schema = { type: 'object', properties: {} };
    const format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    const open = { model: 'm', messages: ask.messages, response_format: format };
    const towards = (model: string) => judged(at('messages', model), open, { dialect: 'chatCompletions' }).refusal;
    expect(towards('')?.by).toBe('service');
    expect(towards('')?.message).toContain('output_config.format.schema');
    expect(towards('claude-opus-4-8')).toBeUndefined();
  });

  test.each(dialectIds)('for the newest model of %s, which is a model that is known', (id) => {
    expect(dialects[id].takenForNewest(dialects[id].mainline)).toBe(false);
  });
});

describe('a value is followed', () => {
  const body = { ...ASKED, max_tokens: 4000, stop_sequences: ['END'] };
  const translate = (source: unknown): unknown =>
    translateRequest({ from: 'messages', to: 'responses', body: source, model: 'gpt-5' }).body;
  const target = translate(body);
  const { follow } = createFollower(body, target, translate);

  test('to what is there because of it', () => {
    expect(follow('source', '/max_tokens').places).toEqual(['/max_output_tokens']);
    expect(follow('source', '/messages/0/content')).toMatchObject({ nowhere: false });
    expect(follow('source', '/model').places).toEqual(['/model']);
  });

  test('and back', () => {
    expect(follow('target', '/max_output_tokens').places).toEqual(['/max_tokens']);
    expect(follow('target', '/model').places).toEqual(['/model']);
  });

  test('to nowhere where nothing is', () => {
    expect(follow('source', '/stop_sequences')).toEqual({ places: [], nowhere: true });
    expect(follow('source', '/stop_sequences/0')).toEqual({ places: [], nowhere: true });
  });

  test('from the innermost value at an offset', () => {
    const spans = spansOf('{"a": [1, {"b": 2}], "c": 3}');
    expect([7, 12, 22, 0].map((offset) => pathAt(spans, offset))).toEqual(['/a/0', '/a/1/b', '/c', undefined]);
  });
});

test('a text in lines has every number and name as it is written', () => {
  const text = '{"a":1e400,"a":[],"b":{},"c":["\\u00e9",{"d":12345678901234567890}]}';
  const lines = reindent(text);
  expect(lines.replace(/\s/g, '')).toBe(text);
  expect(lines).toContain('\n  "c": [\n    "\\u00e9",\n    {\n      "d": 12345678901234567890\n    }\n  ]\n}\n');
});

test('a place is said as people write it', () => {
  expect(['', '/system/0/cache_control', '/a~1b/c', '/$url/model', '/$headers/x'].map(labelOf)).toEqual([
    'whole body',
    'system[0].cache_control',
    '["a/b"].c',
    'model in the URL',
    'header x',
  ]);
});

describe('places in a text', () => {
  const text = '{"a~/b": [1, {"c": "x\\"]}"}], "d": {}, "a~/b": [true]}';

  test('are found by pointer; of keys that come again the last counts', () => {
    const spans = spansOf(text);
    const cut = (path: string): string | undefined => {
      const span = spans.get(path);
      return span && text.slice(span.start, span.end);
    };
    expect(cut('')).toBe(text);
    expect(cut('/d')).toBe('"d": {}');
    expect(cut('/a~0~1b')).toBe('"a~/b": [true]');
    expect(cut('/a~0~1b/0')).toBe('true');
    expect(spansOf('[1, {"c": "x\\"]}"}]').get('/1/c')).toMatchObject({ start: 5, end: 17 });
  });

  test('that are not there are marked where what would hold them begins', () => {
    const spans = spansOf(text);
    const range = rangeOf(spans, '/d/e/f');
    expect(text.slice(range.start, range.end)).toBe('"d": {');
    expect(rangeOf(spans, '/$url/model')).toEqual({ start: 0, end: 1 });
  });

  test('deep and long texts take no stack and no square of time', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(spansOf(`{"a": "${'x'.repeat(3_000_000)}\\n"}`).size).toBe(2);
    expect(() => spansOf(deep.slice(0, 2_000) + deep.slice(-2_000))).not.toThrow();
  });
});

describe('the place of a loss on the other side', () => {
  const trace = (body: unknown, feature: string) => {
    const translate = (source: unknown): unknown =>
      translateRequest({ from: 'messages', to: 'responses', body: source }).body;
    const { body: target, losses } = translateRequest({ from: 'messages', to: 'responses', body });
    const found = traceLosses(body, target, losses, translate, () => true);
    const { places, around } = found.find(({ loss }) => loss.feature === feature) ?? {};
    return { places, around };
  };

  test('is what it became', () => {
    expect(trace({ ...ASKED, thinking: { type: 'enabled', budget_tokens: 2048 } }, 'reasoning.budget')).toEqual({
      places: ['/reasoning'],
      around: false,
    });
  });

  test('of a dropped one is what would hold it', () => {
    expect(trace({ ...ASKED, top_k: 5 }, 'sampling.topK')).toEqual({ places: [''], around: true });
    const tools = [
      { name: 'note', description: 'Writes a note', input_schema: { type: 'object' } },
      { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.com'], max_uses: 3 },
    ];
    const { places, around } = trace({ ...ASKED, tools }, 'tool.hosted.settings');
    expect(places).toEqual(['/tools/1']);
    expect(around).toBe(true);
  });
});

test('the frames of a stream follow each other without a gap', () => {
  for (const example of examples.filter(({ kind }) => kind === 'stream')) {
    const text = textOf(example);
    const frames = framesOf(text);
    expect(frames.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
  }
  const list = '[{"candidates": []}\n, {"candidates": []}]\n';
  expect(framesOf(list).map(({ start, end }) => list.slice(start, end))).toEqual([
    '[{"candidates": []}',
    '\n, {"candidates": []}]\n',
  ]);
  expect(framesOf('[{"candidates"')).toHaveLength(1);
});

describe('links', () => {
  test.each([
    ['{"api_key": "abc"}', '{"api_key": "***"}'],
    ['{"Authorization": "Bearer abcdefghijk"}', '{"Authorization": "***"}'],
    ['{"x-api-key":"a\\"b"}', '{"x-api-key":"***"}'],
    ['use sk-ant-api03-abcdefghijklmnop', 'use ***'],
    ['AIzaSyA1234567890abcdefghijk', '***'],
    ['Bearer abc.def-ghi_jkl', '***'],
    ['{"max_tokens": 100, "prompt_cache_key": "trip-7"}', '{"max_tokens": 100, "prompt_cache_key": "trip-7"}'],
    [
      '{"type": "token", "task": "risk-assessment-of-harbours"}',
      '{"type": "token", "task": "risk-assessment-of-harbours"}',
    ],
  ])('%s', (text, expected) => {
    expect(withoutKeys(text)).toBe(expected);
  });

  test('no example has anything that looks like a key', () => {
    for (const example of examples) expect(withoutKeys(textOf(example))).toBe(textOf(example));
  });

  test('bring back what they were made of, and refuse what is none of ours', async () => {
    const state = {
      text: 'é {"a": 1}',
      status: 429,
      strict: true,
      dialect: 'messages',
      kind: 'error',
      event: 3,
      model: 'gemini-2.5-flash',
      targets: [{ dialect: 'responses', model: 'gpt-5', host: 'openai' }],
      selected: 0,
      allow: ['stop', 'cache.*'],
    } as const;
    expect(await fromFragment(await toFragment(state), dialectIds)).toEqual(state);
    for (const other of ['', 'x', '1.', '1.!!', '1.AAAA'])
      expect(await fromFragment(other, dialectIds)).toBeUndefined();
  });

  test.each([
    ['https://someone:a-password@llm.example/v1?key=another-secret', 'https://***@llm.example/v1?key=***'],
    ['someone:a-password@llm.example/v1', '***@llm.example/v1'],
    ['https://someone:a-p@ssword@llm.example', 'https://***@llm.example'],
    ['a-p@ssword@llm.example:8080/v1/@user', '***@llm.example:8080/v1/@user'],
    ['https:someone:a-password@llm.example', '***@llm.example'],
    [' HTTPS:\\\\someone:a-password@llm.example', ' HTTPS:\\\\***@llm.example'],
    ['llm.example/v1/@user', 'llm.example/v1/@user'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('name no credentials of a target at %s', async (host, bare) => {
    const model = 'sk-abcdefghijklmnopqrstuvwx';
    const state = { text: '{}', status: 400, strict: false, selected: 0, allow: [], model };
    const link = await toFragment({ ...state, targets: [{ dialect: 'responses', model, host }] });
    const { model: asked, targets } = (await fromFragment(link, dialectIds)) ?? {};
    expect(asked).toBe('***');
    expect(targets).toEqual([{ dialect: 'responses', model: '***', host: bare }]);
  });

  test('unfold to so much and no more', async () => {
    const linkOf = (bytes: number) =>
      toFragment({ text: 'a'.repeat(bytes), status: 400, strict: false, selected: 0, allow: [] });
    expect((await fromFragment(await linkOf(2 ** 20), dialectIds))?.text).toHaveLength(2 ** 20);
    expect(await fromFragment(await linkOf(17 * 2 ** 20), dialectIds)).toBeUndefined();
  });
});
