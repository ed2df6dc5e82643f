import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WireError } from '../../translators/wire/errors.js';
import { createSseCutter, formatSse, type SseCutterOptions } from '../../translators/wire/sse.js';
import { leastOf, processorMs } from '../support/cost.js';
import { SHORT } from '../support/runs.js';

type Outcome = { events: [string, string][]; rest: string };

function cut(chunks: Iterable<string | Uint8Array>, options?: SseCutterOptions): Outcome {
  const events: [string, string][] = [];
  const cutter = createSseCutter((event, data) => events.push([event, data]), options);
  for (const chunk of chunks) cutter.push(chunk);
  cutter.end();
  return { events, rest: cutter.rest };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function pieces(whole: Uint8Array, size: number): Uint8Array[] {
  const out: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += size) out.push(whole.subarray(at, at + size));
  return out;
}

function split<T extends string | Uint8Array>(whole: T, at: readonly number[]): T[] {
  const cuts = [...new Set(at.map((n) => n % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, i) => whole.slice(from, cuts[i] ?? whole.length) as T);
}

describe('the standard', () => {
  const vectors: [string, string, [string, string][]][] = [
    ['one event', 'data: a\n\n', [['', 'a']]],
    ['without the space', 'data:a\n\n', [['', 'a']]],
    ['only one space is taken', 'data:  a\n\n', [['', ' a']]],
    ['a name', 'event: x\ndata: a\n\n', [['x', 'a']]],
    ['a name after the data', 'data: a\nevent:x\n\n', [['x', 'a']]],
    ['the last name counts', 'event: x\nevent: y\ndata: a\n\n', [['y', 'a']]],
    ['several data lines', 'data: YHOO\ndata: +2\ndata: 10\n\n', [['', 'YHOO\n+2\n10']]],
    [
      'several events',
      'data: a\n\ndata: b\n\n',
      [
        ['', 'a'],
        ['', 'b'],
      ],
    ],
    ['comments', ': hello\n\n:\ndata: a\n: x\ndata: b\n\n', [['', 'a\nb']]],
    ['unknown fields', 'id: 1\nretry: 10\nfoo\ndatax: 1\ndat: 2\ndata: a\n\n', [['', 'a']]],
    ['a field in other letters is unknown', 'Data: b\ndata : c\n data: d\ndata: a\n\n', [['', 'a']]],
    ['data without colon', 'data\n\ndata\ndata: a\n\n', [['', '\na']]],
    ['empty data is no event', 'event: x\ndata:\n\ndata: \n\ndata\ndata:  \n\ndata: a\n\n', [['', 'a']]],
    ['a name alone is none, and is forgotten', 'event: x\n\ndata: a\n\n', [['', 'a']]],
    ['a name without colon empties the name', 'event: x\nevent\ndata: a\n\n', [['', 'a']]],
    ['colons in the value', 'data: a: b:c\n\n', [['', 'a: b:c']]],
    ['CRLF', 'event: x\r\ndata: a\r\ndata: b\r\n\r\n', [['x', 'a\nb']]],
    [
      'CR',
      'event: x\rdata: a\rdata: b\r\rdata: c\r\r',
      [
        ['x', 'a\nb'],
        ['', 'c'],
      ],
    ],
    [
      'mixed line ends',
      'data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r',
      [
        ['', 'a\nb\nc'],
        ['', 'd'],
      ],
    ],
    ['BOM', '\uFEFFdata: a\n\n', [['', 'a']]],
    ['a second BOM is text', '\uFEFF\uFEFFdata: b\n\ndata: \uFEFFa\n\n', [['', '\uFEFFa']]],
    ['only CR and LF end lines', 'data: a\u2028b\u2029c\u0085d\u000be\n\n', [['', 'a\u2028b\u2029c\u0085d\u000be']]],
    ['many blank lines', '\n\n\r\n\rdata: a\n\n\n\n', [['', 'a']]],
    ['nothing', '', []],
  ];

  test.each(vectors)('%s', (_, text, events) => {
    expect(cut([text])).toEqual({ events, rest: '' });
  });

  test.each(vectors)('%s, in single characters and bytes', (_, text, events) => {
    expect(cut([...text])).toEqual({ events, rest: '' });
    for (const size of [1, 2, 3, 7]) expect(cut(pieces(bytes(text), size))).toEqual({ events, rest: '' });
  });
});

describe('chunks', () => {
  test('an event is reported by the push that completes it', () => {
    const events: string[] = [];
    const cutter = createSseCutter((_, data) => events.push(data));
    cutter.push('data: a\n');
    expect(events).toEqual([]);
    cutter.push('\n');
    expect(events).toEqual(['a']);
    cutter.push('data: b\r');
    cutter.push('\n\r');
    expect(events).toEqual(['a', 'b']);
    cutter.push('\ndata: c\r\r');
    expect(events).toEqual(['a', 'b', 'c']);
    expect(cutter.rest).toBe('');
  });

  test('CR and LF in different chunks are one line end', () => {
    expect(cut(['data: a\r', '\n\r', '\ndata: b\r', '\n', '\r\n']).events).toEqual([
      ['', 'a'],
      ['', 'b'],
    ]);
  });

  test('empty chunks change nothing', () => {
    expect(cut(['', 'data: a\r', '', '\ndata: b', '', '\n\n']).events).toEqual([['', 'a\nb']]);
    expect(
      cut([new Uint8Array(), bytes('data: ä').subarray(0, 7), new Uint8Array(), bytes('ä\n\n').subarray(1)]).events,
    ).toEqual([['', 'ä']]);
  });

  test('characters cut in the middle', () => {
    const text = 'data: "Grüße 👩‍👩‍👧 \u2028 日本"\n\n';
    for (const size of [1, 2, 3, 5]) expect(cut(pieces(bytes(text), size)).events).toEqual([['', text.slice(6, -2)]]);
  });

  test('bytes that are not UTF-8 become replacement characters, however they are cut', () => {
    const raw = new Uint8Array([...bytes('data: '), 0xff, 0xe2, 0x82, 0x41, 0xc3, 10, 10]);
    const whole = cut([raw]);
    expect(whole.events).toEqual([['', '\uFFFD\uFFFDA\uFFFD']]);
    expect(cut(pieces(raw, 1))).toEqual(whole);
  });

  const fragment = fc.constantFrom(
    'data: ',
    'data:',
    'data',
    'event: ',
    'event',
    ':',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\r\n\r\n',
    '{',
    '}',
    '{"a":"}\\"',
    '"',
    '\\',
    'x',
    'ä',
    '👍',
    '\u2028',
    '[DONE]',
    '{"a":1}',
    ' ',
    '\uFEFF',
  );
  const stream = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(''));
  const cuts = fc.array(fc.nat(400), { maxLength: 30 });

  test('any chunking gives the same events and the same rest', () => {
    fc.assert(
      fc.property(stream, cuts, (text, at) => {
        const whole = cut([text]);
        expect(cut(split(bytes(text), at))).toEqual(whole);
        expect(cut(split(text, at))).toEqual(whole);
        expect(cut(pieces(bytes(text), 1))).toEqual(whole);
      }),
      { numRuns: SHORT ? 300 : 1500 },
    );
  });

  test('what was formatted comes back', () => {
    const field = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n\ud800-\udfff]/g, ''));
    const data = fc
      .array(field)
      .map((lines) => lines.join('\n'))
      .filter((text) => text.trim() !== '');
    const event = fc.tuple(field, data);
    fc.assert(
      fc.property(fc.array(event), cuts, (events, at) => {
        const text = events.map(([name, value]) => formatSse(name, value)).join('');
        expect(cut(split(bytes(text), at))).toEqual({ events, rest: '' });
        const bare = events.map(([, value]) => `data: ${value.replaceAll('\n', '\r\ndata: ')}\r\n\r\n`).join('');
        expect(cut(split(bytes(bare), at)).events).toEqual(events.map(([, value]) => ['', value]));
      }),
    );
  });
});

describe('the end of the stream', () => {
  test.each([
    ['data: a\n', [['', 'a']], ''],
    ['event: x\r\ndata: a\r\n', [['x', 'a']], ''],
    ['data: {"a":[1]}', [['', '{"a":[1]}']], ''],
    ['event: message_stop\ndata: {"type":"message_stop"}', [['message_stop', '{"type":"message_stop"}']], ''],
    ['data: [DONE]', [['', '[DONE]']], ''],
    ['data: {"a":\ndata: 1}', [['', '{"a":\n1}']], ''],
    ['data: {"a":1}\nid: 7', [['', '{"a":1}']], ''],
    ['data: a\n\n: bye', [['', 'a']], ''],
    ['data: a\n\n\n', [['', 'a']], ''],
  ])('complete: %j', (text, events, rest) => {
    expect(cut([text])).toEqual({ events, rest });
    expect(cut([...text])).toEqual({ events, rest });
  });

  test.each([
    ['data: a\n\ndata: {"a":"b', [['', 'a']], 'data: {"a":"b'],
    ['data: {"a":1}\n\nevent: x\ndata: 12', [['', '{"a":1}']], 'event: x\ndata: 12'],
    ['event: x\n', [], 'event: x\n'],
    ['event: mess', [], 'event: mess'],
    ['data: a\n\nda', [['', 'a']], 'da'],
    ['data', [], 'data'],
    ['data: [DO', [], 'data: [DO'],
  ])('cut inside an event: %j', (text, events, rest) => {
    expect(cut([text])).toEqual({ events, rest });
    expect(cut([...text])).toEqual({ events, rest });
  });

  test('every proper prefix of one event reports nothing before its data is whole', () => {
    const frame = 'event: delta\ndata: {"text":"a } b"}\n\n';
    for (let length = 1; length < frame.indexOf('\n\n'); length += 1) {
      expect(cut([frame.slice(0, length)])).toEqual({ events: [], rest: frame.slice(0, length) });
    }
    expect(cut([frame.slice(0, -2)]).events).toEqual([['delta', '{"text":"a } b"}']]);
  });
});

describe('bare JSON', () => {
  const error = '{\n  "error": {\n    "code": 503,\n    "message": "a \\"}\\" b",\n    "status": "UNAVAILABLE"\n  }\n}';

  test('a pretty-printed object in mid-stream is one unnamed event', () => {
    for (const end of ['', '\n', '\n\n', '\r\n\r\n']) {
      const text = `data: {"a":1}\r\n\r\n${error.replaceAll('\n', '\r\n')}${end}`;
      const expected = {
        events: [
          ['', '{"a":1}'],
          ['', error],
        ],
        rest: '',
      };
      expect(cut([text])).toEqual(expected);
      expect(cut(pieces(bytes(text), 1))).toEqual(expected);
    }
  });

  test('the stream goes on after it', () => {
    expect(cut([`${error}\n\ndata: b\n\n`]).events).toEqual([
      ['', error],
      ['', 'b'],
    ]);
  });

  test('on one line, without a blank line, after its own event', () => {
    const one = '{"error":{"code":503}}';
    expect(cut([`data: ${one}\n\n${one}`])).toEqual({
      events: [
        ['', one],
        ['', one],
      ],
      rest: '',
    });
    expect(cut([`data: ${one}\n${one}\n`]).events).toEqual([
      ['', one],
      ['', one],
    ]);
  });

  test('a blank line inside it does not end it, and no name sticks to it', () => {
    expect(cut(['event: x\n{\n\n"a": 1}\n']).events).toEqual([['', '{\n\n"a": 1}']]);
  });

  test('cut in the middle it is reported as far as it came, and stays in rest', () => {
    expect(cut(['{"error": {\n"code"'])).toEqual({
      events: [['', '{"error": {\n"code"']],
      rest: '{"error": {\n"code"',
    });
  });
});

describe('size', () => {
  test('the longest event that is allowed passes, in any chunks', () => {
    const frame = `data: ${'a'.repeat(94)}\n\n`;
    for (const chunks of [[frame.repeat(5)], [...frame.repeat(5)]]) {
      expect(cut(chunks, { maxBytes: 101 }).events).toHaveLength(5);
    }
  });

  test.each([
    ['one long line', `data: ${'a'.repeat(200)}\n\n`],
    ['many short lines', 'data: a\n'.repeat(30)],
    ['no line end', 'a'.repeat(200)],
    ['a bare object', `{${'\n'.repeat(200)}`],
  ])('%s is refused', (_, text) => {
    for (const chunks of [[text], [...text]]) {
      expect(() => cut(chunks, { maxBytes: 100 })).toThrow(expect.objectContaining({ reason: 'too_large' }));
      expect(() => cut(chunks, { maxBytes: 100 })).toThrow(WireError);
    }
  });

  test('events and comments before it do not count', () => {
    expect(cut([`${': ping\n'.repeat(100)}${'data: a\n\n'.repeat(100)}`], { maxBytes: 20 }).events).toHaveLength(100);
  });

  test('time is linear in the size of one event', async () => {
    const time = (megabytes: number): Promise<number> => {
      const chunks = pieces(bytes(`data: "${'A'.repeat(megabytes * 1024 * 1024)}"\n\n`), 16 * 1024);
      return processorMs(() => expect(cut(chunks).events).toHaveLength(1));
    };
    await time(2);
    // Quadratic work would take 64 times as long, each time.
    const allowed = Math.max(await leastOf(0, () => time(2), 3), 5) * 8 * 4;
    expect(await leastOf(allowed, () => time(16), 10)).toBeLessThan(allowed);
  });

  test('single characters and empty data lines cost no more than their length', () => {
    expect(cut(pieces(bytes(`data: ${'a'.repeat(300_000)}\n\n`), 1)).events[0]?.[1]).toHaveLength(300_000);
    expect(cut(['data:\n'.repeat(299_999), 'data: a\n\n']).events[0]?.[1] === `${'\n'.repeat(299_999)}a`).toBe(true);
  });
});

describe('formatting', () => {
  test('frames', () => {
    expect(formatSse('message_stop', '{}')).toBe('event: message_stop\ndata: {}\n\n');
  });

  test('data with line ends cannot break the frame', () => {
    expect(formatSse('x', 'a\n\nevent: y\rb\r\nc')).toBe(
      'event: x\ndata: a\ndata: \ndata: event: y\ndata: b\ndata: c\n\n',
    );
  });
});
