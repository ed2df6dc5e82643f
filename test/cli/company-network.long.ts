import { createServer } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { proxiesOf } from '../../src/ground/proxies.js';
import { CERTIFICATE } from '../support/faulty-backend/certificate.js';
import { ASK, json, type Recorder, send, startGateway, startRecorder, WHOLE } from '../support/gateway/harness.js';
import { createWorkplace, type Served, until, type Workplace } from '../support/gateway/program.js';
import { type ForwardProxy, startProxy } from '../support/network/proxy.js';
import { listen, shut } from '../support/sockets.js';

const PASSWORD = 'correct-horse-battery';

const config = (baseUrl: string): string =>
  JSON.stringify({
    backends: { far: { dialect: 'messages', baseUrl, apiKey: 'sk-upstream-1234', retries: 0 } },
    limits: { connectSeconds: 3 },
    store: { type: 'off' },
  });

const ask = ({ url }: Served) => send(url, ASK.messages('m').path, { body: ASK.messages('m').body });

let work: Workplace;
beforeEach(() => {
  work = createWorkplace();
});
afterEach(() => work.end());

const serve = (baseUrl: string, env: Record<string, string>): Promise<Served> =>
  work.serve(['--config', work.file('interlingua.json', config(baseUrl))], { env });

const withPassword = (url: string): string => url.replace('http://', `http://team:${PASSWORD}@`);

const BASIC = `Basic ${Buffer.from(`team:${PASSWORD}`).toString('base64')}`;

describe('towards a backend with a certificate of the company', () => {
  const secure = createServer(CERTIFICATE, (request, response) => {
    void readText(request).then(() => json(response, 200, WHOLE.messages('safe')));
  });
  let port: string;
  let proxy: ForwardProxy;
  beforeAll(async () => {
    ({ port } = new URL(await listen(secure)));
    proxy = await startProxy(Number(port));
  });
  beforeEach(() => {
    proxy.seen.length = 0;
    proxy.refusal = undefined;
  });
  afterAll(async () => {
    await proxy.close();
    await shut(secure);
  });

  const ca = () => ({ NODE_EXTRA_CA_CERTS: work.file('company-ca.pem', CERTIFICATE.cert) });

  test('NODE_EXTRA_CA_CERTS makes it trusted', async () => {
    const answer = await ask(await serve(`https://localhost:${port}`, ca()));
    expect([answer.status, answer.body.content?.[0].text]).toEqual([200, 'safe']);
  });

  test('without it the call fails, and the log says why', async () => {
    const served = await serve(`https://localhost:${port}`, {});
    expect((await ask(served)).status).toBe(502);
    await until(() => served.logs().includes('SELF_SIGNED_CERT'));
  });

  test('HTTPS_PROXY builds a tunnel with the credentials of its URL, which no log shows', async () => {
    const served = await serve(`https://localhost:${port}`, { ...ca(), HTTPS_PROXY: withPassword(proxy.url) });
    const answer = await ask(served);
    expect([answer.status, answer.body.content?.[0].text]).toEqual([200, 'safe']);
    expect(proxy.seen).toMatchObject([
      { line: `CONNECT localhost:${port}`, headers: { 'proxy-authorization': BASIC } },
    ]);
    expect(served.logs()).not.toContain(PASSWORD);
    // The key of the backend is for the backend.
    expect(JSON.stringify(proxy.seen)).not.toContain('sk-upstream-1234');
  });

  test('a proxy that refuses leaves no call made, and says so in the log without its credentials', async () => {
    proxy.refusal = 407;
    const served = await serve(`https://localhost:${port}`, { ...ca(), https_proxy: withPassword(proxy.url) });
    const answer = await ask(served);
    expect([answer.status, answer.body.error.message]).toEqual([502, 'the backend cannot be reached']);
    await until(() => served.entries().some(({ msg }) => msg === 'call failed'));
    expect(served.logs()).not.toContain(PASSWORD);
    expect(served.logs()).not.toContain(BASIC.slice(6));
  });
});

describe('towards a backend without encryption', () => {
  let backend: Recorder;
  let proxy: ForwardProxy;
  let port: string;
  beforeAll(async () => {
    backend = await startRecorder();
    backend.reply = (response) => json(response, 200, WHOLE.messages('plain'));
    ({ port } = new URL(backend.url));
    proxy = await startProxy(Number(port));
  });
  beforeEach(() => {
    proxy.seen.length = 0;
  });
  afterAll(() => Promise.all([proxy.close(), backend.close()]));

  test('HTTP_PROXY gets the request with its host, and resolves the name', async () => {
    const served = await serve('http://models.corp.example/v1', { HTTP_PROXY: withPassword(proxy.url) });
    const answer = await ask(served);
    expect([answer.status, answer.body.content?.[0].text]).toEqual([200, 'plain']);
    expect(proxy.seen).toMatchObject([
      {
        line: 'POST http://models.corp.example/v1/messages',
        headers: { host: 'models.corp.example', 'proxy-authorization': BASIC },
      },
    ]);
    expect(backend.seen.at(-1)?.headers['proxy-authorization']).toBeUndefined();
    expect(served.logs()).not.toContain(PASSWORD);
  });

  /** Which of some backends are called through the proxy. */
  const proxiedOf = async (noProxy: string, addresses: readonly string[]): Promise<string[]> => {
    const backends = addresses.map((baseUrl) => [baseUrl, { dialect: 'messages', baseUrl, retries: 0 }] as const);
    const named = backends.map(([, backend], index) => [`b${index}`, backend]);
    const models = backends.map(([name], index) => [name, { backend: `b${index}` }]);
    const env = { http_proxy: proxy.url, no_proxy: noProxy, NO_PROXY: 'ignored.example' };
    Object.assign(process.env, env);
    const gateway = await startGateway({
      backends: Object.fromEntries(named),
      models: Object.fromEntries(models),
      limits: { connectSeconds: 3 },
      store: { type: 'off' },
    });
    const { url } = gateway;
    const answers = addresses.map(async (address) => {
      const { path, body } = ASK.messages(address);
      return (await send(url, path, { body })).status;
    });
    const statuses = await Promise.all(answers);
    await gateway.close();
    for (const name of Object.keys(env)) delete process.env[name];
    const seen = proxy.seen.map(({ line }) => line.split(' ')[1]?.replace('/v1/messages', '') ?? '');
    // Names are looked up by the proxy, and nowhere else.
    addresses.forEach((address, index) => {
      if (address.includes('example')) expect(statuses[index] === 200).toBe(seen.includes(address));
      else expect(statuses[index]).toBe(200);
    });
    return seen.sort();
  };

  test('NO_PROXY with hosts, ports and endings', async () => {
    const local = backend.url;
    const elsewhere = [
      'http://corp.example.org',
      'http://example.net:81',
      'http://mycorp.example',
      'http://other.example',
    ];
    const kept = ['http://models.corp.example', 'http://corp.example', 'http://a.b.example.org', 'http://example.net'];
    const noProxy = `.corp.example, *.b.example.org example.net:80,127.0.0.1:${port}`;
    expect(await proxiedOf(noProxy, [local, ...kept, ...elsewhere])).toEqual(elsewhere);
  });

  test('NO_PROXY with another port of a host, and with everything', async () => {
    expect(await proxiedOf('127.0.0.1:1', [backend.url])).toEqual([backend.url]);
    proxy.seen.length = 0;
    expect(await proxiedOf('*', [backend.url, 'http://other.example'])).toEqual([]);
  });

  test('an address that is none ends the start with the name of its variable and nothing else', async () => {
    const served = serve(backend.url, { HTTPS_PROXY: `ftp://team:${PASSWORD}@proxy.example` });
    const fault = await served.catch((error: unknown) => String(error));
    expect(fault).toContain('HTTPS_PROXY is not a usable proxy address; write http://HOST:PORT');
    expect(fault).not.toContain(PASSWORD);
  });
});

describe('the proxies of an environment', () => {
  test.each([
    [{}, { http: '', https: '' }],
    [{ HTTP_PROXY: 'http://a:1' }, { http: 'http://a:1', https: 'http://a:1' }],
    [{ HTTPS_PROXY: 'http://b:2' }, { http: '', https: 'http://b:2' }],
    [
      { HTTP_PROXY: 'http://a:1', http_proxy: 'http://c:3' },
      { http: 'http://c:3', https: 'http://c:3' },
    ],
    [
      { HTTP_PROXY: 'http://a:1', http_proxy: '' },
      { http: '', https: '' },
    ],
    [{ HTTPS_PROXY: 'proxy.corp.example:3128' }, { http: '', https: 'http://proxy.corp.example:3128' }],
  ])('%j', (environment, expected) => {
    expect(proxiesOf(environment)).toEqual(expected);
  });
});
