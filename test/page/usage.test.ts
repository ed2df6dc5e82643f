import { describe, expect, test } from '@jest/globals';
import { uptimeText } from '../../page/frame/uptime.js';
import { filtered, tableIn } from '../../page/models/rows.js';
import { figureText, plotted, sumText } from '../../page/usage/report.js';

/** The present minute of the gateway, which the clock of a browser need not know. */
const NOW = Date.UTC(2026, 10, 28, 14, 30) / 1000;
/** What a report has that was asked for the hours since `11:00`. */
const REPORT = { since: '2026-11-28T11:00:00Z', until: null };

const HOURS = (count: number) => ({ unit: 'hour', count }) as const;

const row = (hour: string, model: string, requests: number, more: object = {}) => ({
  ...{ hour: `2026-11-28T${hour}:00:00Z`, model, requests, errors: 0, inputTokens: 10, outputTokens: 5, cost: 0.5 },
  ...{ costUnknown: 0, ...more },
});

/** What a report is plotted as. */
function plottedOf(...given: Parameters<typeof plotted>) {
  const found = plotted(...given);
  if (found === undefined) throw new Error('this is no report');
  return found;
}

describe('what the plots show', () => {
  test('has every hour, and the names with most requests', () => {
    const rows = [
      ...[row('12', 'b', 1), row('14', 'b', 2, { errors: 1, costUnknown: 2 }), row('14', 'a', 5), row('14', '', 1)],
      ...['c', 'd', 'e', 'f'].map((name) => row('13', name, 2)),
      row('03', 'too old', 100),
      'no row',
    ];
    const { times, series, total } = plottedOf({ ...REPORT, rows }, 'model', HOURS(4));
    expect(times.map((time) => new Date(time * 1000).toISOString().slice(11, 16))).toEqual([
      '11:00',
      '12:00',
      '13:00',
      '14:00',
    ]);
    expect(series.map(({ name, total: { requests } }) => [name, requests])).toEqual([
      ...[
        ['a', 5],
        ['b', 3],
        ['c', 2],
        ['d', 2],
      ],
      ['3 more', 5],
    ]);
    expect(series[1]?.sums.map(({ requests }) => requests)).toEqual([0, 1, 0, 2]);
    expect([total.requests, total.errors, total.costUnknown]).toEqual([17, 1, 2]);
  });

  test('has every minute of the last hour, that which began an hour ago aside', () => {
    const minute = (at: string, requests: number) => ({ ...row('14', 'a', requests), minute: `2026-11-28T${at}:00Z` });
    const rows = [minute('13:30', 100), minute('13:31', 1), minute('14:30', 2)];
    const report = { since: '2026-11-28T13:31:00Z', until: null, rows };
    const { times, series, total } = plottedOf(report, 'model', { unit: 'minute', count: 60 });
    expect(times.map((time) => (time - NOW) / 60)).toEqual(Array.from({ length: 60 }, (_, index) => index - 59));
    expect(series.map(({ sums }) => sums.map(({ requests }) => requests))).toEqual([[1, ...Array(58).fill(0), 2]]);
    expect(total.requests).toBe(3);
  });

  test('is nothing where nothing is told', () => {
    for (const rows of [undefined, null, 'x', [], [{}, null]])
      expect(plotted({ ...REPORT, rows }, 'key', HOURS(24))).toMatchObject({ series: [], total: { requests: 0 } });
    for (const report of [undefined, null, 'x', {}, { rows: [] }, { since: 'x' }])
      expect(plotted(report, 'key', HOURS(24))).toBeUndefined();
  });

  test('a cost of which nothing is known is no zero', () => {
    const costOf = (cost: number, costUnknown: number): string =>
      sumText(
        'cost',
        plottedOf({ ...REPORT, rows: [row('14', 'a', 3, { cost, costUnknown })] }, 'model', HOURS(4)).total,
      );
    expect([costOf(0, 3), costOf(0, 0), costOf(0.5, 2)]).toEqual(['–', '$0.00', '$0.50']);
  });

  test.each([
    ['requests', 1234, '1,234'],
    ['tokens', 1_234_567, '1.2M'],
    ['cost', 0, '$0.00'],
    ['cost', 0.001, '<$0.01'],
    ['cost', 12.345, '$12.35'],
  ] as const)('%s %s is %s', (figure, value, text) => expect(figureText(figure, value)).toBe(text));
});

test.each([
  [59_000, '0 min'],
  [3_599_000, '59 min'],
  [11_520_000, '3 h 12 min'],
  [187_200_000, '2 d 4 h'],
  [-5000, '0 min'],
])('after %i ms a gateway is up for %s', (ms, text) =>
  expect(uptimeText(NOW * 1000 - ms, NOW * 1000)).toMatch(
    new RegExp(`^up for ${text}, since \\d+ Nov, \\d\\d:\\d\\d$`),
  ),
);

describe('the table of models', () => {
  const answer = {
    models: [
      { name: 'quiet', targets: [{ backend: 'a', dialect: 'messages', baseUrl: 'https://one.example/v1' }] },
      {
        name: 'busy',
        used: { since: 'x', requests: 3, errors: 0 },
        targets: [{ backend: 'b', model: 'gpt-5', dialect: 'responses' }],
      },
      {
        name: 'any-*',
        used: { since: 'x', requests: 9, errors: 1 },
        targets: [{ backend: 'b', dialect: 'responses' }],
      },
    ],
  };

  test('has the names that are used most first', () => {
    const { rows, since } = tableIn(answer);
    expect([rows.map(({ name }) => name), since]).toEqual([['any-*', 'busy', 'quiet'], 'x']);
  });

  test.each([
    ['GPT', ['busy']],
    ['one.example', ['quiet']],
    ['simulator', ['any-*', 'busy']],
    ['any', ['any-*']],
    ['  ', ['any-*', 'busy', 'quiet']],
    ['nothing', []],
  ])('%s finds %j', (text, names) =>
    expect(filtered(tableIn(answer).rows, text).map(({ name }) => name)).toEqual(names),
  );

  test('an answer of another shape is an empty table', () => {
    for (const other of [undefined, [], { models: 7 }, 'x']) expect(tableIn(other).rows).toEqual([]);
  });
});
