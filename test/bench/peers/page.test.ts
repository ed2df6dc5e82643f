import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { MARKS, PAGE, printComparison } from './page.js';

test('docs/comparison.md is what the runs say; UPDATE=1 writes it', () => {
  const text = readFileSync(PAGE, 'utf8');
  const printed = printComparison();
  if (process.env.UPDATE === '1')
    writeFileSync(
      PAGE,
      text.replace(MARKS, () => `${printed}\n`),
    );
  else expect(MARKS.exec(text)?.[0]).toBe(`${printed}\n`);
});
