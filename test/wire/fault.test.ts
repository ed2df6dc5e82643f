import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { firstFault } from '../../translators/wire/fault.js';

const SHAPE = z.object({
  name: z.string(),
  content: z.union([z.string(), z.array(z.object({ text: z.string() }))]),
});

/** The first fault of a value. */
function faultOf(value: unknown) {
  const result = SHAPE.safeParse(value);
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
  ['no object at all', [], { path: '', reason: 'expected object, received array' }],
])('%s', (_name, value, fault) => {
  expect(faultOf(value)).toEqual(fault);
});
