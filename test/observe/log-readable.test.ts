import { describe, expect, test } from '@jest/globals';
import { readableLine } from '../../src/observe/log-readable.js';

const EXCHANGE = {
  ...{
    level: 30,
    time: 1795454274424,
    id: 'req_1',
    method: 'POST',
    path: '/v1/messages',
    client: 'messages',
    key: 'team',
  },
  ...{ model: 'fast', stream: false, backend: 'claude', dialect: 'responses', target: 'gpt-5', inputTokens: 12 },
  ...{ outputTokens: 34, losses: 2, lost: 'sampling.topK', status: 200, outcome: 'ok', ms: 1234, msg: 'exchange' },
};

const line = (fields: object, colours = false): string => readableLine(`${JSON.stringify(fields)}\n`, colours);

describe('lines for people', () => {
  test('an exchange is one sentence, with what else is known behind it', () => {
    expect(line(EXCHANGE)).toMatch(
      /^\d\d:\d\d:\d\d info {2}POST \/v1\/messages 200 -> claude \(responses\) fast, 1234 ms, 12 tokens in, 34 out, 2 losses: sampling\.topK id=req_1 key=team\n$/,
    );
    expect(line({ ...EXCHANGE, outcome: 'client_closed', losses: 0 })).toContain('200 client_closed -> claude');
  });

  test('others are their message and their fields', () => {
    expect(line({ level: 40, time: 0, backend: 'a b', n: 1, msg: 'the backend is out' })).toMatch(
      /warn {2}the backend is out backend="a b" n=1\n$/,
    );
  });

  test('colours are for terminals that want them', () => {
    expect(line({ level: 50, time: 0, msg: 'x' }, true)).toContain('\u001b[31merror\u001b[0m');
    expect(line(EXCHANGE)).not.toContain('\u001b');
  });

  test('nothing of a caller reaches the terminal as a code, or as a line of its own', () => {
    const shown = line({ ...EXCHANGE, path: '/\u001b[2J\nx\u009b', model: 'a\r\u202e', id: 'x\ny' });
    expect(shown.slice(0, -1)).toMatch(/^[ -~]*$/);
  });

  test('what is no line of JSON stays', () => expect(readableLine('plain\n', false)).toBe('plain\n'));
});
