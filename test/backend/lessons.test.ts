import { describe, expect, test } from '@jest/globals';
import { createLessons, type Lesson } from '../../src/backend/lessons.js';

const field = (name: string, otherName?: string): Lesson => ({
  kind: 'field',
  field: { path: [name], feature: 'maxOutput', ...(otherName !== undefined && { otherName }) },
});
const HOUR = 3_600_000;

describe('what refusals taught', () => {
  test('is known of the model that refused, for an hour', () => {
    let now = 0;
    const lessons = createLessons(() => now);
    lessons.note('a', field('top_k'));
    now = HOUR / 2;
    lessons.note('a', { kind: 'cap', tokens: 10 });
    now = HOUR - 1;
    expect(lessons.of('a')).toEqual([field('top_k'), { kind: 'cap', tokens: 10 }]);
    expect(lessons.of('b')).toEqual([]);
    now = HOUR;
    expect(lessons.of('a')).toEqual([{ kind: 'cap', tokens: 10 }]);
    now = 2 * HOUR;
    expect([lessons.of('a'), lessons.all()]).toEqual([[], []]);
  });

  test('is replaced by what is taught later about the same thing, which is the last word', () => {
    const lessons = createLessons(() => 0);
    lessons.note('a', { kind: 'cap', tokens: 10 });
    lessons.note('a', field('max_tokens', 'max_completion_tokens'));
    lessons.note('a', { kind: 'cap', tokens: 20 });
    expect(lessons.all()).toEqual([['a', [field('max_tokens', 'max_completion_tokens'), { kind: 'cap', tokens: 20 }]]]);
  });

  test('is forgotten of the oldest of many names', () => {
    const lessons = createLessons(() => 0);
    for (let index = 0; index < 5000; index += 1) lessons.note(`m${index}`, { kind: 'cap', tokens: 1 });
    expect(lessons.all()).toHaveLength(1000);
    expect([lessons.of('m3999').length, lessons.of('m4000').length]).toEqual([0, 1]);
  });
});
