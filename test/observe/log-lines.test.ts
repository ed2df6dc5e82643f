import { describe, expect, test } from '@jest/globals';
import { createLines } from '../../src/observe/log-lines.js';

/** A file whose reader takes so many bytes at a time, or throws an error with this code. */
function reader() {
  let text = '';
  let calls = 0;
  const file = {
    takes: Number.POSITIVE_INFINITY as number | string,
    text: () => text,
    calls: () => calls,
    put(_fd: number, bytes: Uint8Array): number {
      calls += 1;
      if (typeof file.takes === 'string') throw Object.assign(new Error('no'), { code: file.takes });
      const taken = Buffer.from(bytes.subarray(0, file.takes));
      text += taken.toString('latin1');
      return taken.length;
    },
  };
  return file;
}

describe('lines', () => {
  test('are gathered, and come whole and in order, however few bytes are taken at a time', () => {
    const file = reader();
    const lines = createLines(2, file.put);
    lines.write('one é\n');
    expect(file.calls()).toBe(0);
    file.takes = 3;
    lines.write('two\n');
    lines.flush();
    expect(file.text()).toBe(Buffer.from('one é\ntwo\n').toString('latin1'));
    lines.write('x'.repeat(5000));
    expect(file.text().length).toBe(11 + 5000);
  });

  test('wait for a reader that stands still, but not without end', () => {
    const file = reader();
    const lines = createLines(2, file.put);
    file.takes = 'EAGAIN';
    lines.write('one\n');
    lines.flush();
    for (let index = 0; index < 3000; index += 1) lines.write('x'.repeat(1000));
    expect(file.calls()).toBe(1);
    file.takes = Number.POSITIVE_INFINITY;
    lines.flush();
    expect(file.text().startsWith('one\nxxx')).toBe(true);
    expect(file.text().length).toBeLessThan(1_100_000);
    file.takes = 'ENOSPC';
    lines.write('lost\n');
    lines.flush();
    file.takes = Number.POSITIVE_INFINITY;
    lines.write('two\n');
    lines.finish();
    expect(file.text().endsWith('xtwo\n')).toBe(true);
  });

  test('a slow reader has a moment at the end, and one that is gone is never waited for', () => {
    const file = reader();
    const lines = createLines(2, file.put);
    file.takes = 'EAGAIN';
    lines.write('one\n');
    lines.finish();
    expect(file.calls()).toBeGreaterThan(1);
    const before = file.calls();
    file.takes = 'EPIPE';
    lines.flush();
    lines.write('x'.repeat(5000));
    lines.finish();
    expect(file.calls()).toBe(before + 1);
  });
});
