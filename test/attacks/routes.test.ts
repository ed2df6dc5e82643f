import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageOf, send, sendRaw, startGateway, type TestGateway } from '../support/gateway/harness.js';
import { LONG_PATHS } from './support/bodies.js';

/** Paths that a lookup of routes would try in every way, from callers without a key (attacks.md finding 1). */

/** What an answer without a key may take on a busy machine; a quadratic lookup took seconds. */
const MOST_MS = 400;

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

/** The processor time in ms that a request took, and its status. */
async function cost(target: string): Promise<{ readonly status: string | undefined; readonly ms: number }> {
  const before = process.cpuUsage();
  const answer = await sendRaw(gateway.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const { user, system } = process.cpuUsage(before);
  return { status: answer.split(' ')[1], ms: (user + system) / 1000 };
}

describe('Looking up a route costs no time that who has no key could make long', () => {
  for (const [name, path] of Object.entries(LONG_PATHS)) {
    it(`${name}, longer than a path may be`, async () => {
      const { status, ms } = await cost(path);
      expect(status).toBe('414');
      expect(ms).toBeLessThan(MOST_MS);
    });
    it(`${name}, as long as a path may be`, async () => {
      const { status, ms } = await cost(path.slice(0, 2048));
      // Slashes alone are the root, which is open to everybody.
      expect(status).toBe(name === 'slashes' ? '200' : '401');
      expect(ms).toBeLessThan(MOST_MS);
    });
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
