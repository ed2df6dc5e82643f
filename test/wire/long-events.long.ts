import { describe, expect, test } from '@jest/globals';
import { createSseCutter, createStreamTranslator, createWatcher, dialects } from '../../translators/index.js';
import { leastOf, processorMs } from '../support/cost.js';
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

/** Three times what linear work costs: garbage is collected at its own times, and others use this machine. */
const MOST = 24;

/** How much more eight times as much costs. Quadratic work would cost 64 times as much. */
async function ratio(
  work: (chunks: readonly Uint8Array[]) => void,
  dialect: (typeof DIALECTS)[number],
): Promise<number> {
  const small = streamOf(dialect, (LONG_EVENT_MB / 8) * MB);
  const large = streamOf(dialect, LONG_EVENT_MB * MB);
  // Less than four milliseconds cannot be measured.
  const short = Math.max(await leastOf(0, () => processorMs(() => work(small)), 2), 4);
  return (await leastOf(MOST * short, () => processorMs(() => work(large)))) / short;
}

describe('hardening.md row 52: an event of many chunks takes time in proportion to its length', () => {
  test.each(DIALECTS)('cut, %s', async (dialect) => {
    let events = 0;
    const cut = (chunks: readonly Uint8Array[]): void => {
      const cutter = createSseCutter(() => (events += 1), { maxBytes: 128 * MB });
      for (const chunk of chunks) cutter.push(chunk);
      cutter.end();
    };
    expect(await ratio(cut, dialect)).toBeLessThan(MOST);
    expect(events).toBeGreaterThan(0);
  });

  test.each(DIALECTS)('watched on its way, %s', async (dialect) => {
    const watch = (chunks: readonly Uint8Array[]): void => {
      const watcher = createWatcher(dialects[dialect], 'sse', 128 * MB);
      for (const chunk of chunks) watcher.push(chunk);
      watcher.end();
      expect(watcher.whole).toBe(true);
    };
    expect(await ratio(watch, dialect)).toBeLessThan(MOST);
  });

  test.each(DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'translated, %s to %s',
    async (from, to) => {
      const translate = (chunks: readonly Uint8Array[]): void => {
        const translator = createStreamTranslator({ from, to });
        let length = 0;
        for (const chunk of chunks) length += translator.push(chunk).length;
        length += translator.end().length;
        expect(length).toBeGreaterThan((LONG_EVENT_MB / 8) * MB);
      };
      expect(await ratio(translate, from)).toBeLessThan(MOST);
    },
  );
});
