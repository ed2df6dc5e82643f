import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SDKS } from '../../page/translate/sdk/index.js';
import { dialectIds } from '../../translators/index.js';
import { root } from './examples.js';

/** What the page knows of a dialect's SDK is an entry of one table, by which programs are read and written. */

const NAMED = new RegExp(`'(?:${dialectIds.join('|')})'`);

test('no part of the page branches on the name of a dialect: tables name them', () => {
  const files = readdirSync(join(root, 'page'), { recursive: true, encoding: 'utf8' });
  const naming = files.filter(
    (name) => /\.tsx?$/.test(name) && NAMED.test(readFileSync(join(root, 'page', name), 'utf8')),
  );
  // The forms by which bodies are told apart.
  expect(naming).toEqual(['translate/detect.ts']);
});

test('each dialect has its SDK, whose method no other has', () => {
  expect(Object.keys(SDKS).sort()).toEqual([...dialectIds].sort());
  const calls = dialectIds.map(
    (id) => `${SDKS[id]?.javascript.call({ dialect: id, body: {}, model: 'm', stream: false, betas: [] })}`,
  );
  for (const [index, id] of dialectIds.entries())
    expect(calls.map((call) => SDKS[id]?.method.test(call))).toEqual(calls.map((_, at) => at === index));
});
