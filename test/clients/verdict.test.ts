import { describe, expect, test } from '@jest/globals';
import { judge, type Row, readRow } from './verdict.js';

const row = (check: string, why: string | null = null): Row => ({ client: 'sdk', backend: 'messages', check, why });
const FAULT = { client: /^sdk$/, backend: /./, check: /^slow$/, why: 'it counts twice' };

describe('the verdict on the clients of a language', () => {
  test('counts what passed, and is good when nothing fell', () => {
    const { text, good } = judge([row('whole'), { ...row('slow'), backend: 'responses' }], []);
    expect(text).toContain('sdk     1 of 1    1 of 1');
    expect(good).toBe(true);
  });

  test('is bad when something fell, and says what and why', () => {
    const { text, good } = judge([row('whole', 'read nothing'), row('slow')], []);
    expect(text).toContain('sdk     1 of 2');
    expect(text).toContain('FELL  sdk over messages, whole: read nothing');
    expect(good).toBe(false);
  });

  test('is good when what fell is known, and tells of it', () => {
    const { text, good } = judge([row('whole'), row('slow', 'read 4')], [FAULT]);
    expect(text).toContain('known 1 rows of sdk: it counts twice');
    expect(good).toBe(true);
  });

  test('is bad when something known does not fall, or was not asked', () => {
    for (const rows of [[row('slow')], [row('whole')]]) {
      const { text, good } = judge(rows, [FAULT]);
      expect(text).toContain('MENDED, take it from the list: it counts twice');
      expect(good).toBe(false);
    }
  });

  test('is bad when no row came', () => {
    expect(judge([], []).good).toBe(false);
  });

  test('reads rows and passes over what else a program prints', () => {
    expect(readRow('{"client":"sdk","backend":"messages","check":"slow","why":null}')).toEqual(row('slow'));
    for (const line of ['', 'a warning']) expect(readRow(line)).toBeUndefined();
  });

  test('lets a line fall that only looks like a row', () => {
    for (const line of ['{}', '{"client":"sdk"}', '{and so on'])
      expect(readRow(line)?.why).toBe(`it is no row: ${line}`);
  });
});
