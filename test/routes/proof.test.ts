import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import { listen, shut } from '../support/sockets.js';

/** `/healthz` proves to those who ask that this gateway has the digests of its keys (docs/http.md). */

const SIMULATED = {
  backends: { sim: { dialect: 'messages' as const, simulator: true } },
  models: { sim: { backend: 'sim' } },
  log: { level: 'silent' as const },
};
const CHALLENGE = '0123456789abcdef'.repeat(4);
const KEYS = ['a-gateway-key-of-tests', 'another-key-of-the-tests'];

/** The proof as the documentation describes it. */
function proofOf(key: string, address: string): string {
  const digest = createHash('sha256').update(key).digest();
  return createHmac('sha256', digest).update(`interlingua proof 1\n${CHALLENGE}\n${address}`).digest('base64url');
}

interface Asked {
  readonly keys?: readonly string[];
  readonly challenge?: string;
  readonly headers?: Record<string, string>;
  readonly from?: string;
  readonly method?: string;
}

/** The proofs that a gateway gives, mounted behind a listener of ours; and where that listens. */
async function proofs({ keys = KEYS, challenge = CHALLENGE, headers, from, method = 'GET' }: Asked = {}) {
  const named = keys.map((key, i) => ({ name: `key-${i}`, key }));
  const gateway = createGateway({ ...SIMULATED, ...(named.length > 0 && { keys: named }) });
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    if (from !== undefined) Object.defineProperty(incoming.socket, 'remoteAddress', { value: from });
    gateway.app(incoming, response);
  });
  const { host } = new URL(await listen(server));
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = { 'x-interlingua-challenge': challenge, ...headers };
      request(`http://${host}/healthz`, { method, headers: sent, agent: false }, resolve).on('error', reject).end();
    });
    answer.resume();
    const { 'x-interlingua-proof': given, 'cache-control': cache } = answer.headers;
    return { status: answer.statusCode, given, cache, host };
  } finally {
    await shut(server);
    await gateway.close();
  }
}

test('a challenge is answered with a proof for each key, bound to the address that was reached', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, given, cache, host } = await proofs({ method });
    expect({ status, given, cache }).toEqual({
      status: 200,
      given: KEYS.map((key) => proofOf(key, host)).join(', '),
      cache: 'no-store',
    });
  }
});

test('a socket for both families names an address of version 4 as one', async () => {
  const gateway = createGateway({ ...SIMULATED, keys: [{ name: 'one', key: KEYS[0] }] });
  const server = createServer(gateway.app);
  try {
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const address = server.address();
    const at = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const { headers } = await fetch(`http://${at}/healthz`, { headers: { 'x-interlingua-challenge': CHALLENGE } });
    expect(headers.get('x-interlingua-proof')).toBe(proofOf(KEYS[0] ?? '', at));
  } finally {
    await shut(server);
    await gateway.close();
  }
});

test('a challenge costs no more than 64 digests', async () => {
  const keys = Array.from({ length: 70 }, (_, i) => `key-number-${i}-of-the-tests`);
  const { given, host } = await proofs({ keys });
  expect(String(given).split(', ')).toEqual(keys.slice(0, 64).map((key) => proofOf(key, host)));
});

describe('there is no proof', () => {
  test.each<[string, Asked]>([
    ['without keys', { keys: [] }],
    ['for a challenge that is too short', { challenge: CHALLENGE.slice(2) }],
    ['for a challenge that is too long', { challenge: `${CHALLENGE}00` }],
    ['for a challenge that is not in hex digits', { challenge: 'x'.repeat(64) }],
    ['for callers from elsewhere, who could guess a key from it', { from: '203.0.113.9' }],
    ['for pages that reach this machine by a name of their own', { headers: { host: 'rebound.example' } }],
  ])('%s', async (_, asked) => {
    const { status, given } = await proofs(asked);
    expect([status, given]).toEqual([200, undefined]);
  });
});
