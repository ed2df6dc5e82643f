import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fileType } from '../../src/protocol/file-type.js';
import {
  EVENT_STREAM,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { jpeg, png } from '../support/pictures.js';

let backend: Recorder;
/** Files that conversations name. */
let files: Recorder;
let gateway: TestGateway;
/** Fetches nothing. */
let closed: TestGateway;
const PDF = Buffer.from('%PDF-1.4\n%%EOF');

beforeAll(async () => {
  backend = await startRecorder();
  files = await startRecorder();
  const config = {
    backends: {
      gem: { dialect: 'generateContent', baseUrl: backend.url, retries: 0 },
      old: { dialect: 'responses', baseUrl: backend.url, retries: 0 },
      many: { preset: 'ollama', baseUrl: backend.url, retries: 0 },
    },
    models: {
      gem: { backend: 'gem', model: 'gemini-3-pro' },
      old: { backend: 'old', model: 'gpt-3.5-turbo' },
      new: { backend: 'old', model: 'gpt-5' },
      many: { backend: 'many', model: 'gemma3' },
    },
    limits: { drainSeconds: 1 },
  } as const;
  gateway = await startGateway({ ...config, media: { allowPrivate: ['127.0.0.1'], fetchMb: 1 } });
  closed = await startGateway({
    ...config,
    media: { fetch: false, allowPrivate: ['127.0.0.1'] },
    translate: { omitMedia: true },
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), closed.close()]);
  await Promise.all([backend.close(), files.close()]);
});
beforeEach(() => {
  backend.seen.length = 0;
  files.seen.length = 0;
  backend.reply = (response) => json(response, 200, WHOLE.generateContent('seen'));
  files.reply = (response, { path }) => {
    const file =
      path === '/picture'
        ? jpeg()
        : path === '/document'
          ? PDF
          : path === '/large'
            ? Buffer.alloc(2 * 1024 * 1024)
            : path === '/odd'
              ? Buffer.from([1, 2, 3])
              : undefined;
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
    response.end(file);
  };
});

const image = (url: string) => ({ type: 'image', source: { type: 'url', url } });
const ask = (model: string, content: unknown[]) => ({ model, max_tokens: 50, messages: [{ role: 'user', content }] });
const talk = (model: string, content: unknown[], url = gateway.url, headers = {}) =>
  send(url, '/v1/messages', { body: ask(model, content), headers });
const sent = () => JSON.parse(backend.seen.at(-1)?.body ?? '{}');

describe('files that a conversation names by URL', () => {
  test('are sent inline to a target that takes them only so, by the type their bytes have', async () => {
    const document = { type: 'document', source: { type: 'url', url: `${files.url}/document` } };
    const result = { type: 'tool_result', tool_use_id: 't1', content: [image(`${files.url}/picture`)] };
    const answer = await send(gateway.url, '/v1/messages', {
      body: {
        model: 'gem',
        max_tokens: 50,
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image(`${files.url}/picture`), document] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
          { role: 'user', content: [result] },
        ],
      },
    });
    expect(answer.status).toBe(200);
    const text = JSON.stringify(sent());
    expect(text).toContain(JSON.stringify({ mimeType: 'image/jpeg', data: jpeg().toString('base64') }));
    expect(text).toContain(JSON.stringify({ mimeType: 'application/pdf', data: PDF.toString('base64') }));
    expect(text).not.toContain(files.url);
    expect(answer.headers['x-interlingua-loss']).toContain('part.media;kind=moved');
    // The same file twice is fetched once.
    expect(files.seen.map(({ path }) => path).sort()).toEqual(['/document', '/picture']);
    expect(files.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test('are fetched once, however many endpoints of a backend are looked at', async () => {
    let opened = 0;
    files.reply = (response) => {
      opened += 1;
      response.writeHead(opened === 1 ? 200 : 403, { 'content-type': 'image/jpeg' });
      response.end(jpeg());
    };
    backend.reply = (response) => json(response, 200, WHOLE.chatCompletions('{"city":"Bern"}'));
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const body = {
      ...ask('many', [image(`${files.url}/once`)]),
      output_config: { format: { type: 'json_schema', schema } },
    };
    const answer = await send(gateway.url, '/v1/messages', { body });
    expect([answer.status, answer.headers['x-interlingua-backend']]).toEqual([200, 'many;endpoint=chatCompletions']);
    expect(JSON.stringify(sent())).toContain(`data:image/jpeg;base64,${jpeg().toString('base64')}`);
    expect(files.seen.map(({ path }) => path)).toEqual(['/once']);
  });

  test('are left to a target that fetches them itself', async () => {
    backend.reply = (response) => json(response, 200, WHOLE.responses('seen'));
    expect((await talk('new', [image(`${files.url}/picture`)])).status).toBe(200);
    expect(files.seen).toHaveLength(0);
    expect(JSON.stringify(sent())).toContain(`${files.url}/picture`);
  });

  test('are fetched for a count as well', async () => {
    backend.reply = (response) => json(response, 200, { totalTokens: 300 });
    const { max_tokens: _cap, ...body } = ask('gem', [image(`${files.url}/picture`)]);
    const answer = await send(gateway.url, '/v1/messages/count_tokens', { body });
    expect([answer.status, answer.body]).toEqual([200, { input_tokens: 300 }]);
    expect(JSON.stringify(sent())).toContain(jpeg().toString('base64'));
  });

  test.each([
    ['is not there', () => `${files.url}/gone`],
    ['is too large', () => `${files.url}/large`],
    ['is of no known type', () => `${files.url}/odd`],
    ['stands on a private host', () => 'http://10.0.0.1/x.png'],
    ['stands on the metadata service', () => 'http://169.254.169.254/latest/meta-data/'],
  ])('that %s are refused, and the place is named', async (_name, url) => {
    const answer = await send(gateway.url, '/v1/responses', {
      body: {
        model: 'gem',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'x' },
              { type: 'input_image', image_url: url() },
            ],
          },
        ],
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', param: 'input[0].content[1]' });
    expect(backend.seen).toHaveLength(0);
  });

  test('of more than a few are refused', async () => {
    const answer = await talk(
      'gem',
      Array.from({ length: 65 }, (_, index) => image(`${files.url}/picture?${index}`)),
    );
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/more than 64 files/)]);
    expect(files.seen).toHaveLength(0);
  });

  test('are refused, or left out, where nothing is fetched', async () => {
    const answer = await talk('gem', [{ type: 'text', text: 'x' }, image(`${files.url}/picture`)], closed.url);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(sent())).toContain('[image omitted');
    expect(files.seen).toHaveLength(0);
  });

  test('of a conversation whose client goes away are no longer fetched', async () => {
    const controller = new AbortController();
    const asked = new Promise<void>((resolve) => {
      files.reply = () => resolve();
    });
    const asking = fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ask('gem', [image(`${files.url}/picture`)])),
      signal: controller.signal,
    }).catch(() => undefined);
    await asked;
    const before = files.aborted;
    controller.abort();
    await asking;
    for (let waited = 0; files.aborted === before && waited < 1000; waited += 5)
      await new Promise((next) => setTimeout(next, 5));
    expect(files.aborted).toBe(before + 1);
    expect(backend.seen).toHaveLength(0);
  });
});

describe('pictures in answers', () => {
  const PICTURE = png();
  const made = {
    ...WHOLE.generateContent(''),
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ text: 'Here: ' }, { inlineData: { mimeType: 'image/png', data: PICTURE.toString('base64') } }],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
  };
  const item = {
    id: 'ig_1',
    type: 'image_generation_call',
    status: 'completed',
    result: PICTURE.toString('base64'),
    output_format: 'png',
  };
  const tool = { ...WHOLE.responses(''), output: [item] };

  async function expectLink(text: string): Promise<void> {
    const [, url = ''] = /!\[generated image\]\((http:\/\/127\.0\.0\.1:\d+\/media\/[0-9a-f]{32})\)/.exec(text) ?? [];
    const kept = await fetch(url);
    expect(kept.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(PICTURE);
    expect(text).not.toContain(PICTURE.toString('base64'));
  }

  test.each([
    ['gem', made],
    ['new', tool],
  ])('are links for messages clients: %s', async (model, body) => {
    backend.reply = (response) => json(response, 200, body);
    const answer = await talk(model, [{ type: 'text', text: 'draw' }]);
    expect(answer.status).toBe(200);
    expect(answer.body.content.at(-1)).toEqual({
      type: 'text',
      text: expect.stringMatching(/^!\[generated image\]/),
      citations: null,
    });
    expect(answer.headers['x-interlingua-loss']).toContain('part.media;kind=approximated');
    await expectLink(answer.body.content.at(-1).text);
  });

  test('are never served as what could run, whatever the backend calls them', async () => {
    for (const mimeType of ['image/svg+xml', 'image/png']) {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
      const part = { inlineData: { mimeType, data: Buffer.from(svg).toString('base64') } };
      const [candidate] = made.candidates;
      backend.reply = (response) =>
        json(response, 200, { ...made, candidates: [{ ...candidate, content: { role: 'model', parts: [part] } }] });
      const answer = await talk('gem', [{ type: 'text', text: 'draw' }]);
      const [, url = ''] = /\((http[^)]+)\)/.exec(answer.body.content.at(-1).text) ?? [];
      const kept = await fetch(url);
      expect([kept.headers.get('content-type'), await kept.text()]).toEqual(['application/octet-stream', svg]);
    }
  });

  test('are links in streams too', async () => {
    backend.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(`data: ${JSON.stringify(made)}\r\n\r\n`);
    };
    const answer = await send(gateway.url, '/v1/messages', {
      body: { ...ask('gem', [{ type: 'text', text: 'draw' }]), stream: true },
    });
    expect(answer.text).toContain('message_stop');
    const deltas = [...answer.text.matchAll(/^data: (\{.*"text_delta".*\})$/gm)].map(
      ([, data = '']) => JSON.parse(data).delta.text,
    );
    await expectLink(deltas.join(''));
  });

  test('of an item in a stream are links as well', async () => {
    const open = { ...tool, status: 'in_progress', output: [], usage: null };
    const events = [
      { type: 'response.created', response: open },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', result: null } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: tool },
    ];
    backend.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(
        events
          .map((data, index) => `event: ${data.type}\ndata: ${JSON.stringify({ sequence_number: index, ...data })}\n\n`)
          .join(''),
      );
    };
    const answer = await send(gateway.url, '/v1/messages', {
      body: { ...ask('new', [{ type: 'text', text: 'draw' }]), stream: true },
    });
    expect(answer.text).toContain(
      '"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}',
    );
    await expectLink(answer.text);
  });

  test('stay pictures for the other clients', async () => {
    backend.reply = (response) => json(response, 200, made);
    const answer = await send(gateway.url, '/v1/responses', { body: { model: 'gem', input: 'draw' } });
    expect(answer.body.output).toContainEqual(
      expect.objectContaining({ type: 'image_generation_call', result: PICTURE.toString('base64') }),
    );
  });

  test('come back as the links they are', async () => {
    const answer = await send(gateway.url, '/v1/messages', {
      body: {
        model: 'gem',
        max_tokens: 50,
        messages: [
          { role: 'user', content: 'draw' },
          { role: 'assistant', content: [{ type: 'text', text: '![generated image](http://x.example/media/1)' }] },
          { role: 'user', content: 'again' },
        ],
      },
    });
    expect(answer.status).toBe(200);
    expect(files.seen).toHaveLength(0);
  });
});

describe('the type of a file', () => {
  test.each([
    [png(), '', 'image/png'],
    [jpeg(), 'text/html', 'image/jpeg'],
    [PDF, 'image/png', 'application/pdf'],
    [Buffer.from('\0\0\0\x18ftypmp42'), '', 'video/mp4'],
    [Buffer.from('\0\0\0\x18ftypheic'), '', 'image/heic'],
    [Buffer.from('\0\0\0\x18ftypM4A '), '', 'audio/mp4'],
    [Buffer.from('RIFF\0\0\0\0WAVEfmt '), '', 'audio/wav'],
    [Buffer.from('ID3\x03'), '', 'audio/mpeg'],
    [Buffer.from('OggS'), '', 'audio/ogg'],
    [Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), '', 'video/webm'],
    [Buffer.from('hello'), 'text/plain; charset=utf-8', 'text/plain'],
    [Buffer.from('{}'), 'application/json', 'application/json'],
    [Buffer.from('<svg/>'), 'image/svg+xml', undefined],
    [Buffer.from('hello'), 'image/png', undefined],
    [Buffer.from([0xff, 0xfb, 0x00]), 'text/plain', 'audio/mpeg'],
    [Buffer.from([0xff, 0xfe, 0x00]), 'text/plain', undefined],
    [Buffer.from([0x80, 0x81]), 'text/plain', undefined],
    [Buffer.alloc(0), 'application/octet-stream', undefined],
  ])('%# is told by its bytes', (bytes, declared, type) => {
    expect(fileType(bytes, declared)).toBe(type);
  });
});
