import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatLosses, lossHeaders, relayedLossHeaders } from '../../src/protocol/own-headers.js';
import type { Loss } from '../../translators/canonical/loss.js';
import { runs } from '../support/runs.js';
import { parseList } from '../support/structured-list.js';

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

  test('the detail is not told, and makes no entry of its own', () => {
    expect(formatLosses([loss('/a', 'user', 'one'), loss('/b', 'user', 'another')])).toBe(
      'user;kind=dropped;path="/a";n=2',
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
    expect(lossHeaders(many)['x-interlingua-losses']).toBe('500;minor=0');
  });

  test('any path and key: a list of RFC 8941 whose decoded paths are those of the losses', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 100 }), (pairs) => {
        const losses = pairs.map(([path, key]) => loss(`/${path}`, `ext.${key}`));
        const header = formatLosses(losses);
        expect(Buffer.byteLength(header)).toBeLessThanOrEqual(4096);
        const members = parseList(header);
        const firsts = new Map([...losses].reverse().map(({ feature, path }) => [feature, path]));
        const told = members.filter(({ token }) => token !== 'more');
        for (const { token, parameters } of told) {
          expect(firsts.get(decodeURIComponent(token) as Loss['feature'])).toBe(
            decodeURIComponent(String(parameters.path)),
          );
        }
        if (told.length === members.length) {
          expect(told.reduce((sum, { parameters }) => sum + Number(parameters.n ?? 1), 0)).toBe(losses.length);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('none', () => expect(lossHeaders([])).toEqual({ 'x-interlingua-losses': '0;minor=0' }));

  test('none of what was relayed', () => expect(relayedLossHeaders([])).toEqual({ 'x-interlingua-losses': '0' }));

  test('what was rewritten of what was relayed is counted like any other', () => {
    expect(relayedLossHeaders([loss('/a')])).toEqual(lossHeaders([loss('/a')]));
  });

  test('apart: what strict would count; hints, inventions and moves; figures about the answer not at all', () => {
    const losses: Loss[] = [
      loss('/top_k'),
      { ...loss('/reasoning', 'reasoning.effort'), kind: 'approximated' },
      loss('/user', 'user'),
      { ...loss('', 'maxOutput'), kind: 'invented' },
      { ...loss('/tools/0', 'tool.name'), kind: 'moved' },
      loss('', 'telemetry'),
    ];
    const headers = lossHeaders(losses);
    expect(headers['x-interlingua-losses']).toBe('2;minor=3');
    expect(parseList(String(headers['x-interlingua-loss'])).map(({ token }) => token)).toEqual(
      losses.map(({ feature }) => feature),
    );
  });
});
