import dns from 'node:dns';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { CROSS_PAIRS } from '../support/pairs.js';
import { requestTo } from '../support/requests.js';

/** Private addresses that a backend would open, in every dialect and pair of them (attacks.md finding 20). */

/** What the names of these tests lead to; any other cannot be resolved. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'ten.example.com': ['10.0.0.5'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'six.example.com': ['fd00::1'],
  'open.example.com': ['93.184.216.34'],
  'exempt.example.com': ['10.0.0.6'],
};

/** Names are resolved by this process alone, and not by a thread of its own. */
const HERE = { largeBytes: Number.POSITIVE_INFINITY };

let gateway: TestGateway;
let backends: Readonly<Record<string, Recorder>>;

beforeAll(async () => {
  const started = await Promise.all(
    (['messages', 'responses', 'generateContent', 'chatCompletions', 'images', 'videos'] as const).map(async (name) => {
      const recorder = await startRecorder();
      recorder.reply = (response) => json(response, 200, REPLIES[name]);
      return [name, recorder] as const;
    }),
  );
  backends = Object.fromEntries(started);
  const at = (name: string) => ({ baseUrl: backends[name]?.url, retries: 0 });
  gateway = await startGateway(
    {
      backends: {
        messages: { dialect: 'messages', ...at('messages'), profile: { urlMedia: ['image'] } },
        responses: { dialect: 'responses', ...at('responses'), profile: { urlMedia: ['image'] } },
        generateContent: { dialect: 'generateContent', ...at('generateContent'), profile: { urlMedia: ['image'] } },
        chatCompletions: { dialect: 'chatCompletions', ...at('chatCompletions'), profile: { urlMedia: ['image'] } },
        images: { dialect: 'responses', ...at('images') },
        videos: { dialect: 'responses', ...at('videos') },
      },
      models: {
        messages: { backend: 'messages' },
        responses: { backend: 'responses' },
        generateContent: { backend: 'generateContent' },
        chatCompletions: { backend: 'chatCompletions' },
        'flux-kontext-pro': { backend: 'images' },
        'gpt-image-1': { backend: 'images' },
        'wan-2': { backend: 'videos' },
      },
      media: { allowPrivate: ['exempt.example.com'] },
      limits: { drainSeconds: 1 },
    },
    HERE,
  );
  const lookup = ((host: string, _options: unknown, done: (error: Error | null, found?: unknown) => void) => {
    const found = NAMES[host];
    if (found === undefined) done(Object.assign(new Error(`ENOTFOUND ${host}`), { code: 'ENOTFOUND' }));
    else
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  }) as typeof dns.lookup;
  jest.spyOn(dns, 'lookup').mockImplementation(lookup);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await gateway.close();
  await Promise.all(Object.values(backends).map((backend) => backend.close()));
});

const REPLIES = {
  messages: WHOLE.messages('answered'),
  responses: WHOLE.responses('answered'),
  generateContent: WHOLE.generateContent('answered'),
  chatCompletions: WHOLE.chatCompletions('answered'),
  images: { created: 1, data: [{ b64_json: 'AAAA' }] },
  videos: { id: 'video_1', object: 'video', status: 'queued', model: 'wan-2', created_at: 1 },
};

/** Literal addresses, and names that lead to such. */
const INWARDS = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:8080/x.png',
  'http://localhost:8080/x.png',
  'http://ten.example.com/latest/meta-data/',
  'https://mixed.example.com/x.png',
  'http://six.example.com/x.png',
];
const OPEN = [
  'https://open.example.com/x.png',
  'https://nobody.knows.example.com/x.png',
  'http://exempt.example.com/x.png',
];

describe('a URL in a conversation that its backend is to open', () => {
  test.each(CROSS_PAIRS)('leads nowhere inside, %s to %s', async (from, to) => {
    const urls = from === 'generateContent' ? INWARDS : [...INWARDS, 'file:///etc/passwd'];
    for (const url of urls) {
      const { path, body } = requestTo(from, { model: to, turns: [{ pictureAt: url }] });
      const answer = await send(gateway.url, path, { body });
      expect([url, answer.status]).toEqual([url, 400]);
      expect(messageOf(from, answer.body)).not.toMatch(/10\.0\.0\.5|fd00/);
    }
    expect(backends[to]?.seen).toHaveLength(0);
  });

  test.each(CROSS_PAIRS)('goes on otherwise, %s to %s', async (from, to) => {
    for (const url of OPEN) {
      const { path, body } = requestTo(from, { model: to, turns: [{ pictureAt: url }] });
      const answer = await send(gateway.url, path, { body });
      expect([url, answer.status]).toEqual([url, 200]);
      expect(backends[to]?.seen.pop()?.body).toContain(url);
    }
  });

  test('between those of one dialect is nobody’s business here', async () => {
    const { path, body } = requestTo('messages', {
      model: 'messages',
      turns: [{ pictureAt: 'http://ten.example.com/x.png' }],
    });
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    expect(backends.messages?.seen.pop()?.body).toContain('ten.example.com');
  });

  test('at too many hosts is refused before any is looked up', async () => {
    const content = Array.from({ length: 65 }, (_, index) => ({
      type: 'image',
      source: { type: 'url', url: `https://h${index}.example.com/x.png` },
    }));
    const body = { model: 'responses', max_tokens: 64, messages: [{ role: 'user', content }] };
    const before = jest.mocked(dns.lookup).mock.calls.length;
    const answer = await send(gateway.url, '/v1/messages', { body });
    expect([answer.status, messageOf('messages', answer.body)]).toEqual([400, expect.stringContaining('64 hosts')]);
    expect(jest.mocked(dns.lookup).mock.calls).toHaveLength(before);
  });
});

const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\x06\0\0\0', 'latin1').toString('base64')}`;

/** Every place of the media routes from which a URL goes on. */
const PLACES: readonly (readonly [string, string, (url: string) => { path: string; body: object }])[] = [
  [
    'input_image',
    'images',
    (url) => ({ path: '/v1/images/generations', body: { model: 'flux-kontext-pro', prompt: 'x', input_image: url } }),
  ],
  [
    'a field that nobody knows',
    'images',
    (url) => ({ path: '/v1/images/generations', body: { model: 'gpt-image-1', prompt: 'x', lora: { at: [url] } } }),
  ],
  [
    'a picture to edit',
    'images',
    (url) => ({
      path: '/v1/images/edits',
      body: { model: 'gpt-image-1', prompt: 'x', images: [{ image_url: PNG }, { image_url: url }] },
    }),
  ],
  [
    'metadata',
    'videos',
    (url) => ({ path: '/v1/videos', body: { model: 'wan-2', prompt: 'x', metadata: { img_url: url } } }),
  ],
  [
    'a reference',
    'videos',
    (url) => ({ path: '/v1/videos', body: { model: 'wan-2', prompt: 'x', input_reference: { image_url: url } } }),
  ],
];

describe('a URL of a media route', () => {
  test.each(PLACES)('leads nowhere inside from %s', async (_place, backend, request) => {
    for (const url of INWARDS) {
      const { path, body } = request(url);
      const answer = await send(gateway.url, path, { body });
      expect([url, answer.status]).toEqual([url, 400]);
    }
    expect(backends[backend]?.seen).toHaveLength(0);
  });

  test.each(PLACES)('goes on otherwise from %s', async (_place, backend, request) => {
    for (const url of OPEN) {
      const { path, body } = request(url);
      const answer = await send(gateway.url, path, { body });
      expect([url, answer.status, answer.text]).toEqual([url, 200, expect.anything()]);
      expect(backends[backend]?.seen.pop()?.body).toContain(url);
    }
  });
});
