import { expect, test } from '@jest/globals';
import { type ClientCall, createOpenCalls } from '../../src/http/index.js';

const callOf = (id: string): ClientCall => ({ id }) as ClientCall;

test('calls leave in any order, and once', () => {
  const open = createOpenCalls();
  const [first, second, third] = [callOf('1'), callOf('2'), callOf('3')];
  for (const call of [first, second, third]) open.add(call);
  expect(open.delete(first)).toBe(true);
  expect(open.delete(first)).toBe(false);
  expect([...open].map(({ id }) => id).sort()).toEqual(['2', '3']);
  expect([open.delete(third), open.delete(second), open.size]).toEqual([true, true, 0]);
  open.add(first);
  expect([...open]).toEqual([first]);
});

test('calls may leave while others are looked at', () => {
  const open = createOpenCalls();
  for (const id of ['1', '2', '3']) open.add(callOf(id));
  const seen: string[] = [];
  for (const call of open) {
    seen.push(call.id);
    open.delete(call);
  }
  expect([seen.sort(), open.size]).toEqual([['1', '2', '3'], 0]);
});
