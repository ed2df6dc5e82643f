import { expect, test } from '@jest/globals';
import { linesOfUsage } from '../../src/cli/usage-table.js';
import { FIGURES, type Figures } from '../../src/usage/index.js';

const figures = (some: Partial<Figures>): Figures => ({
  ...(Object.fromEntries(FIGURES.map((name) => [name, 0])) as unknown as Figures),
  ...some,
});

test('a cost of which nothing is known is no zero, and a sum says how many it lacks', () => {
  const lines = linesOfUsage({
    ...{ since: '2026-11-28T10:00:00Z', until: null, by: ['model'], currency: 'USD' },
    rows: [
      { model: 'unpriced', ...figures({ requests: 2, costUnknown: 2 }) },
      { model: 'refused', ...figures({ requests: 1, errors: 1 }) },
      { model: 'mixed', ...figures({ requests: 2, cost: 0.5, costUnknown: 1 }) },
    ],
    total: figures({ requests: 5, errors: 1, cost: 0.5, costUnknown: 3 }),
  });
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['usage from 2026-11-28T10:00:00Z to now (UTC)'],
    ['model', 'requests', 'errors', 'input', 'output', 'USD', 'unpriced', 'seconds'],
    ['unpriced', '2', '0', '0', '0', '–', '2', '0'],
    ['refused', '1', '1', '0', '0', '0.0000', '0', '0'],
    ['mixed', '2', '0', '0', '0', '0.5000', '1', '0'],
    ['total', '5', '1', '0', '0', '0.5000', '3', '0'],
  ]);
});
