import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { createGoogleAuthority, type GoogleClient } from '../../../src/backend/clouds/google.js';
import type { ConfigInput } from '../../../src/config/schema.js';
import { type MetadataServer, startMetadataServer } from '../../support/clouds/metadata.js';
import { PROJECT, startVertex, type Vertex } from '../../support/clouds/vertex.js';
import { FILM } from '../../support/fake-backend/media/videos.js';
import {
  ASK,
  json,
  messageOf,
  STREAM,
  send,
  startGateway,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';
import { png } from '../../support/pictures.js';
import { listen, shut } from '../../support/sockets.js';

const NOBODY = { method: 'GET', path: '/', headers: {} } as const;

describe('a token', () => {
  let time: number;
  let made: number;
  let seconds: number;
  let fails: boolean;
  let connections: number;
  const connect = async (): Promise<GoogleClient> => {
    connections += 1;
    const credentials: { expiry_date?: number } = {};
    return {
      credentials,
      async getRequestHeaders() {
        await Promise.resolve();
        if (fails) throw new Error('no token');
        made += 1;
        credentials.expiry_date = time + seconds * 1000;
        return new Map([['Authorization', `Bearer t${made}`]]);
      },
    };
  };
  const start = () => createGoogleAuthority(connect, () => time);
  const tokenOf = async (authority: ReturnType<typeof start>): Promise<string | undefined> =>
    (await authority.headersFor(NOBODY)).authorization;

  beforeEach(() => {
    [time, made, seconds, fails, connections] = [1_000_000, 0, 3600, false, 0];
  });

  test('serves all calls until five minutes before its end, and one call fetches the next for all', async () => {
    const authority = start();
    const all = () => Promise.all(Array.from({ length: 20 }, () => tokenOf(authority)));
    expect(new Set(await all())).toEqual(new Set(['Bearer t1']));
    time += 3299_000;
    expect(new Set(await all())).toEqual(new Set(['Bearer t1']));
    time += 1000;
    expect(new Set(await all())).toEqual(new Set(['Bearer t2']));
    expect([made, connections]).toEqual([2, 1]);
  });

  test('goes on to its end when the next cannot be had', async () => {
    const authority = start();
    await tokenOf(authority);
    fails = true;
    time += 3500_000;
    expect(await tokenOf(authority)).toBe('Bearer t1');
    time += 100_000;
    await expect(tokenOf(authority)).rejects.toThrow('no token');
    fails = false;
    expect(await tokenOf(authority)).toBe('Bearer t2');
  });

  test('that is refused is replaced once, unless it is new', async () => {
    const authority = start();
    const headers = await authority.headersFor(NOBODY);
    expect(authority.refused(headers)).toBe(false);
    time += 60_000;
    expect(authority.refused(headers)).toBe(true);
    expect(await tokenOf(authority)).toBe('Bearer t2');
    // Another call that had the old one.
    expect(authority.refused(headers)).toBe(true);
    expect(await tokenOf(authority)).toBe('Bearer t2');
    expect(made).toBe(2);
  });
});

describe('in front of the models of a cloud', () => {
  let vertex: Vertex;
  let metadata: MetadataServer;
  let gateway: TestGateway;
  let threads: TestGateway;
  const before = { ...process.env };

  beforeAll(async () => {
    [vertex, metadata] = await Promise.all([startVertex(), startMetadataServer()]);
    Object.assign(process.env, { GCE_METADATA_HOST: metadata.host, GOOGLE_CLOUD_PROJECT: 'p-1' });
    delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
  });
  afterAll(async () => {
    for (const name of ['GCE_METADATA_HOST', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_APPLICATION_CREDENTIALS']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await Promise.all([vertex.close(), metadata.close()]);
  });
  beforeEach(async () => {
    Object.assign(metadata, { tokens: 0, seconds: 3600, delay: 0, failing: false });
    Object.assign(vertex, { token: 'ya29.token-1', refusal: undefined });
    vertex.called.length = 0;
    vertex.asked.length = 0;
    const root = (publisher: string) => `${vertex.url}${PROJECT}/publishers/${publisher}`;
    const config: ConfigInput = {
      backends: {
        gemini: { dialect: 'generateContent', baseUrl: root('google'), auth: 'google', retries: 0, breaker: false },
        imagen: { dialect: 'generateContent', baseUrl: root('google'), auth: 'google', images: 'predict' },
        claude: { dialect: 'messages', baseUrl: `${root('anthropic')}/`, auth: 'google', retries: 0, breaker: false },
      },
      models: {
        'gemini-*': { backend: 'gemini' },
        'veo-*': { backend: 'gemini' },
        'imagen-*': { backend: 'imagen' },
        'claude-*': { backend: 'claude' },
      },
      store: { type: 'off' },
    };
    gateway = await startGateway(config);
    threads = await startGateway(config, { largeBytes: -1 });
  });
  afterEach(() => Promise.all([gateway.close(), threads.close()]));

  const CLAUDE = 'claude-sonnet-4-5@20250929';
  const claude = () => new Anthropic({ apiKey: 'unused', baseURL: gateway.url, maxRetries: 0 });
  const gemini = () => new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl: gateway.url } });
  const ask = { model: CLAUDE, max_tokens: 64, messages: [{ role: 'user' as const, content: 'hi' }] };

  test('one token serves all calls to all backends', async () => {
    metadata.delay = 50;
    const { path, body } = ASK.messages(CLAUDE);
    const other = ASK.generateContent('gemini-2.5-flash');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0 ? send(gateway.url, path, { body }) : send(gateway.url, other.path, { body: other.body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(metadata.tokens).toBe(1);
  });

  test('a workload identity is exchanged at the address that its file names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'interlingua-google-'));
    let exchanged = 0;
    const sts = createServer((request, response) => {
      exchanged += 1;
      request.resume();
      const token_type = 'Bearer';
      const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token';
      json(response, 200, { access_token: 'ya29.exchanged', issued_token_type, token_type, expires_in: 3600 });
    });
    const token_url = `${await listen(sts)}/v1/token`;
    writeFileSync(join(folder, 'subject'), 'subject-token');
    writeFileSync(
      join(folder, 'adc.json'),
      JSON.stringify({
        type: 'external_account',
        audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url,
        credential_source: { file: join(folder, 'subject') },
      }),
    );
    process.env.GOOGLE_APPLICATION_CREDENTIALS = join(folder, 'adc.json');
    vertex.token = 'ya29.exchanged';
    try {
      const { path, body } = ASK.messages(CLAUDE);
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(gateway.url, path, { body })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect([exchanged, metadata.tokens]).toEqual([1, 0]);
    } finally {
      delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
      rmSync(folder, { recursive: true });
      await shut(sts);
    }
  });

  test('a token that nears its end is replaced before it ends', async () => {
    metadata.seconds = 301;
    const { path, body } = ASK.messages(CLAUDE);
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    vertex.token = 'ya29.token-2';
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    expect(metadata.tokens).toBe(2);
  });

  test('Claude, relayed: the model and the version change places, and every other byte stays', async () => {
    const text = `{"max_tokens" : 64, "model":"${CLAUDE}",\n "messages":[{"role":"user","content":"h\\u0069"}], "x_new": 1e2}`;
    const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'some-beta' };
    const answer = await send(gateway.url, '/v1/messages?beta=true', { body: text, headers });
    expect([answer.status, answer.body.content?.[0].text]).toEqual([200, `from ${CLAUDE}`]);
    const [called] = vertex.called;
    expect(called?.path).toBe(`${PROJECT}/publishers/anthropic/models/${CLAUDE}:rawPredict`);
    expect(called?.text.replace(/,?\s*"anthropic_version":"vertex-2023-10-16"/, '')).toBe(
      `{"max_tokens" : 64,\n "messages":[{"role":"user","content":"h\\u0069"}], "x_new": 1e2}`,
    );
    expect(called?.headers['anthropic-beta']).toBe('some-beta');
  });

  test('Claude with its own client: whole, streamed, counted', async () => {
    const whole = await claude().messages.create(ask);
    expect(whole.content).toMatchObject([{ type: 'text', text: `from ${CLAUDE}` }]);
    const streamed = await claude().messages.stream(ask).finalText();
    expect(streamed).toBe(`from ${CLAUDE}`);
    const { input_tokens } = await claude().messages.countTokens({ model: CLAUDE, messages: ask.messages });
    expect(input_tokens).toBe(42);
    expect(vertex.called.map(({ path }) => path.slice(path.lastIndexOf('/')))).toEqual([
      `/${CLAUDE}:rawPredict`,
      `/${CLAUDE}:streamRawPredict`,
      '/count-tokens:rawPredict',
    ]);
    expect(vertex.called[2]?.body.model).toBe(CLAUDE);
  });

  test('Claude for clients of the other dialects: whole, streamed, counted', async () => {
    for (const dialect of ['responses', 'generateContent', 'chatCompletions'] as const) {
      for (const { path, body } of [ASK[dialect](CLAUDE), STREAM[dialect](CLAUDE)]) {
        const answer = await send(gateway.url, path, { body });
        expect([dialect, answer.status]).toEqual([dialect, 200]);
        expect(answer.headers['x-interlingua-backend']).toBe('claude');
      }
    }
    const { path, body } = ASK.generateContent(CLAUDE);
    const counted = await send(gateway.url, path.replace(':generateContent', ':countTokens'), { body });
    expect([counted.status, counted.body.totalTokens]).toEqual([200, 42]);
  });

  test('Gemini with its own client and for others: whole, streamed, counted', async () => {
    const ai = gemini();
    const model = 'gemini-2.5-flash';
    expect((await ai.models.generateContent({ model, contents: 'hi' })).text).toBe('from google');
    let text = '';
    for await (const chunk of await ai.models.generateContentStream({ model, contents: 'hi' }))
      text += chunk.text ?? '';
    expect(text).toBe('from google');
    expect((await ai.models.countTokens({ model, contents: 'hi' })).totalTokens).toBe(17);
    const { path, body } = STREAM.responses(model);
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    expect(vertex.called.map(({ path: asked }) => asked)).toEqual(
      ['generateContent', 'streamGenerateContent?alt=sse', 'countTokens', 'streamGenerateContent?alt=sse'].map(
        (verb) => `${PROJECT}/publishers/google/models/${model}:${verb}`,
      ),
    );
  });

  test('pictures and videos: each call has the path of its model', async () => {
    const openai = new OpenAI({ apiKey: 'unused', baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const pictures = await openai.images.generate({ model: 'imagen-4', prompt: 'a cat', response_format: 'b64_json' });
    expect(pictures.data?.[0]?.b64_json).toBe(png().toString('base64'));
    const { id } = await openai.videos.create({ model: 'veo-3.1', prompt: 'a cat' });
    expect((await openai.videos.retrieve(id)).status).toBe('completed');
    const file = await openai.videos.downloadContent(id);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(FILM);
    expect(new Set(vertex.called.map(({ path }) => path.replace(`${PROJECT}/publishers/google/models/`, '')))).toEqual(
      new Set(['imagen-4:predict', 'veo-3.1:predictLongRunning', 'veo-3.1:fetchPredictOperation']),
    );
  });

  test.each([
    [403, 'PERMISSION_DENIED', 502, 'the backend refused the credentials of this gateway'],
    [404, 'NOT_FOUND', 404, 'Publisher Model `x` was not found.'],
    [429, 'RESOURCE_EXHAUSTED', 429, 'Quota exceeded.'],
    [400, 'INVALID_ARGUMENT', 400, 'It is not valid.'],
  ])('a refusal of the front door, %i, has the form of the client', async (status, word, shown, message) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }];
    const error = { error: { code: status, status: word, message, details } };
    for (const body of [error, [error]]) {
      vertex.refusal = { status, body };
      for (const dialect of ['messages', 'responses'] as const) {
        const { path, body: asked } = STREAM[dialect](CLAUDE);
        const answer = await send(gateway.url, path, { body: asked });
        expect([answer.status, messageOf(dialect, answer.body)]).toEqual([shown, message]);
        if (status === 429) expect(answer.headers['retry-after']).toBe('7');
      }
    }
  });

  test('a token that an answer quotes is not told, wherever it is translated', async () => {
    for (const { url } of [gateway, threads]) {
      const token = metadata.tokenOf(metadata.tokens + 1);
      const body = { ...WHOLE.messages(`it is ${token}`), model: CLAUDE };
      Object.assign(vertex, { token, refusal: { status: 200, body } });
      for (const dialect of ['messages', 'responses', 'generateContent', 'chatCompletions'] as const) {
        const asked = ASK[dialect](CLAUDE);
        const { status, text } = await send(url, asked.path, { body: asked.body });
        expect([dialect, status >= 500, text]).toEqual([dialect, true, expect.stringContaining('a secret of')]);
        expect(text).not.toContain(token);
      }
    }
  });

  test('without a token nothing is sent, and the client is told whose fault it is', async () => {
    metadata.failing = true;
    const { path, body } = ASK.messages(CLAUDE);
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, answer.body.error.message]).toEqual([
      502,
      'the gateway cannot get its credentials for the backend',
    ]);
    expect(vertex.asked).toEqual([]);
    metadata.failing = false;
    expect((await send(gateway.url, path, { body })).status).toBe(200);
  });
});
