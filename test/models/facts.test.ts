import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createTargets } from '../../src/config/targets.js';
import { createModels, type ToldByBackend } from '../../src/models/facts.js';

const AT = { dialect: 'chatCompletions', baseUrl: 'http://127.0.0.1:9' } as const;

function modelsOf(config: ConfigInput, told: Record<string, Record<string, object>> = {}) {
  const parsed = parseConfig(config);
  const targets = createTargets(parsed);
  const byBackend: ToldByBackend = new Map(
    Object.entries(told).map(([backend, models]) => [backend, new Map(Object.entries(models))]),
  );
  const models = createModels(parsed, targets, () => byBackend);
  return {
    ...models,
    at: (name: string) => targets.resolve(name).map((target) => models.of(target)),
  };
}

const file = (value: unknown) => ({ value, source: 'file' });
const host = (value: unknown) => ({ value, source: 'host' });
const profile = (value: unknown) => ({ value, source: 'profile' });

describe('what is known of a model', () => {
  test('is what the nearest place of the file says, key by key', () => {
    const models = modelsOf({
      backends: {
        a: {
          ...AT,
          models: {
            '*': { contextWindow: 1000, maxOutput: 100, title: 'any', prices: { input: 1 } },
            'big-*': { contextWindow: 9000 },
            'big-one*': { contextWindow: 8000 },
            'big-one': { maxOutput: 700 },
          },
        },
      },
      models: { x: { backend: 'a', model: 'big-one', title: 'X', prices: { output: 2 } }, '*': { backend: 'a' } },
    });
    expect(models.at('x')).toEqual([
      { contextWindow: file(8000), maxOutput: file(700), title: file('X'), prices: file({ output: 2 }) },
    ]);
    expect(models.at('other')).toEqual([
      { contextWindow: file(1000), maxOutput: file(100), title: file('any'), prices: file({ input: 1 }) },
    ]);
  });

  test('is what the host told where the file says nothing, and what the profile of this very model says after both', () => {
    const models = modelsOf(
      {
        backends: { claude: { preset: 'anthropic' }, a: AT },
        models: {
          s: { backend: 'claude', model: 'claude-sonnet-4-5-20250929', contextWindow: 5 },
          '*': { backend: 'a' },
        },
      },
      {
        a: { m: { contextWindow: 7, maxOutput: 3, title: 'M' } },
        claude: { 'claude-sonnet-4-5-20250929': { contextWindow: 6 } },
      },
    );
    expect(models.at('s')).toEqual([{ contextWindow: file(5), maxOutput: profile(64_000) }]);
    expect(models.at('m')).toEqual([{ contextWindow: host(7), maxOutput: host(3), title: host('M') }]);
    expect(models.at('n')).toEqual([{}]);
  });

  test.each([
    ['anthropic', 'claude-haiku-4-5', 64_000],
    ['anthropic', 'claude-haiku-4-5@20251001', 64_000],
    ['anthropic', 'claude-haiku-4-5-turbo', undefined],
    ['anthropic', 'claude-next', undefined],
    ['openai', 'gpt-4o', 16_384],
    ['openai', 'gpt-4o-2024-08-06', 16_384],
    ['openai', 'gpt-4o-mini', undefined],
    ['openai', 'gpt-99', undefined],
    ['gemini', 'gemini-2.5-pro', 65_536],
    ['gemini', 'gemini-2.5-pro-preview', undefined],
  ] as const)('at %s of %s the profile knows an output of %p', (preset, model, output) => {
    const models = modelsOf({ backends: { a: { preset } } });
    expect(models.at(model)).toEqual([output === undefined ? {} : { maxOutput: profile(output) }]);
  });

  test('a cap among the flags of a profile is said by the file', () => {
    const models = modelsOf({
      backends: { a: { ...AT, profile: { maxOutput: 50 } } },
      models: { x: { backend: 'a', profile: 'gpt-4o' }, y: { backend: 'a' }, z: { backend: 'a', maxOutput: 40 } },
    });
    expect(['x', 'y', 'z'].map((name) => models.named(name).maxOutput)).toEqual([undefined, file(50), file(40)]);
  });

  test('a name with several targets has the smallest window and output, and none where one is unknown', () => {
    const models = modelsOf(
      {
        backends: { a: AT, b: { ...AT, domain: 'b' } },
        models: {
          both: [
            { backend: 'a', model: 'm', maxOutput: 20, weight: 1 },
            { backend: 'b', model: 'm', contextWindow: 400, maxOutput: 10, weight: 1, title: 'B' },
          ],
          half: [
            { backend: 'a', model: 'm' },
            { backend: 'b', model: 'unknown', maxOutput: 10 },
          ],
        },
      },
      { a: { m: { contextWindow: 300 } } },
    );
    expect(models.named('both')).toEqual({ contextWindow: host(300), maxOutput: file(10), title: file('B') });
    expect(models.named('half')).toEqual({});
    expect(models.named('nobody')).toEqual({});
  });
});

describe('a start is refused', () => {
  const of = (target: object, backend: object = {}): ConfigInput =>
    ({ backends: { a: { ...AT, ...backend } }, models: { x: { backend: 'a', ...target } } }) as ConfigInput;

  test.each([
    [{ contextWindow: 0 }, 'models.x.contextWindow: must be above 0'],
    [
      { contextWindow: 1.5 },
      'models.x.contextWindow: must be a whole number, not a number; write digits alone, without a unit',
    ],
    [
      { contextWindow: '200k' },
      'models.x.contextWindow: must be a number, not a string; write digits alone, without a unit',
    ],
    [{ contextWindow: 100, maxOutput: 101 }, 'models.x.maxOutput: cannot be above contextWindow, which is 100'],
    [{ prices: { input: -1 } }, 'models.x.prices.input: must be at least 0'],
    [
      { prices: { read: 1 } },
      'models.x.prices.read: unknown key; known: input, output, cacheRead, cacheWrite, cacheWrite1h, above\nmodels.x.prices: must name at least one of input, output, cacheRead, cacheWrite, cacheWrite1h',
    ],
    [{ prices: {} }, 'models.x.prices: must name at least one of input, output, cacheRead, cacheWrite, cacheWrite1h'],
    [
      { prices: { input: 1, above: [{ input: 2 }] } },
      'models.x.prices.above[0].tokens: is required; write digits alone, without a unit',
    ],
    [{ prices: { input: 1, above: [{ tokens: 5 }] } }, 'models.x.prices.above[0]: must change a price'],
    [
      {
        prices: {
          input: 1,
          above: [
            { tokens: 5, input: 2 },
            { tokens: 5, input: 3 },
          ],
        },
      },
      'models.x.prices.above[1].tokens: must be above the one before',
    ],
    [{ title: '' }, 'models.x.title: must be at least 1'],
    [{ title: 5 }, 'models.x.title: must be a string, not a number; put it in quotes'],
  ])('with %j', (target, line) => {
    expect(() => parseConfig(of(target))).toThrow(new Error(line));
  });

  test.each([
    [
      {},
      { models: { m: { contextWindow: 1, maxOutput: 2 } } },
      'backends.a.models.m.maxOutput: cannot be above contextWindow, which is 1',
    ],
    [{}, { models: { 'm*n': {} } }, 'backends.a.models["m*n"]: `*` is only allowed at the end of a pattern'],
    [
      { model: 'm', maxOutput: 20 },
      { models: { 'm*': { contextWindow: 10 } } },
      'models.x.maxOutput: cannot be above contextWindow, which is 10',
    ],
  ])('with %j at a backend with %j', (target, backend, line) => {
    expect(() => parseConfig(of(target, backend))).toThrow(new Error(line));
  });
});
