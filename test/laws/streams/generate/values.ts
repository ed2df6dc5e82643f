import fc from 'fast-check';
import { readData } from '../../../support/frames.js';

/** A JSON object as it goes over the wire. */
export type Wire = Readonly<Record<string, unknown>>;

/** A text and the fragments a service may send it in: cut anywhere, also between the halves of a surrogate pair. */
export interface Fragments {
  readonly whole: string;
  readonly pieces: readonly string[];
}

const DATA: Readonly<{ words: readonly string[][]; arguments: readonly string[] }> = readData(
  'laws/streams/generate/values.yaml',
);

/** A text of up to `most` words, which may be empty. */
export function textOf(most: number): fc.Arbitrary<string> {
  const words = fc.array(fc.constantFrom(...DATA.words.flat()), { maxLength: most }).map((list) => list.join(''));
  return fc.oneof({ weight: 12, arbitrary: words }, fc.constant('{"value": [1, 2]}'));
}

/** A text that says something. */
export const spoken: fc.Arbitrary<string> = textOf(7).map((text) => `So: ${text}`);

/** Arguments of a call as services write them. */
export const argumentText: fc.Arbitrary<string> = fc.constantFrom(...DATA.arguments);

/** A text with fragments cut at arbitrary code units; a fragment may be empty. */
export function inFragments(text: fc.Arbitrary<string>): fc.Arbitrary<Fragments> {
  return fc
    .tuple(text, fc.array(fc.nat(), { maxLength: 4 }))
    .map(([whole, cuts]) => ({ whole, pieces: cutText(whole, cuts) }));
}

function cutText(text: string, cuts: readonly number[]): string[] {
  const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
  return [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end));
}

/** Something, or nothing, half of the time. */
export function maybe<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 2 });
}

/** True once in so many times. */
export function seldom(times: number): fc.Arbitrary<boolean> {
  return fc.nat(times - 1).map((one) => one === 0);
}

/** Puts several lists together, each in its own order; `picks` says whose turn it is. */
export function riffle<T>(lists: readonly (readonly T[])[], picks: readonly number[]): T[] {
  const rest = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const out: T[] = [];
  for (let turn = 0; rest.length > 0; turn += 1) {
    const place = (picks[turn % Math.max(1, picks.length)] ?? 0) % rest.length;
    const next = rest[place]?.shift();
    if (next !== undefined) out.push(next);
    if (rest[place]?.length === 0) rest.splice(place, 1);
  }
  return out;
}

/** Opaque state, as base64 of any length a service may choose. */
export const opaque: fc.Arbitrary<string> = fc.constantFrom('EqQB', 'c2lnbmF0dXJl', 'QUJD'.repeat(40));

/** A tiny picture. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Events of parts, one part after the other; with `picks` in each other's way, two neighbours at a time, whose starts keep their order. */
export function inTurn<T>(parts: readonly (readonly T[])[], picks: readonly number[] | undefined): T[] {
  if (picks === undefined) return parts.flat();
  return parts.flatMap((first, at) =>
    at % 2 === 1 ? [] : [...first.slice(0, 1), ...riffle([first.slice(1), parts[at + 1] ?? []], picks)],
  );
}

/** The JSON object that a text is; undefined where it is none. */
export function objectIn(text: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : undefined;
  } catch {
    return undefined;
  }
}
