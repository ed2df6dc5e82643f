import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type Bindings,
  differences,
  fillIn,
  loadCases,
  lossDifferences,
  parseCase,
  parseFrames,
  parseJson,
  parseLosses,
  printJson,
  replaceBlocks,
} from './support/cases.js';
import { scenariosOf } from './support/scenarios.js';

const files = loadCases(join(import.meta.dirname, 'cases'));

describe('every case file', () => {
  test.each(files.map((file) => [file.name, file] as const))('%s can be read and expects something', (_name, file) => {
    const scenarios = scenariosOf(file);
    expect(scenarios.flatMap((scenario) => scenario.expectations as unknown[]).length).toBeGreaterThan(0);
    for (const block of file.blocks) {
      if (block.lang === 'json') parseJson(file, block);
      if (block.lang === 'sse')
        for (const { data } of parseFrames(block.text))
          if (data !== '[DONE]' && data !== '') expect(data).toBeInstanceOf(Object);
      if (block.lang === 'losses')
        for (const loss of parseLosses(block)) expect(loss.kinds.join('')).toMatch(/^[a-z]+$/);
    }
  });
});

describe('placeholders', () => {
  test('a text stands for one value in all places, and two texts for two', () => {
    const bindings: Bindings = new Map();
    expect(differences(['<fc 1>', '<fc 1>'], ['fc_a', 'fc_a'], bindings)).toEqual([]);
    expect(differences('<fc 1>', 'fc_b', bindings)).toHaveLength(1);
    expect(differences('<fc 2>', 'fc_a', bindings)).toHaveLength(1);
    expect(differences('<rs 1>', 'fc_c', bindings)).toHaveLength(1);
    expect(differences('<carrier 1>', 'ilingua1x', bindings)).toEqual([]);
    expect(fillIn({ a: ['<carrier 1>'] }, bindings)).toEqual({ a: ['ilingua1x'] });
    expect(() => fillIn('<carrier 2>', bindings)).toThrow('carrier 2');
  });

  test('an object allows further keys only where it says so', () => {
    expect(differences({ a: 1 }, { a: 1, b: 2 }, new Map())).toEqual(['/b: not expected: 2']);
    expect(differences({ a: 1, '...': true }, { a: 1, b: 2 }, new Map())).toEqual([]);
    expect(differences({ a: '<any>' }, {}, new Map())).toHaveLength(1);
    expect(differences([1], [1, 2], new Map())).toHaveLength(1);
    expect(differences([1, 2], [1], new Map())).toHaveLength(1);
  });
});

test('losses are compared without their order and detail', () => {
  const file = parseCase(
    'x',
    'x',
    '# t\n```losses backend=messages\n/a  stop  dropped  why\n/b*  tool.name  moved|dropped\n/c  user  dropped?\n```\n',
  );
  const expected = parseLosses(file.blocks[0] as (typeof file.blocks)[number]);
  const stop = { path: '/a', feature: 'stop', kind: 'dropped', detail: 'other words' };
  const name = { path: '/b/0', feature: 'tool.name', kind: 'moved', detail: '' };
  expect(lossDifferences(expected, [name, stop])).toEqual([]);
  expect(lossDifferences(expected, [stop])).toEqual(['missing loss: /b*  tool.name  moved|dropped']);
  expect(lossDifferences(expected, [stop, stop, name])).toHaveLength(1);
});

test('an accept run replaces the blocks it was given and nothing else', () => {
  const source = '# t\n```json client=messages request\n{}\n```\nwords\n```losses backend=responses\n```\n';
  const file = parseCase('x', 'x', source);
  const [body, losses] = file.blocks as [(typeof file.blocks)[number], (typeof file.blocks)[number]];
  const replaced = replaceBlocks(
    source,
    new Map([
      [body, printJson({ a: [1] })],
      [losses, '/a  stop  dropped  x'],
    ]),
  );
  expect(replaced).toBe(
    '# t\n```json client=messages request\n{"a": [1]}\n```\nwords\n```losses backend=responses\n/a  stop  dropped  x\n```\n',
  );
});
