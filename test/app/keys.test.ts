import { createHash, timingSafeEqual } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/load.js';
import { ConfigError } from '../../src/config/problem.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createAccess } from '../../src/http/access.js';
import type { ClientCall } from '../../src/http/client-call.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const KEY = 'the-key-of-team-a-5f1c';
const backends = { sim: { dialect: 'messages', simulator: true } } as const;

function withKeys(keys: ConfigInput['keys']): ConfigInput {
  return { backends, log: { level: 'silent' }, keys };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let gateway: TestApplication;

beforeAll(() => {
  gateway = openApplication(withKeys([{ name: 'a', key: KEY }]));
});
afterAll(() => gateway.close());

describe('no key and white space are no keys (hardening.md row 18)', () => {
  const problemsOf = (keys: ConfigInput['keys']): string => {
    try {
      parseConfig(withKeys(keys));
      return '';
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.message;
    }
  };

  test.each(['', ' ', ' '.repeat(20), '\t', 'undefined', 'null', 'a key with white space', 'short'])(
    'a configuration with %j does not load',
    (key) => expect(problemsOf([{ name: 'a', key }])).toContain('keys[0].key'),
  );

  test.each(['', ' ', 'undefined', 'null'])('nor one with the digest of %j', (key) =>
    expect(problemsOf([{ name: 'a', sha256: sha256(key).toUpperCase() }])).toContain('keys[0].sha256'),
  );

  test('nor one with neither, or none at all', () => {
    expect(problemsOf([{ name: 'a' }])).toContain('keys[0]');
    expect(problemsOf([])).toContain('keys');
  });

  test.each([
    ['an empty bearer', { authorization: 'Bearer' }],
    ['a bearer of spaces', { authorization: 'Bearer    ' }],
    ['another scheme', { authorization: `Basic ${KEY}` }],
    ['no scheme', { authorization: KEY }],
    ['an empty key', { 'x-api-key': '' }],
    ['spaces', { 'x-goog-api-key': '   ' }],
  ])('%s does not pass', (_name, headers) => gateway.http.get('/v1/models').set(headers).expect(401));

  test.each(['?key=', '?key=%20', '?key', '?key=&key=', '?KEY='])('%s does not pass', (query) =>
    gateway.http.get(`/v1/models${query}`).expect(401),
  );

  /** Every literal key in what we show to users (hardening.md row 19). */
  test('keys of examples do not load', () => {
    const texts = [join(root, 'README.md'), ...documents(join(root, 'docs'))].map((file) => readFileSync(file, 'utf8'));
    const shown = texts.flatMap((text) =>
      [...text.matchAll(/name: [\w-]+, key: "?([^",}\s]+)/g)].map(([, key]) => key),
    );
    expect(shown.length).toBeGreaterThan(0);
    const samples = [
      'your-api-key-goes-here',
      'YOUR_API_KEY_1234567',
      'change-me-change-me',
      'replace-me-with-a-key',
      '<your gateway key>',
    ];
    for (const key of [...shown, ...samples]) {
      expect([key, problemsOf([{ name: 'a', key: key?.replaceAll(' ', '-') }])]).toEqual([
        key,
        expect.stringContaining('keys[0].key'),
      ]);
    }
  });
});

function documents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
}

/** A call with a key, as far as access looks at it. */
function callWith(key: string): ClientCall {
  return { request: { headers: { 'x-api-key': key } }, query: '' } as unknown as ClientCall;
}

test('what is compared does not tell where a key differs, nor which of many it is (hardening.md row 21)', () => {
  const keys = Array.from({ length: 64 }, (_, index) => ({ name: `k${index}`, sha256: sha256(`${KEY}-${index}`) }));
  const first = `${KEY}-0`;
  const compared: (readonly [string, string])[] = [];
  const access = createAccess({ keys, open: false }, { insecure: false }, (one, other) => {
    compared.push([Buffer.from(one).toString('hex'), Buffer.from(other).toString('hex')]);
    return timingSafeEqual(one, other);
  });
  for (const [key, name] of [
    [first, 'k0'],
    [`${KEY}-63`, 'k63'],
    [`X${first.slice(1)}`, undefined],
    [`${first.slice(0, -1)}X`, undefined],
    ['', undefined],
  ] as const) {
    compared.length = 0;
    const call = callWith(key);
    const admit = (): void => access.admit(call);
    if (name === undefined) expect(admit).toThrow('a valid API key is required');
    else admit();
    expect(call.key?.name).toBe(name);
    // The digest of what was sent with that of each key, also behind the one that fits.
    expect(compared).toEqual(key === '' ? [] : keys.map((known) => [sha256(key), known.sha256]));
  }
});
