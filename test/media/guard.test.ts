import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFetcher, type Fetcher } from '../../src/downloads/fetch.js';
import { createGuard, type Resolve } from '../../src/downloads/guard.js';
import { isExemption, isPublicAddress } from '../../src/ground/addresses.js';
import { costOf } from '../support/cost.js';
import { listen, shut } from '../support/sockets.js';

/** Every special-purpose block of the IANA registries that is not globally reachable: its first, a middle and its last address. */
const PRIVATE: readonly string[] = [
  ...['0.0.0.0', '0.1.2.3', '0.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ...['169.254.0.0', '169.254.169.254', '169.254.255.255', '172.16.0.0', '172.20.1.1', '172.31.255.255'],
  ...['192.0.0.0', '192.0.0.170', '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.255'],
  ...[
    '192.168.0.0',
    '192.168.1.1',
    '192.168.255.255',
    '198.18.0.0',
    '168.63.129.16',
    '198.19.255.255',
    '198.51.100.0',
    '198.51.100.255',
  ],
  ...[
    '203.0.113.0',
    '203.0.113.255',
    '224.0.0.0',
    '224.0.0.251',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.254',
    '255.255.255.255',
  ],
  ...[
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
  ],
  ...[
    '64:ff9b:1::1',
    '100::',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:53aa:64c:0:fbff:f5f5:f5f5',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
  ],
  ...[
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2001:db8:ffff:ffff::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2002:ffff:ffff::1',
  ],
  ...[
    '3fff::1',
    '3fff:fff:ffff::1',
    '5f00::1',
    'fc00::',
    'fd00:ec2::254',
    'fdff:ffff::1',
    'fe80::',
    'fe80::1',
    'febf:ffff::1',
  ],
  ...['fec0::', 'fec0::1', 'feff:ffff::1', 'ff00::', 'ff02::1', 'ffff:ffff::1', 'fe80::1%eth0', '4000::1', '1::1'],
  ...['', 'localhost', '127.1', '1.2.3', '0x7f000001', 'not an address'],
];

const PUBLIC: readonly string[] = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...[
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
  ],
  ...[
    '168.63.129.15',
    '168.63.129.17',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
  ],
  ...[
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700::1111',
    '2a00::1',
    '3ffe::1',
  ],
];

describe('addresses', () => {
  test.each(PRIVATE)('%j is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(PUBLIC)('%j is public', (address) => expect(isPublicAddress(address)).toBe(true));
  test.each(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8', 'images.internal', 'localhost'])(
    '%s may be an exemption',
    (value) => expect(isExemption(value)).toBe(true),
  );
  test.each(['10.0.0.0/33', '300.1.1.1', '1.2.3', '', 'http://x', 'a b', '10.0.0.0/8/8', '::/129', '-x'])(
    '%j may not',
    (value) => expect(isExemption(value)).toBe(false),
  );
});

let server: Server;
let port: number;
let hits = 0;
/** What the server answers, by path. */
const answers: Record<
  string,
  { status: number; headers?: Record<string, string>; body?: string | Buffer; hang?: boolean }
> = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    hits += 1;
    const answer = answers[request.url ?? ''] ?? { status: 200, body: 'reached' };
    response.on('error', () => {});
    response.writeHead(answer.status, answer.headers);
    if (answer.hang === true) response.flushHeaders();
    else response.end(answer.body);
  });
  port = Number(new URL(await listen(server)).port);
});
afterAll(() => shut(server));

const LIMITS = { bytes: 1024 * 1024, deadline: 500, on: true };

/** Names of the tests lead here; every other name leads nowhere. `steps` answers differently each time. */
function resolver(names: Readonly<Record<string, readonly (readonly string[])[]>>): {
  resolve: Resolve;
  asked: string[];
} {
  const asked: string[] = [];
  const turn: Record<string, number> = {};
  return {
    asked,
    resolve(host, _options, done) {
      asked.push(host);
      const steps = names[host];
      if (steps === undefined) return done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
      const step = Math.min(turn[host] ?? 0, steps.length - 1);
      turn[host] = step + 1;
      const found = (steps[step] ?? []).map(
        (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
      );
      done(null, found);
    },
  };
}

async function refusedBy(
  fetcher: Fetcher,
  url: string,
): Promise<{ kind: string; path?: string; message: string; code?: string }> {
  const outcome = await fetcher.fetch(url, '/here').then(
    () => undefined,
    (thrown: { error: { kind: string; path?: string; message: string; code?: string } }) => thrown.error,
  );
  if (outcome === undefined) throw new Error(`${url} was fetched`);
  return outcome;
}

describe('a fetch', () => {
  const strict = createFetcher(createGuard([]), LIMITS);

  test.each([
    ...[
      'http://127.0.0.1:PORT/',
      'http://2130706433:PORT/',
      'http://0x7f000001:PORT/',
      'http://0177.0.0.1:PORT/',
      'http://0x7f.1:PORT/',
    ],
    ...[
      'http://127.1:PORT/',
      'http://127.0.1:PORT/',
      'http://0:PORT/',
      'http://0.0.0.0:PORT/',
      'http://127.000.000.001:PORT/',
    ],
    ...[
      'http://[::1]:PORT/',
      'http://[::]:PORT/',
      'http://[::ffff:127.0.0.1]:PORT/',
      'http://[::ffff:7f00:1]:PORT/',
      'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
    ],
    ...[
      'http://[2002:7f00:1::]:PORT/',
      'http://[64:ff9b::7f00:1]:PORT/',
      'http://[64:ff9b::127.0.0.1]:PORT/',
      'http://[fe80::1]:PORT/',
      'http://[fec0::1]:PORT/',
    ],
    ...[
      'http://100.100.100.200/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/',
      'http://localhost:PORT/',
      'http://LOCALHOST.:PORT/',
    ],
    ...[
      'http://a.localhost:PORT/',
      'http://metadata.google.internal/',
      'http://printer.local/',
      'http://router/',
      'http://①②⑦.⓪.⓪.①:PORT/',
    ],
    ...[
      'http://127。0。0。1:PORT/',
      'http://127%2e0%2e0%2e1:PORT/',
      'http://%6c%6f%63%61%6c%68%6f%73%74:PORT/',
      'http://127.0.0.1.:PORT/',
    ],
    ...[
      'http:\\\\127.0.0.1:PORT\\',

      'http://user:pass@pictures.example/',
      'http://127.0.0.1:PORT#@pictures.example/',
    ],
    ...[
      'http://12\t7.0.0.1:PORT/',
      'ht\ntp://127.0.0.1:PORT/',
      ' http://127.0.0.1:PORT/',
      'file:///etc/passwd',
      'ftp://pictures.example/',
      'gopher://127.0.0.1:PORT/',
    ],
    ...[
      'javascript:alert(1)',
      'blob:http://127.0.0.1:PORT/x',
      'http://pictures.example:22/',
      'http://pictures.example:25/',
      'http://',
      'nothing at all',
      '//127.0.0.1:PORT/',
    ],
    ...[
      'unix:/var/run/docker.sock',
      'http://[::127.0.0.1]:PORT/',
      'http://[::ffff:0:127.0.0.1]:PORT/',
      'http://017700000001:PORT/',
      'http://0x7f.0x0.0x0.0x1:PORT/',
    ],
  ])('does not go to %j', async (url) => {
    const before = hits;
    const refused = await refusedBy(strict, url.replace('PORT', String(port)));
    expect(refused).toMatchObject({ kind: 'invalid_request', path: '/here', code: 'invalid_image_url' });
    expect(hits).toBe(before);
  });

  test('follows no name to a private address, not even the second time', async () => {
    const names = resolver({
      'private.example': [['127.0.0.1']],
      'mixed.example': [['93.184.216.34', '127.0.0.1']],
      'mapped.example': [['::ffff:127.0.0.1']],
      'none.example': [[]],
      'first.example': [['93.184.216.34'], ['127.0.0.1']],
    });
    const fetcher = createFetcher(createGuard([], names.resolve), LIMITS);
    const before = hits;
    for (const host of ['private.example', 'mixed.example', 'mapped.example', 'none.example']) {
      expect((await refusedBy(fetcher, `http://${host}:${port}/`)).message).toBe(
        'the URL does not lead to a public address',
      );
    }
    // One look-up per connection: the address that was looked at is the one that is connected, here one that nobody answers.
    await refusedBy(fetcher, `http://first.example:${port}/`);
    expect(names.asked.filter((host) => host === 'first.example')).toHaveLength(1);
    expect((await refusedBy(fetcher, `http://first.example:${port}/`)).message).toBe(
      'the URL does not lead to a public address',
    );
    expect(hits).toBe(before);
  });

  describe('to a host that is exempt', () => {
    const names = resolver({ 'exempt.example': [['127.0.0.1']], 'other.example': [['127.0.0.1']] });
    const fetcher = createFetcher(createGuard(['exempt.example'], names.resolve), LIMITS);
    const at = (path: string): string => `http://exempt.example:${port}${path}`;

    test('goes there', async () => {
      answers['/picture'] = { status: 200, headers: { 'content-type': 'image/png' }, body: 'bytes' };
      expect(await fetcher.fetch(at('/picture'), '')).toEqual({ bytes: Buffer.from('bytes'), declared: 'image/png' });
    });

    test('and to no other', async () => {
      expect((await refusedBy(fetcher, `http://other.example:${port}/`)).message).toMatch(
        'not lead to a public address',
      );
      expect((await refusedBy(fetcher, `http://127.0.0.1:${port}/`)).message).toMatch('not lead to a public address');
    });

    test.each([
      ['http://127.0.0.1:PORT/private', 302],
      ['http://127.0.0.1:PORT/private', 307],
      ['http://127.0.0.1:PORT/private', 308],
      ['http://other.example:PORT/private', 301],
      ['http://[::1]:PORT/private', 303],
      ['//127.0.0.1:PORT/private', 302],
      ['file:///etc/passwd', 302],
      ['data:text/plain,x', 302],
      ['http://user@exempt.example:PORT/x', 302],
    ])('follows no redirect to %s (%d)', async (location, status) => {
      answers['/redirect'] = { status, headers: { location: location.replace('PORT', String(port)) } };
      const before = hits;
      await refusedBy(fetcher, at('/redirect'));
      expect(hits).toBe(before + 1);
    });

    test('follows a few redirects and no more', async () => {
      for (let step = 0; step < 11; step += 1)
        answers[`/step/${step}`] = { status: 302, headers: { location: `/step/${step + 1}` } };
      answers['/step/11'] = { status: 200, body: 'end' };
      expect((await fetcher.fetch(at('/step/8'), '')).bytes.toString()).toBe('end');
      const before = hits;
      expect((await refusedBy(fetcher, at('/step/0'))).message).toBe('the server redirects too often');
      expect(hits - before).toBe(4);
    });

    test('stops at the limit of size, with a length and without, also after a redirect', async () => {
      answers['/large'] = { status: 200, body: Buffer.alloc(2 * 1024 * 1024) };
      answers['/to-large'] = { status: 302, headers: { location: '/large' } };
      answers['/chunked'] = {
        status: 200,
        headers: { 'transfer-encoding': 'chunked' },
        body: Buffer.alloc(2 * 1024 * 1024),
      };
      answers['/exact'] = { status: 200, body: Buffer.alloc(1024 * 1024) };
      for (const path of ['/large', '/to-large', '/chunked']) {
        expect((await refusedBy(fetcher, at(path))).message).toBe('the file is larger than 1 MB');
      }
      expect((await fetcher.fetch(at('/exact'), '')).bytes).toHaveLength(1024 * 1024);
    });

    test('stops at the limit of time', async () => {
      answers['/slow'] = { status: 200, hang: true };
      expect(await refusedBy(fetcher, at('/slow'))).toMatchObject({
        message: 'the file did not arrive in time',
        code: 'failed_to_download_image',
      });
    });

    test('ends when the client goes away', async () => {
      const controller = new AbortController();
      const fetching = fetcher.fetch(at('/slow'), '', controller.signal);
      setTimeout(() => controller.abort(), 20);
      await expect(fetching).rejects.toMatchObject({ error: { kind: 'cancelled' } });
    });

    test('tells what the server answered, and nothing of it', async () => {
      answers['/gone'] = { status: 404, body: 'a secret page' };
      expect(await refusedBy(fetcher, at('/gone'))).toEqual(
        expect.objectContaining({ message: 'the server answered 404', code: 'invalid_image_url' }),
      );
      expect((await refusedBy(fetcher, 'http://unknown.example/')).message).toBe('the file cannot be fetched');
    });
  });

  test('goes to a block of addresses that is exempt', async () => {
    const fetcher = createFetcher(createGuard(['127.0.0.0/8']), LIMITS);
    answers['/picture'] = { status: 200, body: 'bytes' };
    expect((await fetcher.fetch(`http://127.0.0.1:${port}/picture`, '')).bytes.toString()).toBe('bytes');
    await refusedBy(fetcher, `http://[::1]:${port}/picture`);
  });

  test('needs a URL of some length, not of any', async () => {
    expect((await refusedBy(strict, `https://x.example/${'a'.repeat(20_000)}`)).message).toBe('the URL is too long');
  });

  test('goes nowhere when it is switched off, but for what backends link to', async () => {
    const fetcher = createFetcher(createGuard(['127.0.0.1']), { ...LIMITS, on: false });
    answers['/picture'] = { status: 200, body: 'bytes' };
    const url = `http://127.0.0.1:${port}/picture`;
    expect((await refusedBy(fetcher, url)).message).toMatch('this gateway fetches nothing');
    expect((await fetcher.fetch('data:;base64,YQ==', '')).bytes.toString()).toBe('a');
    expect((await fetcher.fetchResult(url)).bytes.toString()).toBe('bytes');
  });
});

describe('a data URL', () => {
  const fetcher = createFetcher(createGuard([]), LIMITS);

  test.each([
    ['data:image/png;base64,aGk=', 'hi', 'image/png'],
    ['DATA:image/PNG;base64,aGk', 'hi', 'image/png'],
    ['data:,a%20b', 'a b', 'text/plain'],
    ['data:image/png;name=x;base64,aGk%3D', 'hi', 'image/png'],
  ])('%s is decoded', async (url, text, declared) => {
    expect(await fetcher.fetch(url, '')).toEqual({ bytes: Buffer.from(text), declared });
  });

  test.each(['data:image/png;base64', 'data:image/png;base64,!!!', 'data:', 'data:x;base64,aGk='])(
    '%s is refused',
    async (url) => {
      expect(await refusedBy(fetcher, url)).toMatchObject({
        kind: 'invalid_request',
        path: '/here',
        code: 'invalid_image',
      });
    },
  );

  test('that is not base64 is no larger than any other', async () => {
    expect((await fetcher.fetch(`data:,${'A'.repeat(1024 * 1024)}`, '')).bytes).toHaveLength(1024 * 1024);
    expect(await refusedBy(fetcher, `data:,${'A'.repeat(1024 * 1024 + 1)}`)).toMatchObject({ code: 'image_too_large' });
  });

  test('of any length costs little: one that is too long is not decoded', async () => {
    const long = Buffer.from(`data:image/png;base64,${'A'.repeat(64 * 1024 * 1024)}`).toString('latin1');
    const decoding = Math.max(6, await costOf(() => Buffer.from(long, 'base64'), 0, 2));
    const refuse = async (): Promise<void> =>
      expect((await refusedBy(fetcher, long)).message).toBe('the file is larger than 1 MB');
    expect(await costOf(refuse, decoding)).toBeLessThan(decoding);
  });
});
