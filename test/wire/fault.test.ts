import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { firstFault, IN_WORDS } from '../../translators/wire/fault.js';

const SHAPE = z.object({
  name: z.string(),
  role: z.optional(z.enum(['user', 'model'])),
  share: z.optional(z.number().check(z.gte(0), z.lt(1))),
  label: z.optional(z.string().check(z.minLength(2))),
  stops: z.optional(z.array(z.string()).check(z.maxLength(1))),
  labels: z.optional(z.record(z.string().check(z.maxLength(1)), z.string())),
  content: z.union([z.string(), z.array(z.object({ text: z.string() }))]),
});

/** The first fault of a value. */
function faultOf(value: unknown) {
  const result = SHAPE.safeParse(value, IN_WORDS);
  if (result.success) throw new Error('the value is right');
  return firstFault(result.error.issues);
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
  ['too much', { name: 'a', share: 1 }, { path: '/share', reason: 'expected number to be <1' }],
  ['too short', { name: 'a', label: 'x' }, { path: '/label', reason: 'expected string to have >=2 characters' }],
  ['too many', { name: 'a', stops: ['x', 'y'] }, { path: '/stops', reason: 'expected array to have <=1 items' }],
  [
    'a key that is none',
    { name: 'a', labels: { long: 'x' } },
    { path: '/labels/long', reason: 'invalid key in record' },
  ],
  ['no object at all', [], { path: '', reason: 'expected object, received array' }],
])('%s', (_name, value, fault) => {
  expect(faultOf(value)).toEqual(fault);
});
