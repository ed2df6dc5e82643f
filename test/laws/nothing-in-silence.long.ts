import { describe, expect, test } from '@jest/globals';
import { type DialectId, TranslationError, translateRequest, translateResponse } from '../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent, isCreate, recordedExchanges } from '../support/corpus.js';
import { partnersOf, TRIED } from '../support/pairs.js';
import { SHORT } from '../support/runs.js';
import { isReported, placesOf, type Translated, without } from '../support/silence.js';
import { MODELS } from '../support/support-table/index.js';
import { lawTableOf } from './dialects/index.js';

/*
 * Every key of every recorded body is taken out in turn: when that changes neither the translation nor its losses, the key
 * was lost in silence, unless it says nothing (translation.md 0.7, 0.8).
 */

const NEUTRAL = lawTableOf('neutralKeys');

const KINDS = ['request', 'response'] as const;
const TABLE = TRIED.flatMap((from) => KINDS.map((kind) => ({ from, kind })));

/** So often is a key of one pattern tried. */
const TRIES = SHORT ? 1 : 3;

function translate(
  from: DialectId,
  to: DialectId,
  kind: 'request' | 'response',
  body: unknown,
): Translated | undefined {
  try {
    const translated =
      kind === 'request'
        ? translateRequest({ from, to, body, model: MODELS[to], stream: false, cutsStop: true })
        : translateResponse({ from, to, body, now: 0 });
    return { text: JSON.stringify(translated), losses: translated.losses };
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

function silentPatterns(from: DialectId, to: DialectId, kind: 'request' | 'response'): string[] {
  const tried = new Map<string, number>();
  const silent = new Set<string>();
  for (const recorded of recordedExchanges(from)) {
    const body = recorded[kind];
    if (!isCreate(recorded) || recorded.status !== 200 || body === undefined || Array.isArray(body)) continue;
    const whole = translate(from, to, kind, body);
    if (whole === undefined) continue;
    for (const { keys, pointer, pattern } of placesOf(body)) {
      const times = tried.get(pattern) ?? 0;
      if (times >= TRIES) continue;
      tried.set(pattern, times + 1);
      if (isReported(whole.losses, pointer)) continue;
      if (translate(from, to, kind, without(body, keys))?.text === whole.text) silent.add(pattern);
    }
  }
  return [...silent];
}

(corpusPresent ? describe : describe.skip)(`nothing is lost in silence ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(TABLE)('$from, $kind', ({ from, kind }) => {
    const neutral = NEUTRAL[from].filter((one) => one.kind === kind);
    const used = new Set<unknown>();
    const silent: string[] = [];
    for (const to of partnersOf(from)) {
      for (const pattern of silentPatterns(from, to, kind)) {
        const known = neutral.filter(({ keys }) => keys.test(pattern));
        for (const one of known) used.add(one);
        if (known.length === 0) silent.push(`to ${to}: ${pattern}`);
      }
    }
    expect(silent).toEqual([]);
    expect(neutral.filter((one) => !used.has(one))).toEqual([]);
  });
});
