import { describe, expect, test } from '@jest/globals';
import { filterFault, fits, type LiveExchange, readFilter } from '../../src/live/plain/index.js';

const exchange = (more: Partial<LiveExchange> = {}): LiveExchange => ({
  n: 1,
  at: '2026-01-01T00:00:00.000Z',
  id: 'req_1',
  route: 'POST /v1/messages',
  asked: { dialect: 'messages', model: 'Claude-Haiku' },
  answered: { backend: 'b', dialect: 'responses', target: 'gpt-5.5' },
  status: 200,
  outcome: 'ok',
  times: { whole: 1, waiting: 0, backend: 1, gateway: 0 },
  ...more,
});
const loss = (feature: string) => ({ feature, kind: 'dropped' as const, path: '', detail: '', advice: '', times: 1 });
const lossy = exchange({ losses: { counted: 1, minor: 1, list: [loss('sampling.topK'), loss('cache.mark')] } });
const minor = exchange({ losses: { counted: 0, minor: 1, list: [loss('cache.mark')] } });
const isFound = (query: string, one: LiveExchange): boolean => fits(readFilter(new URLSearchParams(query)), one);

describe('a filter of exchanges', () => {
  test.each([
    ['', exchange()],
    ['id=req_1', exchange()],
    ['key=a&key=b', exchange({ key: 'b' })],
    ['model=haiku', exchange()],
    ['model=GPT-5', exchange()],
    ['model=snapshot', exchange({ answered: { backend: 'b', dialect: 'responses', model: 'a-snapshot' } })],
    ['dialect=messages', exchange()],
    ['dialect=responses', exchange()],
    ['status=ok&losses=none', exchange()],
    ['status=429', exchange({ status: 429, outcome: 'rate_limit' })],
    ['status=4xx&status=5xx', exchange({ status: 503, outcome: 'overloaded' })],
    ['status=failed', exchange({ status: 200, outcome: 'upstream' })],
    ['status=none', exchange({ status: undefined, outcome: 'client_closed' })],
    ['losses=any', minor],
    ['losses=counted', lossy],
    ['losses=sampling.*', lossy],
    ['losses=cache.mark', minor],
  ])('%s means it', (query, one) => expect(isFound(query, one)).toBe(true));

  test.each([
    ['id=req_', exchange()],
    ['key=a', exchange()],
    ['key=a', exchange({ key: 'ab' })],
    ['model=opus', exchange()],
    ['dialect=generateContent', exchange()],
    ['status=ok&model=opus', exchange()],
    ['status=4xx', exchange()],
    ['status=failed', exchange()],
    ['status=none', exchange()],
    ['losses=any', exchange()],
    ['losses=none', minor],
    ['losses=counted', minor],
    ['losses=sampling', lossy],
  ])('%s does not mean it', (query, one) => expect(isFound(query, one)).toBe(false));

  test.each(['status=teapot', 'status=99', 'losses=a b', 'losses=*x*', `losses=${'x'.repeat(200)}`])(
    '%s is refused with what it must be',
    (query) => expect(filterFault(new URLSearchParams(query))).toContain('must be'),
  );

  test('values that are empty mean all', () => expect(isFound('key=&status=&losses=', lossy)).toBe(true));
});
