import { describe, expect, test } from '@jest/globals';
import { createLessons, type Lesson, type Lessons } from '../../src/backend/lessons.js';
import type { Effort } from '../../translators/index.js';

const field = (name: string, otherName?: string): Lesson => ({
  kind: 'field',
  field: { path: [name], feature: 'maxOutput', ...(otherName !== undefined && { otherName }) },
});
const cap = (tokens: number): Lesson => ({ kind: 'cap', tokens });
/** A model that takes these efforts alone. */
const thinking = (...levels: Effort[]): Lesson => ({
  kind: 'flags',
  flags: { thinking: { control: 'effort', canDisable: true, levels, defaultOn: true } },
});
const HOUR = 3_600_000;

/** Of a gateway with one caller. */
const alone = (lessons: Lessons) => ({
  of: (model: string) => lessons.of(model, undefined),
  note: (model: string, lesson: Lesson) => lessons.note(model, undefined, lesson),
  all: () => lessons.all(undefined),
});

describe('what refusals taught', () => {
  test('is known of the model that refused, for an hour', () => {
    let now = 0;
    const lessons = alone(createLessons(() => now));
    lessons.note('a', field('top_k'));
    now = HOUR / 2;
    lessons.note('a', cap(10));
    now = HOUR - 1;
    expect(lessons.of('a')).toEqual([field('top_k'), cap(10)]);
    expect(lessons.of('b')).toEqual([]);
    now = HOUR;
    expect(lessons.of('a')).toEqual([cap(10)]);
    now = 2 * HOUR;
    expect([lessons.of('a'), lessons.all()]).toEqual([[], []]);
  });

  test('is replaced by what is taught later about the same thing, which is the last word', () => {
    const lessons = alone(createLessons(() => 0));
    lessons.note('a', cap(10));
    lessons.note('a', field('max_tokens', 'max_completion_tokens'));
    lessons.note('a', cap(20));
    expect(lessons.all()).toEqual([['a', [field('max_tokens', 'max_completion_tokens'), cap(20)]]]);
  });

  test('has one word on thinking, whatever flags of it a refusal was about', () => {
    const lessons = alone(createLessons(() => 0));
    lessons.note('a', thinking('low', 'medium'));
    lessons.note('a', { kind: 'flags', flags: { server: { reasoningControl: 'none' } } });
    lessons.note('a', thinking('low'));
    expect(lessons.of('a')).toEqual([
      { kind: 'flags', flags: { server: { reasoningControl: 'none' } } },
      thinking('low'),
    ]);
  });

  test('is forgotten of the oldest of many names, and never known of a name that is none', () => {
    const lessons = alone(createLessons(() => 0));
    for (let index = 0; index < 5000; index += 1) lessons.note(`m${index}`, cap(1));
    expect(lessons.all()).toHaveLength(1000);
    expect([lessons.of('m3999').length, lessons.of('m4000').length]).toEqual([0, 1]);
    expect([lessons.note('m'.repeat(257), cap(1)), lessons.of('m'.repeat(257))]).toEqual([false, []]);
  });

  test('can be forgotten as a whole', () => {
    const lessons = createLessons(() => 0);
    lessons.note('a', 'red', cap(10));
    lessons.note('a', 'blue', cap(10));
    lessons.answered('a', 'red', 500);
    lessons.forget();
    expect([lessons.all('red'), lessons.all('green')]).toEqual([[], []]);
    expect(lessons.note('a', 'red', cap(10))).toBe(true);
  });

  test('is no cap below what an answer had', () => {
    const lessons = createLessons(() => 0);
    lessons.answered('a', 'red', 500);
    lessons.answered('a', 'red', 20);
    expect([lessons.note('a', 'red', cap(499)), lessons.of('a', 'red')]).toEqual([false, []]);
    expect([lessons.note('a', 'red', cap(500)), lessons.of('a', 'red')]).toEqual([true, [cap(500)]]);
    expect(lessons.note('a', 'blue', cap(499))).toBe(true);
  });
});

describe('between keys', () => {
  test('a lesson serves the key that met it, as often as that meets it', () => {
    const lessons = createLessons(() => 0);
    for (let times = 0; times < 3; times += 1) lessons.note('a', 'red', field('top_k'));
    expect([lessons.of('a', 'red'), lessons.of('a', 'blue'), lessons.all('blue')]).toEqual([[field('top_k')], [], []]);
  });

  test('and everybody once two keys met it, as long as what the first met is fresh', () => {
    let now = 0;
    const lessons = createLessons(() => now);
    lessons.note('a', 'red', field('top_k'));
    now = HOUR / 2;
    lessons.note('a', 'blue', field('top_k'));
    expect(lessons.of('a', 'green')).toEqual([{ ...field('top_k'), shared: true }]);
    expect(lessons.of('a', 'blue')).toEqual([field('top_k')]);
    now = HOUR;
    expect([lessons.of('a', 'green'), lessons.of('a', 'blue')]).toEqual([[], [field('top_k')]]);
    lessons.note('a', 'red', field('top_p'));
    now = 2 * HOUR;
    lessons.note('a', 'blue', field('top_p'));
    expect(lessons.of('a', 'green')).toEqual([]);
  });

  test('what two keys heard otherwise is nobody else’s', () => {
    const lessons = createLessons(() => 0);
    lessons.note('a', 'red', thinking('low', 'medium'));
    lessons.note('a', 'blue', thinking('low'));
    expect([lessons.of('a', 'green'), lessons.of('a', 'red')]).toEqual([[], [thinking('low', 'medium')]]);
    lessons.note('a', 'red', thinking('low'));
    expect(lessons.of('a', 'green')).toEqual([{ ...thinking('low'), shared: true }]);
  });

  test('sizes are shared as far as both keys met them', () => {
    const window = (tokens: number, input: number): Lesson => ({ kind: 'window', tokens, input, estimated: 100 });
    const lessons = createLessons(() => 0);
    lessons.note('a', 'red', cap(300));
    lessons.note('a', 'blue', cap(8192));
    lessons.note('a', 'red', window(9000, 80_000));
    lessons.note('a', 'blue', window(8192, 120));
    const shared = [
      { ...cap(8192), shared: true },
      { ...window(9000, 120), shared: true },
    ];
    expect(lessons.of('a', 'green')).toEqual(shared);
    expect(lessons.of('a', 'red')).toEqual([cap(300), window(9000, 80_000)]);
  });

  test('that a host refuses what it does not know is never shared: which member that was is the caller’s', () => {
    const lessons = createLessons(() => 0);
    const unknown: Lesson = { kind: 'unsupported', unsupported: ['unknownKeys'] };
    lessons.note('a', 'red', unknown);
    lessons.note('a', 'blue', unknown);
    expect([lessons.of('a', 'blue'), lessons.of('a', 'green')]).toEqual([[unknown], []]);
  });

  test('no key makes another’s forgotten', () => {
    const lessons = createLessons(() => 0);
    lessons.note('a', 'red', cap(300));
    for (let index = 0; index < 5000; index += 1) lessons.note(`m${index}`, 'blue', cap(1));
    expect(lessons.of('a', 'red')).toEqual([cap(300)]);
  });
});
