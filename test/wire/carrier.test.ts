import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deflateSync } from 'fflate';
import type { StateEntry } from '../../translators/canonical/state.js';
import { decodeBase64, encodeBase64 } from '../../translators/wire/base64.js';
import {
  decodeCarrier,
  encodeCarrier,
  INFLATION_LIMIT,
  isCarrier,
  peelCarrier,
  readCarrierHeader,
} from '../../translators/wire/carrier.js';
import { WireError } from '../../translators/wire/errors.js';
import { sha256 } from '../../translators/wire/hash.js';
import { SHORT } from '../support/runs.js';
import { deflated, forge, utf8 } from './forge.js';

const DIALECT = 'responses';
const DOMAIN = 'abcdefghijkl';

function entry(payload: string, more: Partial<StateEntry> = {}): StateEntry {
  return { dialect: DIALECT, domain: DOMAIN, kind: 'reasoning', payload, ...more };
}

const kinds = fc.constantFrom<StateEntry['kind']>('reasoning', 'signature', 'hosted', 'summary', 'note', 'none');
const payloads = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 100, max: 3000 })).map(([text, n]) => text.repeat(n)),
  fc.constant('\uFEFF\u2028'),
);
const entries = fc.array(
  fc
    .record(
      {
        kind: kinds,
        payload: payloads,
        on: fc.constantFrom<NonNullable<StateEntry['on']>>('text', 'empty', 'call', 'image'),
        h: fc.string(),
      },
      { requiredKeys: ['kind', 'payload'] },
    )
    .map((rest): StateEntry => ({ dialect: DIALECT, domain: DOMAIN, ...rest })),
  { maxLength: 5 },
);

describe('the form', () => {
  test('the bytes are those of translation.md 4.2.1', () => {
    const bytes = decodeBase64(
      encodeCarrier('messages', 'dom', [
        entry('{"a":1}', { kind: 'signature', on: 'call', h: '00ff' }),
        entry('', { kind: 'none' }),
      ]),
    );
    const header = '{"d":"messages","b":"dom","e":[{"k":"signature","on":"call","h":"00ff","n":7},{"k":"none","n":0}]}';
    const body = Buffer.concat([
      Buffer.from('8a58a782e6b5', 'hex'),
      Uint8Array.of(0, header.length),
      utf8(header),
      utf8('{"a":1}'),
    ]);
    expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.concat([body, sha256(body).subarray(0, 4)]).toString('hex'));
  });

  test('payloads above 2 KiB are deflated, others are not', () => {
    const small = encodeCarrier(DIALECT, DOMAIN, [entry('a'.repeat(2048))]);
    const large = encodeCarrier(DIALECT, DOMAIN, [entry('a'.repeat(2049))]);
    expect(small.length).toBeGreaterThan(2048);
    expect(large.length).toBeLessThan(300);
    expect(Buffer.from(large, 'base64').toString('latin1')).toContain('"u":2049');
  });

  test('the text always begins with ilingua1, also after a client re-encoded it', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const text = encodeCarrier(DIALECT, DOMAIN, list);
        const bytes = Buffer.from(text, 'base64');
        expect(text.slice(0, 8)).toBe('ilingua1');
        for (const form of [text, bytes.toString('base64'), bytes.toString('base64url'), text.replaceAll('=', '')]) {
          expect(isCarrier(form)).toBe(true);
          expect(decodeCarrier(form)?.entries).toEqual(list);
        }
      }),
    );
    expect(isCarrier('ilingua2AAAA')).toBe(false);
    expect(isCarrier('')).toBe(false);
  });

  test('equal state gives equal text', () => {
    expect(encodeCarrier(DIALECT, DOMAIN, [entry('x'.repeat(5000))])).toBe(
      encodeCarrier(DIALECT, DOMAIN, [entry('x'.repeat(5000))]),
    );
  });
});

describe('there and back', () => {
  test('every payload comes back exactly', () => {
    fc.assert(
      fc.property(entries, fc.string(), fc.string(), (list, dialect, domain) => {
        const text = encodeCarrier(dialect, domain, list);
        expect(decodeCarrier(text)).toEqual({
          dialect,
          domain,
          entries: list.map((one) => ({ ...one, dialect, domain })),
        });
        expect(readCarrierHeader(text)).toEqual({ dialect, domain, kinds: list.map(({ kind }) => kind) });
      }),
      { numRuns: 200 },
    );
  });

  test('large payloads that hardly shrink, and such as shrink a thousandfold', () => {
    let state = 1;
    const noise = Array.from({ length: 300_000 }, () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return String.fromCharCode(33 + (state % 90));
    }).join('');
    for (const payload of [noise, '0'.repeat(4_000_000), 'ä👍'.repeat(300_000)]) {
      expect(decodeCarrier(encodeCarrier(DIALECT, DOMAIN, [entry(payload)]))?.entries[0]?.payload === payload).toBe(
        true,
      );
    }
  });

  /** What is read back of entries, and what was left out on the way. */
  const crossing = (list: StateEntry[]) => {
    const left: StateEntry[] = [];
    const text = encodeCarrier(DIALECT, DOMAIN, list, (one) => left.push(one));
    return { read: decodeCarrier(text)?.entries, left: left.reverse() };
  };

  test('of more entries than a header takes the last are written', () => {
    const list = Array.from({ length: 5000 }, (_, index) => entry(String(index)));
    const { read = [], left } = crossing(list);
    expect(read.length).toBeGreaterThan(2000);
    expect([...left, ...read]).toEqual(list);
  });

  test('a header may be filled to its last byte', () => {
    const full = (count: number) =>
      Array.from({ length: count }, (_, index) => entry('a', { kind: 'signature', on: 'call', h: 'h'.repeat(index) }));
    for (let count = 300; count < 400; count += SHORT ? 9 : 1) {
      const list = full(count);
      const { read = [], left } = crossing(list);
      expect([...left, ...read]).toEqual(list);
    }
  });

  test('a payload that no reader would inflate is not written, and those beside it are', () => {
    const [first, large, last] = [entry('first'), entry('a'.repeat(INFLATION_LIMIT + 1)), entry('last')];
    const { read, left } = crossing([first, large, last]);
    expect(read).toEqual([first, last]);
    expect(left).toEqual([large]);
  });

  test('payloads that no reader would inflate together give way to the last of them', () => {
    const list = ['a', 'b', 'c'].map((one) => entry(one.repeat(INFLATION_LIMIT / 2)));
    const { read, left } = crossing(list);
    expect(read).toEqual(list.slice(1));
    expect(left).toEqual(list.slice(0, 1));
  });

  test('a domain that fills the header alone is refused', () => {
    expect(() => encodeCarrier(DIALECT, 'x'.repeat(70_000), [])).toThrow(WireError);
  });
});

describe('damage', () => {
  const list = [entry('{"type":"reasoning"}'), entry('y'.repeat(3000), { kind: 'hosted' })];
  const good = encodeCarrier(DIALECT, DOMAIN, list);

  test('every truncation is found', () => {
    for (let length = 0; length < good.replaceAll('=', '').length; length += 1)
      expect(decodeCarrier(good.slice(0, length))).toBeUndefined();
  });

  test('every changed byte is found', () => {
    const bytes = decodeBase64(good);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      expect(decodeCarrier(encodeBase64(changed))).toBeUndefined();
    }
  });

  test.each([
    '',
    'ilingua1',
    'ilingua1AAA',
    'ilingua1////',
    'ilingua1 AAA',
    'EqQBCgIYAhIM',
    `${good}AAAA`,
    `${good} `,
    ` ${good}`,
  ])('%j is no carrier', (text) => {
    expect(decodeCarrier(text)).toBeUndefined();
    expect(peelCarrier(text, DOMAIN)).toBeUndefined();
  });

  test('any text is answered, never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (tail) => {
        for (const text of [tail, `ilingua1${tail}`]) {
          decodeCarrier(text);
          readCarrierHeader(text);
          peelCarrier(text, DOMAIN);
        }
      }),
    );
  });

  test('the header is read alone, without the payloads being whole', () => {
    const half = good.slice(0, good.length - 8);
    expect(readCarrierHeader(half)).toEqual({ dialect: DIALECT, domain: DOMAIN, kinds: ['reasoning', 'hosted'] });
    expect(readCarrierHeader(good.slice(0, 40))).toBeUndefined();
    expect(readCarrierHeader('ilingua1')).toBeUndefined();
    expect(readCarrierHeader('sig')).toBeUndefined();
  });
});

describe('forgery', () => {
  const e = [{ k: 'reasoning', n: 2 }];

  test('the forger itself writes what is accepted', () => {
    expect(decodeCarrier(forge({ d: 'm', b: 'x', e }, utf8('{}')))?.entries).toEqual([
      { dialect: 'm', domain: 'x', kind: 'reasoning', payload: '{}' },
    ]);
    expect(decodeCarrier(forge({ d: 'm', b: 'x', e: [] }))).toEqual({ dialect: 'm', domain: 'x', entries: [] });
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', '{}'],
    ['no object', [], ''],
    ['null', null, ''],
    ['no dialect', { b: 'x', e }, '{}'],
    ['domain of another type', { d: 'm', b: 1, e }, '{}'],
    ['no entries', { d: 'm', b: 'x' }, '{}'],
    ['an entry that is none', { d: 'm', b: 'x', e: [null] }, ''],
    ['unknown kind', { d: 'm', b: 'x', e: [{ k: 'constructor', n: 2 }] }, '{}'],
    ['unknown place', { d: 'm', b: 'x', e: [{ k: 'signature', on: 'x', n: 2 }] }, '{}'],
    ['h of another type', { d: 'm', b: 'x', e: [{ k: 'signature', h: 1, n: 2 }] }, '{}'],
    [
      'negative length',
      {
        d: 'm',
        b: 'x',
        e: [
          { k: 'none', n: -2 },
          { k: 'none', n: 4 },
        ],
      },
      '{}',
    ],
    [
      'broken length',
      {
        d: 'm',
        b: 'x',
        e: [
          { k: 'none', n: 1.5 },
          { k: 'none', n: 0.5 },
        ],
      },
      '{}',
    ],
    ['too short', { d: 'm', b: 'x', e: [{ k: 'none', n: 3 }] }, '{}'],
    ['too long', { d: 'm', b: 'x', e: [{ k: 'none', n: 1 }] }, '{}'],
    ['inflated length of another type', { d: 'm', b: 'x', e: [{ k: 'none', n: 2, u: '2' }] }, '{}'],
    ['not deflated', { d: 'm', b: 'x', e: [{ k: 'none', n: 2, u: 2 }] }, '{}'],
    ['nothing deflated', { d: 'm', b: 'x', e: [{ k: 'none', n: 0, u: 0 }] }, ''],
  ])('%s', (_, header, payload) => {
    expect(decodeCarrier(forge(header, utf8(payload)))).toBeUndefined();
  });

  test('a header length beyond the bytes, other magic, payload that is not UTF-8', () => {
    expect(
      decodeCarrier(encodeBase64(Uint8Array.of(...decodeBase64('ilingua1'), 255, 255, 0, 0, 0, 0))),
    ).toBeUndefined();
    expect(decodeCarrier(forge({ d: 'm', b: 'x', e }, utf8('{}'), '8a58a782e6b6'))).toBeUndefined();
    expect(decodeCarrier(forge({ d: 'm', b: 'x', e }, Uint8Array.of(0xff, 0xff)))).toBeUndefined();
  });

  test('inflation gives exactly what was declared or nothing', () => {
    for (const size of [0, 1, 5000, 100_000]) {
      expect(decodeCarrier(deflated(size, size))?.entries[0]?.payload).toHaveLength(size);
      expect(decodeCarrier(deflated(size, size + 1))).toBeUndefined();
      if (size > 0) expect(decodeCarrier(deflated(size, size - 1))).toBeUndefined();
    }
    const cut = deflateSync(utf8('abc'.repeat(1000).replace('b', 'x'))).slice(0, -3);
    expect(decodeCarrier(deflated(0, 3000, cut))).toBeUndefined();
  });

  test('the budget is shared and counts what false claims cost', () => {
    const budget = { left: 10_000 };
    const text = encodeCarrier('m', 'x', [entry('a'.repeat(4000))]);
    expect(decodeCarrier(text, { budget })).toBeDefined();
    expect(budget.left).toBe(6000);
    expect(decodeCarrier(text, { budget })).toBeDefined();
    expect(decodeCarrier(text, { budget })).toBeUndefined();
    expect(budget.left).toBe(2000);
    const whole = { left: INFLATION_LIMIT };
    expect(decodeCarrier(deflated(10_000_000, 3000), { budget: whole })).toBeUndefined();
    expect(whole.left).toBeLessThan(INFLATION_LIMIT - 9_000_000);
  });
});

describe('peelCarrier', () => {
  const inner = encodeCarrier('generateContent', 'google', [entry('SIG', { kind: 'signature', on: 'call' })]);
  const sig: StateEntry = {
    dialect: 'generateContent',
    domain: 'google',
    kind: 'signature',
    payload: 'SIG',
    on: 'call',
  };

  test('the outer layer', () => {
    expect(peelCarrier(inner, 'google')).toEqual([sig]);
    expect(peelCarrier(inner, 'other')).toBeUndefined();
    expect(peelCarrier(encodeCarrier('m', 'd', []), 'd')).toEqual([]);
  });

  test.each<[string, StateEntry]>([
    ['a thinking block', entry(JSON.stringify({ type: 'thinking', thinking: 'x', signature: inner }))],
    ['a redacted block', entry(JSON.stringify({ type: 'redacted_thinking', data: inner }))],
    ['a reasoning item', entry(JSON.stringify({ type: 'reasoning', encrypted_content: inner, summary: [] }))],
    ['a thought part', entry(JSON.stringify({ text: '', thoughtSignature: inner }))],
    [
      'a pair',
      entry(JSON.stringify([{ type: 'server_tool_use' }, { type: 'x', encrypted_content: inner }]), { kind: 'hosted' }),
    ],
    ['a signature alone', entry(inner, { kind: 'signature', on: 'text' })],
  ])('a carrier inside %s', (_, one) => {
    const outer = encodeCarrier('messages', 'gate', [one]);
    expect(peelCarrier(outer, 'google')).toEqual([sig]);
    expect(peelCarrier(outer, 'gate')).toEqual([{ ...one, dialect: 'messages', domain: 'gate' }]);
    expect(peelCarrier(outer, 'other')).toBeUndefined();
    expect(peelCarrier(outer, 'google', 1)).toBeUndefined();
  });

  function wrap(text: string, domain: string): string {
    return encodeCarrier('messages', domain, [
      entry(JSON.stringify({ type: 'thinking', thinking: '', signature: text })),
    ]);
  }

  test('four layers and no more are opened', () => {
    const three = wrap(wrap(wrap(inner, 'a'), 'b'), 'c');
    expect(peelCarrier(three, 'google')).toEqual([sig]);
    expect(peelCarrier(wrap(three, 'd'), 'google')).toBeUndefined();
    expect(peelCarrier(wrap(three, 'd'), 'a')).toHaveLength(1);
  });

  test('the innermost match wins', () => {
    expect(peelCarrier(wrap(wrap(inner, 'x'), 'google'), 'google')).toEqual([sig]);
  });

  test('entries of one layer are kept in order, each from its innermost match', () => {
    const own = entry('{"type":"reasoning"}', { domain: 'google', dialect: 'generateContent' });
    const outer = encodeCarrier('generateContent', 'google', [own, entry(inner, { kind: 'signature' }), own]);
    expect(peelCarrier(outer, 'google')).toEqual([own, sig, own]);
    const foreign = encodeCarrier('messages', 'gate', [own, entry(inner, { kind: 'signature' })]);
    expect(peelCarrier(foreign, 'google')).toEqual([sig]);
  });

  test('a damaged layer inside leaves the layer around it whole', () => {
    const outer = wrap(`${inner.slice(0, 20)}AAAA`, 'gate');
    expect(peelCarrier(outer, 'gate')).toHaveLength(1);
    expect(peelCarrier(outer, 'google')).toBeUndefined();
  });

  test('mention of a carrier in text or in broken JSON opens nothing', () => {
    for (const payload of [
      JSON.stringify({ text: inner }),
      `{"signature":"${inner}`,
      JSON.stringify({ signature: `x${inner}` }),
    ]) {
      expect(peelCarrier(encodeCarrier('messages', 'gate', [entry(payload)]), 'google')).toBeUndefined();
    }
  });

  test('all layers share one budget', () => {
    const deep = encodeCarrier('messages', 'gate', [
      entry(JSON.stringify({ signature: encodeCarrier('m', 'in', [entry('a'.repeat(9000))]), pad: 'b'.repeat(5000) })),
    ]);
    expect(peelCarrier(deep, 'in', 4, { budget: { left: 20_000 } })).toHaveLength(1);
    expect(peelCarrier(deep, 'in', 4, { budget: { left: 10_000 } })).toBeUndefined();
  });
});
