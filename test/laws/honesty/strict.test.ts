import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { refusedLosses } from '../../../translators/canonical/loss.js';
import { encodeRequest, type Loss, TranslationError, translateRequest } from '../../../translators/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { runs, surely } from '../../support/runs.js';
import { LOOPS, STOPPED } from './loops.js';
import { requests } from './requests.js';
import { choiceOf, DOMAINS, FETCHED, targetsOf } from './targets.js';

/** Milliseconds; a long run takes its time. */
const TIMEOUT = Math.max(60_000, runs(30_000));

/** How many values were tried, refused and let pass on all pairs together: in the short run one pair has few. */
const seen = { tried: 0, passed: 0, refused: 0 };

describe('strict refuses exactly for what is dropped or approximated', () => {
  test.each(CROSS_PAIRS)(
    '%s to %s',
    (from, to) => {
      fc.assert(
        fc.property(requests(from, DOMAINS), fc.constantFrom(...targetsOf(to)), (x, target) => {
          seen.tried += 1;
          const options = { model: target.model, profile: choiceOf(target), domain: DOMAINS[to], media: FETCHED };
          let lenient: ReturnType<typeof encodeRequest>;
          try {
            lenient = encodeRequest(to, x, options);
          } catch {
            return;
          }
          const wanted = refusedLosses(lenient.losses);
          const error = refusal(() => encodeRequest(to, x, { ...options, strict: true }));
          if (wanted.length === 0) {
            seen.passed += 1;
            expect(error).toBeUndefined();
            return;
          }
          seen.refused += 1;
          const orphan = lenient.losses.find(({ feature }) => feature === 'result.orphan');
          if (orphan !== undefined) {
            // What stands in for a result is none, whatever the caller lets go (translation.md 2.4).
            const always = refusal(() => encodeRequest(to, x, { ...options, strict: true, allow: ['*'] }));
            expect(always).toMatchObject({ kind: 'unsupported', path: orphan.path });
            expect(always?.message).toContain('no tool call found');
            return;
          }
          expect(error?.kind).toBe('unsupported');
          expect(error?.path).toBe(wanted[0]?.path);
          expect(error?.losses).toEqual(lenient.losses);
          expect(wanted.slice(0, 10).filter((loss) => !names(error?.message ?? '', loss))).toEqual([]);
          // Whatever the caller lets go is no reason any more.
          const allow = wanted.map(({ feature }) => feature);
          expect(encodeRequest(to, x, { ...options, strict: true, allow }).value).toEqual(lenient.value);
        }),
        { numRuns: runsOfPair(60) },
      );
    },
    TIMEOUT,
  );

  // Of all values 77 % are refused and 5 % pass.
  test('and values of both kinds were among them', () => {
    expect(seen.passed + seen.refused).toBeGreaterThanOrEqual(surely(seen.tried, 0.55));
    expect(seen.refused).toBeGreaterThanOrEqual(surely(seen.tried, 0.5));
  });
});

function refusal(call: () => unknown): TranslationError | undefined {
  try {
    call();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof TranslationError) return thrown;
    throw thrown;
  }
}

function names(message: string, { path, feature, kind }: Loss): boolean {
  return message.includes(`${path} ${feature} ${kind}`);
}

describe('ordinary agent loops pass strict', () => {
  const rows = LOOPS.flatMap(({ name, from, body, stream }) =>
    CROSS_PAIRS.filter(([source]) => source === from).flatMap(([, to]) =>
      targetsOf(to).map((target) => ({ name, from, body, stream: stream === true, to, target })),
    ),
  );

  test.each(rows)('$name: $from to $target.model ($target.host)', ({ name, from, body, stream, to, target }) => {
    const { model } = target;
    const translate = (strict: boolean) =>
      translateRequest({ from, to, body, model, stream, profile: choiceOf(target), media: FETCHED, strict });
    const stopped = refusedLosses(translate(false).losses).map(({ feature }) => feature);
    const foreseen = STOPPED.filter((row) => row.loops.includes(name) && row.stops(target)).map(
      ({ feature }) => feature,
    );
    expect([...new Set(stopped)].sort()).toEqual([...new Set(foreseen)].sort());
    if (foreseen.length === 0) expect(translate(true).losses).toEqual(translate(false).losses);
    else expect(() => translate(true)).toThrow(TranslationError);
  });
});
