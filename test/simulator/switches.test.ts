import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readDirectives } from '../../src/simulator/directives.js';

const page = readFileSync(new URL('../../docs/simulator.md', import.meta.url), 'utf8');
const [, table = ''] = /<!-- switches -->([\s\S]*?)<!-- end of switches -->/.exec(page) ?? [];
const listed = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, words = '']) => words);

/** simulator.test.ts and wire.test.ts show what each of them does, dialect by dialect. */
test('the page lists the switches that the simulator reads, each of which works within other words', () => {
  expect(listed.map((words) => readDirectives(`Hello. ${words.toUpperCase()}, please`))).toEqual([
    { status: 429, refuse: false, slow: false },
    { broken: 'failed', refuse: false, slow: false },
    { broken: 'cut', refuse: false, slow: false },
    { refuse: true, slow: false },
    { refuse: false, slow: true },
  ]);
});
