import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';

const SIMULATOR: ConfigInput = {
  backends: { sim: { dialect: 'responses', simulator: true } },
  models: { 'fast"<': { backend: 'sim' }, 'sim-*': { backend: 'sim' }, 'img-legacy': { backend: 'sim' } },
};
const KEYS: ConfigInput['keys'] = [{ name: 'team', key: 'a-long-enough-team-key' }];

let opened: TestApplication | undefined;
afterEach(() => opened?.close());

const open = (config: Partial<ConfigInput> = {}): TestApplication['http'] => {
  opened = openApplication({ ...SIMULATOR, ...config });
  return opened.http;
};

describe('GET /playground', () => {
  test('serves a page that may load nothing from elsewhere', async () => {
    const { headers, text } = await open().get('/playground/').expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text).toContain('<html lang="en">');
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('its files have names of their content, and are kept', async () => {
    const http = open();
    const { text } = await http.get('/playground/');
    const names = [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => `/playground/${name}`);
    expect(names.map((name) => name.replace(/-\w+\./, '.')).sort()).toEqual([
      '/playground/icon.svg',
      '/playground/main.js',
      '/playground/style.css',
    ]);
    for (const name of names) {
      const { headers } = await http.get(name).set('accept-encoding', 'gzip').expect(200);
      expect(headers['cache-control']).toContain('immutable');
      expect(headers['content-encoding']).toBe('gzip');
      expect(headers['content-security-policy']).toBeDefined();
    }
  });

  test('a page that did not change is not sent again', async () => {
    const http = open();
    const { headers } = await http.get('/playground/').expect(200);
    await http.get('/playground/').set('if-none-match', String(headers.etag)).expect(304);
  });

  test('names models to talk to where no key is asked for', async () => {
    const http = open();
    const { text } = await http.get('/playground/');
    expect(text).toContain(
      '<option value="fast&quot;&lt;"></option><option value="sim-*" disabled></option></datalist>',
    );
    expect(text).not.toContain('img-legacy');
  });

  test('asks for no key, and then names no models', async () => {
    const { text } = await open({ keys: KEYS }).get('/playground/').expect(200);
    expect(text).not.toContain('<option value="fast');
  });

  test.each([
    ['/playground', 308],
    ['/playground/main.js', 404],
    ['/playground/..%2f..%2fpackage.json', 404],
    ['/playgrounds', 404],
  ])('%s: %d', async (path, status) => {
    await open().get(path).expect(status);
  });

  test.each(['/', '//', '/?from=bookmark'])('a browser at %s is led to it', async (path) => {
    const http = open();
    const page = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { headers } = await http.get(path).set('accept', page).expect(302);
    expect(headers).toMatchObject({ location: 'playground/', vary: 'accept' });
    for (const accept of ['*/*', 'application/json']) {
      await http.get(path).set('accept', accept).expect(200).expect('content-type', /json/);
    }
  });

  test('where it is not served, a browser is told who is there', async () => {
    await open({ playground: false }).get('/').set('accept', 'text/html').expect(200).expect('content-type', /json/);
  });

  test('takes no POST', async () => {
    await open().post('/playground').send('{}').expect(405);
  });

  test('is not there when it is switched off', async () => {
    await open({ playground: false }).get('/playground/').expect(404);
  });
});

test.each([
  [{}, '127.0.0.1', undefined, 200],
  [{}, '0.0.0.0', undefined, 404],
  [{ playground: true }, '0.0.0.0', undefined, 200],
  [{}, '127.0.0.1', 'rebound.example', 200],
])('%j on %s for %s: %d', async (extra, host, name, status) => {
  const gateway = createGateway({ ...SIMULATOR, ...extra, log: { level: 'silent' } });
  const { port } = await gateway.listen({ host, port: 0, insecure: true });
  try {
    const answer = await get(port, name);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.text.includes('<option value="fast')).toBe(name === undefined);
  } finally {
    await gateway.close();
  }
});

/** Asks by a name of our choice, which fetch does not allow. */
function get(port: number, host?: string): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    request({ port, host: '127.0.0.1', path: '/playground/', headers }, async (answer) => {
      resolve({ status: answer.statusCode, text: Buffer.concat(await answer.toArray()).toString() });
    })
      .on('error', reject)
      .end();
  });
}
