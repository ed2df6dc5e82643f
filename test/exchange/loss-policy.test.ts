import { describe, expect, test } from '@jest/globals';
import { lossPolicy } from '../../src/protocol/loss-policy.js';

const CONFIGURED = { policy: 'report', allow: ['stop'] } as const;

describe('the policy of one request', () => {
  test('without the header is the configured one', () => {
    expect(lossPolicy(CONFIGURED, undefined)).toEqual(CONFIGURED);
  });

  test.each([
    ['strict', 'strict', []],
    ['report', 'report', []],
    [' Strict ', 'strict', []],
    ['strict;allow=""', 'strict', []],
    ['strict;allow="sampling.topK tool.*"', 'strict', ['sampling.topK', 'tool.*']],
    ['strict; allow="sampling.topK, tool.*"', 'strict', ['sampling.topK', 'tool.*']],
    ['strict; allow=sampling.*', 'strict', ['sampling.*']],
    ['strict;allow="*"', 'strict', ['*']],
    ['strict;allow="ext.some-key ext.*"', 'strict', ['ext.some-key', 'ext.*']],
    ['report;allow="stop"', 'report', ['stop']],
    ['strict;allow="agents"', 'strict', ['agents']],
    ['strict;allow="agents sampling.*"', 'strict', ['agents', 'sampling.*']],
  ])('%j', (header, policy, allow) => {
    expect(lossPolicy(CONFIGURED, header)).toEqual({ policy, allow: ['stop', ...allow] });
  });

  test.each([
    ['', /must be strict or report/],
    ['loose', /must be strict or report/],
    ['strict, report', /must be strict or report/],
    ['strict;allow=sampling.topK tool.*', /must be strict or report/],
    ['strict;allow="stop', /must be strict or report/],
    ['strict;deny="stop"', /must be strict or report/],
    ['strict allow="stop"', /must be strict or report/],
    ['strict;allow="sampling.topk"', /`sampling\.topk` is not a feature; did you mean `sampling\.topK`\?$/],
    ['strict;allow="sampling"', /`sampling` is not a feature$/],
    ['strict;allow="agent"', /`agent` is not a feature; did you mean `agents`\?$/],
    ['strict;allow="top_k"', /`top_k` is not a feature/],
  ])('%j is refused by name', (header, message) => {
    expect(() => lossPolicy(CONFIGURED, header)).toThrow(
      expect.objectContaining({
        error: {
          kind: 'invalid_request',
          message: expect.stringMatching(message),
          path: '/$headers/x-interlingua-losses',
        },
      }),
    );
  });
});
