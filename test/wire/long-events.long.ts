import { describe, expect, test } from '@jest/globals';
import { createSseCutter, createStreamTranslator, createWatcher, dialects } from '../../translators/index.js';
import { DIALECTS, FRAMES } from '../support/gateway/harness.js';
import { LONG_EVENT_MB } from './sizes.js';

const MB = 1024 * 1024;
const CHUNK = 16 * 1024;

/** A stream whose second delta has so many bytes of text, in chunks as a network delivers them. */
function streamOf(dialect: (typeof DIALECTS)[number], bytes: number): Uint8Array[] {
  const whole = Buffer.from(FRAMES[dialect]('x'.repeat(bytes)).join(''));
  return Array.from({ length: Math.ceil(whole.length / CHUNK) }, (_, index) =>
    whole.subarray(index * CHUNK, (index + 1) * CHUNK),
  );
}

/** The shortest of some tries, in ms: what else the machine did does not count. */
function fastest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 2; turn += 1) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** How much longer eight times as much takes. Quadratic work would take 64 times as long. */
function ratio(work: (chunks: readonly Uint8Array[]) => void, dialect: (typeof DIALECTS)[number]): number {
  const small = streamOf(dialect, (LONG_EVENT_MB / 8) * MB);
  const large = streamOf(dialect, LONG_EVENT_MB * MB);
  const short = fastest(() => work(small));
  const long = fastest(() => work(large));
  // Less than this cannot be measured.
  return long / Math.max(short, 4);
}

/** Three times what linear work takes: garbage is collected at its own times, and others use this machine. */
const MOST = 24;

describe('hardening.md row 52: an event of many chunks takes time in proportion to its length', () => {
  test.each(DIALECTS)('cut, %s', (dialect) => {
    let events = 0;
    const cut = (chunks: readonly Uint8Array[]): void => {
      const cutter = createSseCutter(() => (events += 1), { maxBytes: 128 * MB });
      for (const chunk of chunks) cutter.push(chunk);
      cutter.end();
    };
    expect(ratio(cut, dialect)).toBeLessThan(MOST);
    expect(events).toBeGreaterThan(0);
  });

  test.each(DIALECTS)('watched on its way, %s', (dialect) => {
    const watch = (chunks: readonly Uint8Array[]): void => {
      const watcher = createWatcher(dialects[dialect], 'sse', 128 * MB);
      for (const chunk of chunks) watcher.push(chunk);
      watcher.end();
      expect(watcher.whole).toBe(true);
    };
    expect(ratio(watch, dialect)).toBeLessThan(MOST);
  });

  test.each(DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'translated, %s to %s',
    (from, to) => {
      const translate = (chunks: readonly Uint8Array[]): void => {
        const translator = createStreamTranslator({ from, to });
        let length = 0;
        for (const chunk of chunks) length += translator.push(chunk).length;
        length += translator.end().length;
        expect(length).toBeGreaterThan((LONG_EVENT_MB / 8) * MB);
      };
      expect(ratio(translate, from)).toBeLessThan(MOST);
    },
  );
});
