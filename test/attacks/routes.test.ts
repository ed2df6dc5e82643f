import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { costOf } from '../support/cost.js';
import { messageOf, send, sendRaw, startGateway, type TestGateway } from '../support/gateway/harness.js';
import { LONG_PATHS } from './support/bodies.js';

/** Paths that a lookup of routes would try in every way, from callers without a key (attacks.md finding 1). */

/** What an answer without a key may cost (see {@link costOf}); a quadratic lookup took seconds. */
const MOST = 50;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    keys: [{ name: 'team', key: 'a-long-enough-team-key' }],
    backends: { one: { dialect: 'responses', baseUrl: 'http://127.0.0.1:9' } },
    models: { one: { backend: 'one' } },
  });
  // What is loaded and compiled once is not what is timed.
  await send(gateway.url, '/v1/models');
});

afterAll(() => gateway.close());

/** Asks for a path, and expects the status at little cost. */
async function expectCheap(target: string, status: string): Promise<void> {
  const ask = async (): Promise<void> => {
    const answer = await sendRaw(gateway.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer.split(' ')[1]).toBe(status);
  };
  expect(await costOf(ask, MOST)).toBeLessThan(MOST);
}

describe('Looking up a route costs no time that who has no key could make long', () => {
  for (const [name, path] of Object.entries(LONG_PATHS)) {
    it(`${name}, longer than a path may be`, () => expectCheap(path, '414'));
    // Slashes alone are the root, which is open to everybody.
    it(`${name}, as long as a path may be`, () => expectCheap(path.slice(0, 2048), name === 'slashes' ? '200' : '401'));
  }

  it('says which bound it is, in the words of the dialect', async () => {
    const long = 'a'.repeat(2048);
    for (const [dialect, path] of [
      ['messages', `/v1/messages/${long}`],
      ['responses', `/v1/responses/${long}`],
      ['generateContent', `/v1beta/models/${long}:generateContent`],
    ] as const) {
      const { status, body } = await send(gateway.url, path);
      expect([status, messageOf(dialect, body)]).toEqual([
        414,
        'the path is longer than 2048 bytes (limits.pathBytes)',
      ]);
    }
  });

  it('takes no account of the query', async () => {
    const headers = { authorization: 'Bearer a-long-enough-team-key' };
    const { status } = await send(gateway.url, `/v1/models?after=${'a/'.repeat(3000)}`, { headers });
    expect(status).toBe(200);
  });

  it('finds routes whose parts are joined with several slashes', async () => {
    const headers = { authorization: 'Bearer a-long-enough-team-key' };
    const { status } = await send(gateway.url, '///v1///models//?a=//', { headers });
    expect(status).toBe(200);
  });
});
