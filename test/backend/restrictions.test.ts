import { describe, expect, test } from '@jest/globals';
import { createRestrictions, type Restriction, type Restrictions } from '../../src/backend/restrictions.js';
import type { Effort } from '../../translators/index.js';

const field = (name: string, otherName?: string): Restriction => ({
  kind: 'field',
  field: { path: [name], feature: 'maxOutput', ...(otherName !== undefined && { otherName }) },
});
const cap = (tokens: number): Restriction => ({ kind: 'cap', tokens });
/** A model that takes these efforts alone. */
const thinking = (...levels: Effort[]): Restriction => ({
  kind: 'flags',
  flags: { thinking: { control: 'effort', canDisable: true, levels, defaultOn: true } },
});
const HOUR = 3_600_000;

/** Of a gateway with one caller. */
const alone = (restrictions: Restrictions) => ({
  of: (model: string) => restrictions.of(model, undefined),
  note: (model: string, restriction: Restriction) => restrictions.note(model, undefined, restriction),
  all: () => restrictions.all(undefined),
});

describe('learned restrictions', () => {
  test('is known of the model that refused, for an hour', () => {
    let now = 0;
    const restrictions = alone(createRestrictions(() => now));
    restrictions.note('a', field('top_k'));
    now = HOUR / 2;
    restrictions.note('a', cap(10));
    now = HOUR - 1;
    expect(restrictions.of('a')).toEqual([field('top_k'), cap(10)]);
    expect(restrictions.of('b')).toEqual([]);
    now = HOUR;
    expect(restrictions.of('a')).toEqual([cap(10)]);
    now = 2 * HOUR;
    expect([restrictions.of('a'), restrictions.all()]).toEqual([[], []]);
  });

  test('is replaced by what is learned later about the same thing, which is the last word', () => {
    const restrictions = alone(createRestrictions(() => 0));
    restrictions.note('a', cap(10));
    restrictions.note('a', field('max_tokens', 'max_completion_tokens'));
    restrictions.note('a', cap(20));
    expect(restrictions.all()).toEqual([['a', [field('max_tokens', 'max_completion_tokens'), cap(20)]]]);
  });

  test('has one word on thinking, whatever flags of it a refusal was about', () => {
    const restrictions = alone(createRestrictions(() => 0));
    restrictions.note('a', thinking('low', 'medium'));
    restrictions.note('a', { kind: 'flags', flags: { server: { reasoningControl: 'none' } } });
    restrictions.note('a', thinking('low'));
    expect(restrictions.of('a')).toEqual([
      { kind: 'flags', flags: { server: { reasoningControl: 'none' } } },
      thinking('low'),
    ]);
  });

  test('is forgotten of the oldest of many names, and never known of a name that is none', () => {
    const restrictions = alone(createRestrictions(() => 0));
    for (let index = 0; index < 5000; index += 1) restrictions.note(`m${index}`, cap(1));
    expect(restrictions.all()).toHaveLength(1000);
    expect([restrictions.of('m3999').length, restrictions.of('m4000').length]).toEqual([0, 1]);
    expect([restrictions.note('m'.repeat(257), cap(1)), restrictions.of('m'.repeat(257))]).toEqual([false, []]);
  });

  test('can be forgotten as a whole', () => {
    const restrictions = createRestrictions(() => 0);
    restrictions.note('a', 'red', cap(10));
    restrictions.note('a', 'blue', cap(10));
    restrictions.answered('a', 'red', 500);
    restrictions.forget();
    expect([restrictions.all('red'), restrictions.all('green')]).toEqual([[], []]);
    expect(restrictions.note('a', 'red', cap(10))).toBe(true);
  });

  test('is no cap below what an answer had', () => {
    const restrictions = createRestrictions(() => 0);
    restrictions.answered('a', 'red', 500);
    restrictions.answered('a', 'red', 20);
    expect([restrictions.note('a', 'red', cap(499)), restrictions.of('a', 'red')]).toEqual([false, []]);
    expect([restrictions.note('a', 'red', cap(500)), restrictions.of('a', 'red')]).toEqual([true, [cap(500)]]);
    expect(restrictions.note('a', 'blue', cap(499))).toBe(true);
  });
});

describe('between keys', () => {
  test('a restriction applies to the key that met it, as often as that meets it', () => {
    const restrictions = createRestrictions(() => 0);
    for (let times = 0; times < 3; times += 1) restrictions.note('a', 'red', field('top_k'));
    expect([restrictions.of('a', 'red'), restrictions.of('a', 'blue'), restrictions.all('blue')]).toEqual([
      [field('top_k')],
      [],
      [],
    ]);
  });

  test('and everybody once two keys met it, as long as what the first met is fresh', () => {
    let now = 0;
    const restrictions = createRestrictions(() => now);
    restrictions.note('a', 'red', field('top_k'));
    now = HOUR / 2;
    restrictions.note('a', 'blue', field('top_k'));
    expect(restrictions.of('a', 'green')).toEqual([{ ...field('top_k'), shared: true }]);
    expect(restrictions.of('a', 'blue')).toEqual([field('top_k')]);
    now = HOUR;
    expect([restrictions.of('a', 'green'), restrictions.of('a', 'blue')]).toEqual([[], [field('top_k')]]);
    restrictions.note('a', 'red', field('top_p'));
    now = 2 * HOUR;
    restrictions.note('a', 'blue', field('top_p'));
    expect(restrictions.of('a', 'green')).toEqual([]);
  });

  test('what two keys heard otherwise is nobody else’s', () => {
    const restrictions = createRestrictions(() => 0);
    restrictions.note('a', 'red', thinking('low', 'medium'));
    restrictions.note('a', 'blue', thinking('low'));
    expect([restrictions.of('a', 'green'), restrictions.of('a', 'red')]).toEqual([[], [thinking('low', 'medium')]]);
    restrictions.note('a', 'red', thinking('low'));
    expect(restrictions.of('a', 'green')).toEqual([{ ...thinking('low'), shared: true }]);
  });

  test('sizes are shared as far as both keys met them', () => {
    const window = (tokens: number, input: number): Restriction => ({ kind: 'window', tokens, input, estimated: 100 });
    const restrictions = createRestrictions(() => 0);
    restrictions.note('a', 'red', cap(300));
    restrictions.note('a', 'blue', cap(8192));
    restrictions.note('a', 'red', window(9000, 80_000));
    restrictions.note('a', 'blue', window(8192, 120));
    const shared = [
      { ...cap(8192), shared: true },
      { ...window(9000, 120), shared: true },
    ];
    expect(restrictions.of('a', 'green')).toEqual(shared);
    expect(restrictions.of('a', 'red')).toEqual([cap(300), window(9000, 80_000)]);
  });

  test('that a host refuses what it does not know is never shared: which member that was is the caller’s', () => {
    const restrictions = createRestrictions(() => 0);
    const unknown: Restriction = { kind: 'unsupported', unsupported: ['unknownKeys'] };
    restrictions.note('a', 'red', unknown);
    restrictions.note('a', 'blue', unknown);
    expect([restrictions.of('a', 'blue'), restrictions.of('a', 'green')]).toEqual([[unknown], []]);
  });

  test('by which endpoint a request goes is never shared', () => {
    const restrictions = createRestrictions(() => 0);
    restrictions.note('a', 'red', { kind: 'endpoint' });
    restrictions.note('a', 'blue', { kind: 'endpoint' });
    expect([restrictions.of('a', 'blue'), restrictions.of('a', 'green')]).toEqual([[{ kind: 'endpoint' }], []]);
  });

  test('no key makes another’s forgotten', () => {
    const restrictions = createRestrictions(() => 0);
    restrictions.note('a', 'red', cap(300));
    for (let index = 0; index < 5000; index += 1) restrictions.note(`m${index}`, 'blue', cap(1));
    expect(restrictions.of('a', 'red')).toEqual([cap(300)]);
  });
});
