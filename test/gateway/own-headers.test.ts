import { describe, expect, test } from '@jest/globals';
import { formatLosses, lossHeaders } from '../../src/own-headers.js';
import type { Loss } from '../../translators/canonical/loss.js';

const loss = (path: string, feature: Loss['feature'] = 'sampling.topK', detail = 'd'): Loss => ({
  path,
  feature,
  kind: 'dropped',
  detail,
});

describe('losses as a header', () => {
  test('one entry', () => {
    expect(formatLosses([loss('/top_k')])).toBe('sampling.topK;kind=dropped;path="/top_k"');
  });

  test('entries that differ only in their path stand once', () => {
    expect(formatLosses([loss('/a'), loss('/b', 'user'), loss('/c')])).toBe(
      'sampling.topK;kind=dropped;path="/a";n=2, user;kind=dropped;path="/b"',
    );
  });

  test('what is not ASCII is percent-encoded, quotes and backslashes are escaped', () => {
    expect(formatLosses([loss('/ü"\\\u0000\ud800', 'ext.na me€')])).toBe(
      'ext.na%20me%E2%82%AC;kind=dropped;path="/%C3%BC\\"\\\\%00%EF%BF%BD"',
    );
  });

  test('at most 4 KiB, then the token more', () => {
    const many = Array.from({ length: 500 }, (_, index) => loss(`/messages/${index}/x`, `ext.key${index}`));
    const text = formatLosses(many);
    expect(text.length).toBeLessThanOrEqual(4096);
    expect(text.endsWith(', more')).toBe(true);
    expect(lossHeaders(many)['x-interlingua-losses']).toBe('500');
  });

  test('none', () => expect(lossHeaders([])).toEqual({ 'x-interlingua-losses': '0' }));
});
