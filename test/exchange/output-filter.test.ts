import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BackendConfig } from '../../src/config/index.js';
import { parseConfig } from '../../src/config/load.js';
import { containsSecretOf, outputFilterFor, textFilterFor } from '../../src/exchange/answer-guard.js';
import { createWatcher, type DialectId, dialectIds, dialects } from '../../translators/index.js';
import { escaped, toldOf } from '../attacks/security/quoted-keys.js';
import { framesQuoting, type Place, saying, wholeQuoting } from '../support/quoting.js';
import { runs } from '../support/runs.js';

/** What leaves of an answer of a backend that quotes the key it is called with (configuration.md#access). */

const KEY = 'sk-told.Canary+4f7d0c93b1a2e865';

function backendWith(apiKey: string): BackendConfig {
  const { backends } = parseConfig({ backends: { b: { dialect: 'messages', baseUrl: 'http://a', apiKey } } });
  const { b } = backends;
  if (b === undefined) throw new Error('no backend');
  return b;
}

const backend = backendWith(KEY);

/** What a relayed stream writes for each piece that comes. */
function relayed(dialect: DialectId, pieces: readonly Buffer[], framing: 'sse' | 'array' = 'sse') {
  const watcher = createWatcher(dialects[dialect], framing);
  const written: string[] = [];
  let now: Buffer[] = [];
  const filter = outputFilterFor(
    backend,
    watcher,
    { write: (piece) => now.push(Buffer.from(piece as Uint8Array)) },
    framing,
  );
  for (const piece of pieces) {
    now = [];
    watcher.push(piece);
    filter.write(piece);
    written.push(Buffer.concat(now).toString('latin1'));
  }
  now = [];
  filter.flush();
  return { written, rest: Buffer.concat(now).toString('latin1'), leaked: filter.leaked };
}

function translated(frames: readonly string[]) {
  const filter = textFilterFor(backend, 'sse');
  const written = frames.map((frame) => filter.pass(frame, false));
  return { written, rest: filter.pass('', true), leaked: filter.leaked };
}

/** A text cut at these lengths, over and over. */
function cutAt(text: string, lengths: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

const IN_PIECES = ['text', 'thought', 'argument'] as const satisfies readonly Place[];
const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });

describe.each(dialectIds)('a stream of %s', (dialect) => {
  test.each(IN_PIECES)('tells no key that is split anywhere: %s', (place) => {
    for (let at = 1; at < KEY.length; at += 1) {
      const parts = [KEY.slice(0, at), KEY.slice(at)];
      const pieces = [`it is ${parts[0]}`, `${parts[1]}.`];
      for (const escapes of [false, true]) {
        const long = parts.filter(({ length }) => length > 2);
        const frames = framesQuoting(dialect, saying(place, pieces)).map((frame) =>
          escapes ? escaped(frame, long) : frame,
        );
        const ways = [
          relayed(
            dialect,
            frames.map((frame) => Buffer.from(frame)),
          ),
          relayed(dialect, cutAt(frames.join(''), [97, 5])),
          translated(frames),
        ];
        for (const { written, rest, leaked } of ways) {
          expect([at, escapes, leaked]).toEqual([at, escapes, true]);
          expect([at, escapes, toldOf(KEY, written.join('') + rest)]).toEqual([at, escapes, []]);
        }
      }
    }
  });

  test.each(IN_PIECES)('tells no key that is split into many: %s', (place) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        cuts,
        (lengths, chunks) => {
          const pieces = ['it is ', ...cutAt(KEY, lengths).map(String), '.'];
          const frames = framesQuoting(dialect, saying(place, pieces));
          for (const { written, rest, leaked } of [
            relayed(dialect, cutAt(frames.join(''), chunks)),
            translated(frames),
          ]) {
            expect(leaked).toBe(true);
            expect(toldOf(KEY, written.join('') + rest)).toEqual([]);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('passes byte for byte what only begins like a key, however it is cut', () => {
    const word = fc.constantFrom(
      's',
      'sk',
      'sk-',
      'sk-told',
      KEY.slice(0, -1),
      'Grüße',
      '"',
      '\\',
      '\\u0073',
      ' 😀',
      '.',
    );
    const texts = fc.array(fc.array(word, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, cuts, (words, chunks) => {
        const pieces = words.map((some) => some.join('')).filter((text) => text !== '');
        fc.pre(!pieces.join('').replaceAll('\\u0073', 's').includes(KEY));
        const frames = framesQuoting(dialect, saying('text', pieces));
        const whole = relayed(dialect, cutAt(frames.join(''), chunks));
        expect(whole.leaked).toBe(false);
        const bytes = Buffer.from(whole.written.join('') + whole.rest, 'latin1');
        expect(bytes.toString()).toBe(frames.join(''));
        const text = translated(frames);
        expect(text.written.join('') + text.rest).toBe(frames.join(''));
      }),
      { numRuns: runs(60) },
    );
  });

  test('lets each event of ordinary text go at once', () => {
    const words = ['It', ' is', ' this', 's', ' sk', 'ies', ' ask', '-', 'task-', ' told', ' words.'];
    const frames = framesQuoting(dialect, saying('text', words));
    expect(translated(frames).written).toEqual(frames);
    const { written } = relayed(
      dialect,
      frames.map((frame) => Buffer.from(frame)),
    );
    expect(written).toEqual(frames);
  });

  test('holds back a longer beginning of a key until the text goes on', () => {
    const usual = framesQuoting(dialect, saying('text', ['It is sk-told', ' again', '.']));
    const at = usual.findIndex((frame) => frame.includes('sk-told'));
    for (const { written } of [
      translated(usual),
      relayed(
        dialect,
        usual.map((frame) => Buffer.from(frame)),
      ),
    ]) {
      expect(written[at]).toBe('');
      expect(written[at + 1]).toBe(`${usual[at]}${usual[at + 1]}`);
      expect(written[at + 2]).toBe(usual[at + 2]);
    }
  });

  test('a whole answer tells no key, however it is split over its texts', () => {
    expect(containsSecretOf(backend, JSON.stringify(wholeQuoting(dialect, saying('text', ['Hello', ' you']))))).toBe(
      false,
    );
    for (let at = 1; at < KEY.length; at += 1) {
      const whole = wholeQuoting(dialect, saying('text', [`it is ${KEY.slice(0, at)}`, `${KEY.slice(at)}.`]));
      expect([at, containsSecretOf(backend, JSON.stringify(whole), whole)]).toEqual([at, true]);
    }
  });
});

test('an array of events tells no key that is split over two of them, however it is cut', () => {
  for (let at = 1; at < KEY.length; at += 1) {
    const frames = framesQuoting('generateContent', saying('text', [`it is ${KEY.slice(0, at)}`, `${KEY.slice(at)}.`]));
    const text = `[${frames.map((frame) => frame.replace(/^data: /, '').trim()).join(',\r\n')}]`;
    for (const lengths of [[40, 7], [1], [text.length]]) {
      const { written, rest, leaked } = relayed('generateContent', cutAt(text, lengths), 'array');
      expect([at, leaked]).toEqual([at, true]);
      expect(toldOf(KEY, written.join('').replaceAll(',\r\n', '\ndata: ') + rest)).toEqual([]);
    }
  }
});

test('opaque values pass though they begin and end like keys', () => {
  const state = `${KEY.slice(0, 12)}AbC${KEY.slice(12)}s`;
  const frames = framesQuoting('messages', saying('text', ['Hello'])).map((frame) =>
    frame.replace('c2lnbmF0dXJl', state),
  );
  const { written, leaked } = relayed(
    'messages',
    frames.map((frame) => Buffer.from(frame)),
  );
  expect(leaked).toBe(false);
  expect(written).toEqual(frames);
});

test('a key with signs that JSON escapes is found at every depth', () => {
  const odd = 'q/7"x\\y~>zQ+Canary';
  const other = backendWith(odd);
  const once = JSON.stringify({ text: odd });
  for (const text of [odd, once, once.replaceAll('/', '\\/'), JSON.stringify({ arguments: once })])
    expect([text, containsSecretOf(other, text)]).toEqual([text, true]);
  expect(containsSecretOf(other, JSON.stringify({ text: odd.slice(0, -1) }))).toBe(false);
});
