import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { KeyConfig } from '../../src/config/index.js';
import { type ClientCall, checkOperator } from '../../src/http/index.js';

const key = (more: Partial<KeyConfig> = {}): KeyConfig => ({ name: 'k', sha256: 'a'.repeat(64), ...more });

/** A call as the check of keys lets it pass. */
function callFrom(remoteAddress: string, headers: IncomingMessage['headers'], whose?: KeyConfig): ClientCall {
  const request = { headers, socket: { remoteAddress } };
  return { request, key: whose } as unknown as ClientCall;
}

const message = (call: ClientCall, keys: readonly KeyConfig[] = [], open = false): string | undefined => {
  try {
    checkOperator(call, { keys, open });
    return undefined;
  } catch (thrown) {
    expect(thrown).toMatchObject({ error: { kind: 'permission' } });
    return (thrown as Error).message;
  }
};

describe('who may look at what all callers do', () => {
  test.each([
    ['127.0.0.1', { host: '127.0.0.1:8080' }],
    ['::ffff:127.0.0.1', { host: 'localhost:8080' }],
    ['::1', { host: '[::1]:8080' }],
    ['127.0.0.1', { host: 'gateway.localhost' }],
    ['127.0.0.1', {}],
  ])('without keys, who calls from %s with %j', (address, headers) => {
    expect(message(callFrom(address, headers))).toBeUndefined();
  });

  test.each([
    ['another machine', '10.0.0.7', { host: '127.0.0.1:8080' }],
    ['a name that was bound anew', '127.0.0.1', { host: 'evil.example:8080' }],
    ['a proxy that names its client', '127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
    ['a proxy that speaks of RFC 7239', '127.0.0.1', { host: 'localhost', forwarded: 'for=10.0.0.7' }],
    ['a proxy that names its client as nginx may', '127.0.0.1', { host: 'localhost', 'x-real-ip': '10.0.0.7' }],
    ['a tunnel', '127.0.0.1', { host: 'localhost', 'cf-connecting-ip': '10.0.0.7' }],
    ['a proxy that only names itself', '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
  ])('without keys, not %s', (_who, address, headers) => {
    expect(message(callFrom(address, headers))).toContain('on the machine of the gateway alone');
  });

  test('where anybody may call, nobody is told from those behind a proxy', () => {
    expect(message(callFrom('127.0.0.1', { host: 'localhost' }), [], true)).toContain('open to everybody');
  });

  test('with keys, those with `operator: true` wherever they are, and no others', () => {
    const [operator, plain] = [key({ operator: true }), key({ operator: false })];
    const keys = [operator, plain];
    expect(message(callFrom('10.0.0.7', { host: 'gateway.example' }, operator), keys)).toBeUndefined();
    for (const whose of [plain, key(), undefined]) {
      expect(message(callFrom('127.0.0.1', { host: 'localhost' }, whose), keys)).toContain('keys[].operator');
    }
  });
});
