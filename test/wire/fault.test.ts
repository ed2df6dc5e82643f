import { expect, test } from '@jest/globals';
import { checkValue } from '../../translators/wire/check.js';
import type { SchemaFault } from '../../translators/wire/fault.js';
import * as s from '../../translators/wire/schema.js';

const SHAPE = s.object({
  name: s.string(),
  role: s.optional(s.oneOf(['user', 'model'])),
  share: s.optional(s.number(s.gte(0), s.lte(1))),
  label: s.optional(s.string(s.minLength(2))),
  stops: s.optional(s.array(s.string(), s.maxLength(1, 'must have one entry'))),
  labels: s.optional(s.record(s.string(s.maxLength(1)), s.string())),
  content: s.union([s.string(), s.array(s.object({ text: s.string() }))]),
  choice: s.optional(s.union([s.string(), s.custom<object>((value) => value instanceof Object, 'expected an object')])),
  form: s.optional(s.union([s.string(), s.object({})], 'expected a word or a form')),
});

/** The first fault of a value. */
function faultOf(value: unknown): SchemaFault | undefined {
  let found: SchemaFault | undefined;
  const refusal = new Error('refused');
  const check = () =>
    checkValue(SHAPE, value, (fault) => {
      found = fault;
      return refusal;
    });
  expect(check).toThrow(refusal);
  return found;
}

test.each([
  ['a missing field', { content: 'x' }, { path: '/name', reason: 'field required' }],
  ['a wrong type', { name: 7, content: 'x' }, { path: '/name', reason: 'expected string, received number' }],
  ['no branch of a union', { name: 'a', content: 7 }, { path: '/content', reason: 'expected string or array' }],
  ['a missing union', { name: 'a' }, { path: '/content', reason: 'field required' }],
  [
    'deep in the branch that was meant',
    { name: 'a', content: [{ text: 'x' }, { text: null }] },
    { path: '/content/1/text', reason: 'expected string, received null' },
  ],
  [
    'a number that JSON reads as endless',
    { name: 'a', share: Number.POSITIVE_INFINITY },
    { path: '/share', reason: 'expected number, received Infinity' },
  ],
  ['another word', { name: 'a', role: 'x' }, { path: '/role', reason: 'expected "user" or "model"' }],
  ['too little', { name: 'a', share: -1 }, { path: '/share', reason: 'expected number to be >=0' }],
  ['too much', { name: 'a', share: 2 }, { path: '/share', reason: 'expected number to be <=1' }],
  ['too short', { name: 'a', label: 'x' }, { path: '/label', reason: 'expected string to have >=2 characters' }],
  ['too many', { name: 'a', stops: ['x', 'y'] }, { path: '/stops', reason: 'must have one entry' }],
  [
    'a key that is none',
    { name: 'a', labels: { long: 'x' } },
    { path: '/labels/long', reason: 'invalid key in record' },
  ],
  [
    'no kind of a union, one of which is told in words',
    { name: 'a', content: 'x', choice: 7 },
    { path: '/choice', reason: 'expected string or an object' },
  ],
  [
    'a union with words of its own',
    { name: 'a', content: 'x', form: 7 },
    { path: '/form', reason: 'expected a word or a form' },
  ],
  ['no object at all', [], { path: '', reason: 'expected object, received array' }],
])('%s', (_name, value, fault) => {
  expect(faultOf(value)).toEqual(fault);
});
