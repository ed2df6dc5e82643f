import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from './package-root.js';

/** Values of a data file, which nobody checks but the tests that read them. */
// biome-ignore lint/suspicious/noExplicitAny: a wrong guess fails the test that reads it
export type Data = any;

/** A text that stands for one longer than the shortest prompt that services cache. */
const LONG = { tag: '!long', resolve: (text: string) => text.repeat(200) };

/** Reads a data file below `test/`: YAML with aliases, merge keys, and texts that are repeated (`!long`). */
export function readData(file: string): Data {
  const text = readFileSync(join(PACKAGE_ROOT, 'test', file), 'utf8');
  return parse(text, { merge: true, maxAliasCount: -1, customTags: [LONG] });
}

/**
 * Puts a value into a frame: `$` stands for the value, `$...` in a list for its entries, and a member `$` of an object for its
 * members.
 * @param list what `$...` stands for, unless it is the value
 */
export function fill(frame: unknown, value: Data, list: Data = value): Data {
  if (frame === '$') return value;
  if (Array.isArray(frame)) return frame.flatMap((entry) => (entry === '$...' ? list : [fill(entry, value, list)]));
  if (typeof frame !== 'object' || frame === null) return frame;
  return Object.assign(
    {},
    ...Object.entries(frame).map(([key, member]) => (key === '$' ? value : { [key]: fill(member, value, list) })),
  );
}
