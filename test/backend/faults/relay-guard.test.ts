import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConfig } from '../../../src/config/load.js';
import { relayGuardFor } from '../../../src/exchange/answer-guard.js';
import { createRedactor } from '../../../src/ground/redact.js';
import { createWatcher, type DialectId, dialects } from '../../../translators/index.js';
import { DIALECTS, FRAMES } from '../../support/gateway/harness.js';
import { growthOf, MOST_GROWTH } from '../../support/growth.js';
import { runs } from '../../support/runs.js';
import { indiscretion, KEY, leaksIn } from './canaries.js';
import { wordsOf } from './told.js';

const HOST = 'upstream.example:8443';
const redact = createRedactor(
  parseConfig({ backends: { b: { dialect: 'messages', baseUrl: `https://${HOST}`, apiKey: KEY } } }),
);

/** What leaves of a stream that comes in pieces of these lengths, over and over. */
function passed(dialect: DialectId, framing: 'sse' | 'array', stream: Buffer, lengths: readonly number[]): Buffer {
  const watcher = createWatcher(dialects[dialect], framing);
  const guard = relayGuardFor(watcher, redact);
  const out: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    const chunk = stream.subarray(at, end);
    watcher.push(chunk);
    const piece = guard.pass(chunk);
    if (piece !== undefined) out.push(piece);
    at = end;
  }
  watcher.end();
  const rest = guard.rest();
  return Buffer.concat(rest === undefined ? out : [...out, rest]);
}

const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });

function failure(dialect: DialectId): string {
  const json = JSON.stringify(wordsOf(dialect, 'internal', indiscretion(HOST)).body);
  return `event: error\ndata: ${json}\n\n`;
}

const FORMS = [
  ...DIALECTS.map((dialect) => ({ dialect, form: 'nested', told: failure(dialect) })),
  { dialect: 'responses' as const, form: 'flat', told: flat('error') },
  { dialect: 'responses' as const, form: 'flat and unnamed', told: flat('') },
];

/** The error event of responses as the base specification has it. */
function flat(name: string): string {
  const event = { type: 'error', code: 'server_error', message: indiscretion(HOST), param: null, sequence_number: 9 };
  return `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`;
}

test.each(FORMS)('$dialect, $form: an error loses its secrets, however it is cut', ({ dialect, told }) => {
  const before = FRAMES[dialect]('Hello').slice(0, 2).join('');
  const stream = Buffer.from(before + told);
  fc.assert(
    fc.property(cuts, (lengths) => {
      const out = passed(dialect, 'sse', stream, lengths).toString();
      expect(leaksIn(out, HOST)).toEqual([]);
      expect(out).toBe(before + redact(told));
    }),
    { numRuns: runs(50) },
  );
});

describe.each(DIALECTS)('a relayed stream of %s', (dialect) => {
  const frames = FRAMES[dialect]('Grüße 😀, "error": {"message": "https://upstream.example:8443 is no secret here"}');

  test('without an error passes byte for byte, however it is cut', () => {
    const stream = Buffer.from(frames.join(''));
    fc.assert(
      fc.property(cuts, (lengths) => {
        expect(passed(dialect, 'sse', stream, lengths).equals(stream)).toBe(true);
      }),
      { numRuns: runs(50) },
    );
  });

  test('loses the secrets of its errors and nothing else, however it is cut', () => {
    const before = frames.slice(0, -1).join('');
    const behind = frames.slice(-1).join('');
    const stream = Buffer.from(before + failure(dialect) + behind);
    const shown = Buffer.from(before + redact(failure(dialect)) + behind);
    fc.assert(
      fc.property(cuts, (lengths) => {
        const out = passed(dialect, 'sse', stream, lengths);
        const [, error = ''] = out.toString().split('event: error\n');
        expect(leaksIn(error.slice(0, error.indexOf('\n\n')), HOST)).toEqual([]);
        // Events that came in one piece with the error may lose the same words.
        expect(redact(out.toString())).toBe(redact(shown.toString()));
      }),
      { numRuns: runs(50) },
    );
  });

  test('waits for its first event, but not behind a comment', () => {
    const [first = ''] = frames;
    const watcher = createWatcher(dialects[dialect], 'sse');
    const guard = relayGuardFor(watcher, redact);
    const push = (text: string): string | undefined => {
      const chunk = Buffer.from(text);
      watcher.push(chunk);
      const piece = guard.pass(chunk);
      return piece === undefined ? undefined : Buffer.from(piece).toString();
    };
    expect(push(first.slice(0, 20))).toBeUndefined();
    expect(push(first.slice(20))).toBe(first);
    const other = relayGuardFor(createWatcher(dialects[dialect], 'sse'), redact);
    expect(other.pass(Buffer.from(': wait\n'))).toBeDefined();
  });
});

test('an array passes byte for byte, and without the secrets of an error', () => {
  const elements = FRAMES.generateContent('Grüße 😀').map((frame) => frame.replace(/^data: /, '').trim());
  const error = JSON.stringify(wordsOf('generateContent', 'internal', indiscretion(HOST)).body);
  fc.assert(
    fc.property(cuts, (lengths) => {
      const good = Buffer.from(`[${elements.join(',\n')}]`);
      expect(passed('generateContent', 'array', good, lengths).equals(good)).toBe(true);
      const bad = Buffer.from(`[${elements[0]},\n${error}]`);
      const out = passed('generateContent', 'array', bad, lengths).toString();
      expect(out).toBe(redact(bad.toString()));
      expect(leaksIn(out, HOST)).toEqual([]);
    }),
    { numRuns: runs(50) },
  );
});

test('an error of great length is looked at once', () => {
  const frames = FRAMES.messages('Hello');
  const growth = growthOf((n) => {
    const stream = Buffer.from(
      `${frames[0]}event: error\ndata: {"type":"error","error":{"type":"api_error","message":"${'x'.repeat(1000 * n)}"}}\n\n`,
    );
    return () => {
      if (passed('messages', 'sse', stream, [1024]).length !== stream.length) throw new Error('bytes are missing');
    };
  });
  expect(growth).toBeLessThan(MOST_GROWTH);
});
