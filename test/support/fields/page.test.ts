import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fieldsPage } from './page.js';

test('the page of fields is what the translators do', () => {
  const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'fields.md');
  const text = fieldsPage();
  if (process.env.UPDATE === '1') writeFileSync(page, text);
  expect(readFileSync(page, 'utf8')).toBe(text);
});
