import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { toFile } from 'openai';
import { answerOf, startContentImages } from '../support/fake-backend/media/content.js';
import { readWireForm } from '../support/fake-backend/media/form.js';
import { INTERIM, MADE, USAGE } from '../support/fake-backend/media/routes.js';
import { jsonOf, type MediaFake } from '../support/fake-backend/media/server.js';
import { ITEM, responseOf, TOOL_USAGE, toolStream } from '../support/fake-backend/media/tool.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { jpeg, png, webp } from '../support/pictures.js';
import { until } from '../support/until.js';
import { filePart, formHeaders, formOf } from './form.js';
import { openStage, type Stage } from './stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const SQUARE = png({ width: 16, height: 16 });

/** The last request a fake saw, as JSON. */
function lastJson(fake: MediaFake) {
  const seen = fake.seen.at(-1);
  if (seen === undefined) throw new Error('nothing was sent');
  return jsonOf(seen);
}

/** The last request a fake saw, as the parts of a form. */
function lastForm(fake: MediaFake) {
  const seen = fake.seen.at(-1);
  if (seen === undefined) throw new Error('nothing was sent');
  return readWireForm(seen.headers['content-type'], seen.raw).map(({ name, type, filename, bytes }) => ({
    name,
    type,
    filename,
    value: filename === undefined ? bytes.toString() : bytes.length,
  }));
}

async function frames<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const frame of stream) all.push(frame);
  return all;
}

describe('a backend with the image routes', () => {
  test('a generation passes with nothing but the name of the model changed', async () => {
    const answer = await stage.client.images.generate({ model: 'img-v3', prompt: 'a cat', style: 'natural' });
    expect(lastJson(stage.routes)).toEqual({ model: 'dall-e-3', prompt: 'a cat', style: 'natural' });
    expect(answer.data).toEqual([{ url: 'https://pictures.example/0.png', revised_prompt: 'as it was drawn' }]);
  });

  test('a request without a model is one of img-legacy', async () => {
    const answer = await send(stage.gateway.url, '/v1/images/generations', { body: { prompt: 'a cat', n: 2 } });
    expect(lastJson(stage.routes)).toEqual({ prompt: 'a cat', n: 2, model: 'dall-e-2' });
    expect(answer.body.data).toHaveLength(2);
    expect(answer.headers).toMatchObject({
      'x-interlingua-backend': 'routes',
      'x-interlingua-dialect': 'responses',
      'x-interlingua-model': 'dall-e-2',
      'x-interlingua-losses': '0',
      'x-interlingua-upstream-request-id': 'req_fake_images',
    });
  });

  test('an edit without a model but with what only img-multi has is one of img-multi', async () => {
    await stage.client.images.edit({ image: await toFile(jpeg(), 'a.jpg'), prompt: 'x', background: 'opaque' });
    expect(lastForm(stage.routes)).toContainEqual(expect.objectContaining({ name: 'model', value: 'gpt-image-1' }));
  });

  test('[IMG-01] nobody adds a response_format, and none reaches a model that knows none', async () => {
    const plain = await stage.client.images.generate({ model: 'gpt-image-1', prompt: 'cat' });
    expect(lastJson(stage.routes)).toEqual({ model: 'gpt-image-1', prompt: 'cat' });
    expect(plain).toMatchObject({ data: [{ b64_json: MADE }], usage: USAGE });

    await stage.client.images.generate({ model: 'gpt-image-1', prompt: 'cat', response_format: 'b64_json' });
    expect(lastJson(stage.routes)).toEqual({ model: 'gpt-image-1', prompt: 'cat' });

    const linked = await stage.client.images.generate({ model: 'gpt-image-1', prompt: 'cat', response_format: 'url' });
    expect(linked.data?.[0]?.b64_json).toBeUndefined();
    const kept = await fetch(String(linked.data?.[0]?.url));
    expect(Buffer.from(await kept.arrayBuffer()).toString('base64')).toBe(MADE);
  });

  test('a model that needs the field to give bytes gets it', async () => {
    const answer = await stage.client.images.generate({ model: 'img-v3', prompt: 'cat', response_format: 'b64_json' });
    expect(lastJson(stage.routes)).toMatchObject({ response_format: 'b64_json' });
    expect(answer.data?.[0]?.b64_json).toBe(MADE);
  });

  test('fields that nobody here knows pass', async () => {
    await send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'img-v3', prompt: 'x', seed: 7, guidance: 2.5 },
    });
    expect(lastJson(stage.routes)).toMatchObject({ seed: 7, guidance: 2.5 });
  });

  test('[IMG-03] several pictures stay files, in their order, with their real types', async () => {
    const answer = await stage.client.images.edit({
      model: 'img-multi',
      prompt: 'put them together',
      image: [
        await toFile(SQUARE, 'first.png'),
        await toFile(jpeg({ bytes: 500 }), 'second.bin'),
        await toFile(webp(), 'third.webp', { type: 'image/png' }),
      ],
      input_fidelity: 'high',
    });
    expect(lastForm(stage.routes)).toEqual([
      { name: 'prompt', value: 'put them together' },
      { name: 'input_fidelity', value: 'high' },
      { name: 'model', value: 'gpt-image-1' },
      { name: 'image[]', type: 'image/png', filename: 'first.png', value: SQUARE.length },
      { name: 'image[]', type: 'image/jpeg', filename: 'second.bin', value: 500 },
      { name: 'image[]', type: 'image/webp', filename: 'third.webp', value: webp().length },
    ]);
    expect(answer).toMatchObject({ data: [{ b64_json: MADE }], usage: USAGE });
  });

  test('[IMG-04] one mask stays one mask, and what was sent reads back as what came', async () => {
    const mask = png({ width: 16, height: 16 });
    await stage.client.images.edit({
      model: 'img-legacy',
      prompt: 'ein Hut für "sie"',
      image: await toFile(SQUARE, 'über "x".png', { type: 'image/png' }),
      mask: await toFile(mask, 'mask.png', { type: 'image/png' }),
      n: 2,
    });
    expect(lastForm(stage.routes)).toEqual([
      { name: 'prompt', value: 'ein Hut für "sie"' },
      { name: 'n', value: '2' },
      { name: 'model', value: 'dall-e-2' },
      { name: 'image', type: 'image/png', filename: 'über %22x%22.png', value: SQUARE.length },
      { name: 'mask', type: 'image/png', filename: 'mask.png', value: mask.length },
    ]);
  });

  test('a variation passes', async () => {
    const answer = await stage.client.images.createVariation({
      image: await toFile(SQUARE, 'a.png'),
      n: 3,
      size: '256x256',
    });
    expect(lastForm(stage.routes).map(({ name }) => name)).toEqual(['n', 'size', 'model', 'image']);
    expect(answer.data).toHaveLength(3);
  });

  test('files of unknown length are taken as well', async () => {
    async function* pieces() {
      for (let at = 0; at < SQUARE.length; at += 40) yield SQUARE.subarray(at, at + 40);
    }
    await stage.client.images.edit({ image: await toFile(pieces(), 'a.png'), prompt: 'x' });
    const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
    writeFileSync(join(folder, 'streamed.png'), SQUARE);
    await stage.client.images.edit({ image: createReadStream(join(folder, 'streamed.png')), prompt: 'x' });
    rmSync(folder, { recursive: true });
    expect(stage.routes.seen).toHaveLength(2);
    expect(lastForm(stage.routes)).toContainEqual({
      name: 'image',
      type: 'image/png',
      filename: 'streamed.png',
      value: SQUARE.length,
    });
  });

  test('the JSON form of an edit passes as it came', async () => {
    const body = { model: 'img-multi', prompt: 'x', images: [{ image_url: `data:image/png;base64,${MADE}` }], n: 1 };
    const answer = await send(stage.gateway.url, '/v1/images/edits', { body });
    expect(answer.status).toBe(200);
    expect(lastJson(stage.routes)).toEqual({ ...body, model: 'gpt-image-1' });
  });

  test('frames pass as they come', async () => {
    const stream = await stage.client.images.generate({
      model: 'img-multi',
      prompt: 'x',
      stream: true,
      partial_images: 2,
    });
    const all = await frames(stream);
    expect(all.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(all.at(-1)).toMatchObject({ b64_json: MADE, usage: USAGE });
  });

  test('frames of an edit pass, whose stream field is text in the form', async () => {
    const image = await toFile(jpeg(), 'a.jpg');
    const stream = await stage.client.images.edit({
      model: 'img-multi',
      prompt: 'x',
      image,
      stream: true,
      partial_images: 1,
    });
    expect((await frames(stream)).map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.completed',
    ]);
  });

  test('a stream that ends without a finished picture is an error', async () => {
    const partial = { type: 'image_generation.partial_image', b64_json: INTERIM, partial_image_index: 0 };
    stage.routes.script = () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: `event: ${partial.type}\ndata: ${JSON.stringify(partial)}\n\n`,
    });
    const stream = await stage.client.images.generate({ model: 'img-multi', prompt: 'x', stream: true });
    await expect(frames(stream)).rejects.toThrow('the backend ended its answer without its final event');
  });

  test('a service that knows no streams gives its whole answer as frames', async () => {
    const body = { created: 1, data: [{ b64_json: MADE }, { b64_json: INTERIM }], usage: USAGE };
    stage.routes.script = () => ({ status: 200, body });
    const stream = await stage.client.images.generate({ model: 'img-multi', prompt: 'x', stream: true, n: 2 });
    expect((await frames(stream)).map(({ type, b64_json }) => [type, b64_json])).toEqual([
      ['image_generation.completed', MADE],
      ['image_generation.completed', INTERIM],
    ]);
    stage.routes.script = () => ({ status: 200, body: { created: 1, data: [] } });
    await expect(stage.client.images.generate({ model: 'img-multi', prompt: 'x', stream: true })).rejects.toMatchObject(
      { status: 502 },
    );
  });

  test('a refusal of the backend is passed on', async () => {
    stage.routes.script = () => ({
      status: 400,
      body: {
        error: {
          message: 'no such thing',
          type: 'image_generation_user_error',
          param: null,
          code: 'moderation_blocked',
        },
      },
    });
    await expect(stage.client.images.generate({ model: 'img-v3', prompt: 'x' })).rejects.toMatchObject({
      status: 400,
      code: 'moderation_blocked',
      type: 'image_generation_user_error',
    });
  });
});

describe('a generateContent model', () => {
  test('[IMG-02] a picture is asked for with a ratio, and comes with its cost', async () => {
    const answer = await stage.client.images.generate({
      model: 'gemini-3.1-flash-image',
      prompt: 'cat',
      size: '1536x1024',
      n: 1,
    });
    expect(lastJson(stage.content)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'cat' }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    });
    expect(answer).toMatchObject({
      data: [{ b64_json: MADE }],
      usage: {
        input_tokens: 12,
        output_tokens: 1300,
        total_tokens: 1312,
        input_tokens_details: { text_tokens: 8, image_tokens: 4 },
        output_tokens_details: { image_tokens: 1290, text_tokens: 10 },
      },
    });
    expect(answer.created).toBeGreaterThan(1_700_000_000);
    expect(answer.created).toBeLessThan(10_000_000_000);
  });

  test('several pictures are calls at the same time, with their tokens added', async () => {
    // Long enough for all of them to begin before the first is answered.
    stage.content.script = () => ({ ...answerOf('a cat, drawn'), delayMs: 1000 });
    const answer = await stage.client.images.generate({ model: 'gemini-3.1-flash-image', prompt: 'cat', n: 4 });
    expect(stage.content.seen).toHaveLength(4);
    expect(stage.content.mostOpen).toBe(4);
    expect(answer.data).toEqual(Array.from({ length: 4 }, () => ({ b64_json: MADE })));
    expect(answer.usage).toMatchObject({ input_tokens: 48, total_tokens: 4 * 1312 });
  });

  test('one picture of several that fails is a loss, and all of them failing is an error', async () => {
    stage.content.script = (_seen, index) =>
      index === 1 ? { status: 200, body: { candidates: [{ finishReason: 'IMAGE_SAFETY' }] } } : undefined;
    const answer = await send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'gemini-3.1-flash-image', prompt: 'x', n: 3 },
    });
    expect(answer.body.data).toHaveLength(2);
    expect(answer.headers['x-interlingua-loss']).toContain('candidates;kind=dropped');

    stage.content.script = () => ({
      status: 200,
      body: { candidates: [{ finishReason: 'IMAGE_SAFETY', finishMessage: 'not this' }] },
    });
    await expect(
      stage.client.images.generate({ model: 'gemini-3.1-flash-image', prompt: 'x', n: 2 }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'content_policy_violation',
      message: expect.stringMatching(/IMAGE_SAFETY.*not this/),
    });
  });

  test('a refusal for one call of several does not throw away the pictures of the others', async () => {
    stage.content.script = (_seen, index) =>
      index === 0
        ? { status: 429, body: { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } } }
        : undefined;
    const answer = await stage.client.images.generate({ model: 'gemini-3.1-flash-image', prompt: 'x', n: 2 });
    expect(answer.data).toHaveLength(1);
  });

  test.each([
    [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'content_policy_violation'],
    [{ candidates: [{ finishReason: 'NO_IMAGE' }] }, 'no_image'],
    [{ candidates: [{ content: { parts: [{ text: 'I cannot draw.' }] }, finishReason: 'STOP' }] }, 'no_image'],
    [{}, 'no_image'],
  ])('an answer without a picture is an error and never an empty list: %j', async (body, code) => {
    stage.content.script = () => ({ status: 200, body });
    await expect(stage.client.images.generate({ model: 'gemini-3.1-flash-image', prompt: 'x' })).rejects.toMatchObject({
      status: 400,
      code,
    });
  });

  test('an edit sends its pictures in order, and the mask as one more with a sentence', async () => {
    const answer = await stage.client.images.edit({
      model: 'content/img-multi',
      prompt: 'swap them',
      image: [await toFile(SQUARE, 'a.png'), await toFile(jpeg(), 'b.jpg')],
      mask: await toFile(png({ width: 16, height: 16 }), 'm.png'),
    });
    const sent = lastJson(stage.content);
    expect(sent.contents).toEqual([
      {
        role: 'user',
        parts: [
          { text: expect.stringMatching(/^swap them\n\nThe last picture is a mask/) },
          { inlineData: { mimeType: 'image/png', data: SQUARE.toString('base64') } },
          { inlineData: { mimeType: 'image/jpeg', data: jpeg().toString('base64') } },
          { inlineData: { mimeType: 'image/png', data: png({ width: 16, height: 16 }).toString('base64') } },
        ],
      },
    ]);
    expect(answer.data).toHaveLength(1);
  });

  test('strict refuses a mask that would only be described, and calls nobody', async () => {
    const mask = await toFile(png({ width: 16, height: 16 }), 'm.png');
    const edit = stage.client.images.edit(
      { model: 'content/img-multi', prompt: 'x', image: await toFile(SQUARE, 'a.png'), mask },
      { headers: { 'x-interlingua-losses': 'strict' } },
    );
    await expect(edit).rejects.toMatchObject({ status: 400, param: 'mask', code: 'unsupported_translation' });
    expect(stage.content.seen).toHaveLength(0);
  });

  test('a variation is asked for in words', async () => {
    const answer = await stage.client.images.createVariation({
      model: 'content/img-legacy',
      image: await toFile(SQUARE, 'a.png'),
    });
    expect(JSON.stringify(lastJson(stage.content))).toContain('variation of this picture');
    expect(answer.data?.[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/media\/[0-9a-f]{32}$/);
  });

  test('a stream brings the finished pictures, each with what it cost', async () => {
    const stream = await stage.client.images.generate({
      model: 'gemini-3.1-flash-image',
      prompt: 'x',
      n: 2,
      stream: true,
    });
    const all = await frames(stream);
    expect(all).toHaveLength(2);
    for (const frame of all) {
      expect(frame).toMatchObject({
        type: 'image_generation.completed',
        b64_json: MADE,
        usage: { total_tokens: 1312 },
      });
    }
  });

  test('what the model cannot be told is a loss', async () => {
    const answer = await send(stage.gateway.url, '/v1/images/generations', {
      body: {
        model: 'content/img-multi',
        prompt: 'x',
        quality: 'low',
        size: '1024x1024',
        output_format: 'webp',
        user: 'u',
        moderation: 'low',
        odd: 1,
      },
    });
    expect(answer.status).toBe(200);
    const lost = String(answer.headers['x-interlingua-loss']);
    for (const feature of ['image.quality', 'image.format', 'user', 'safety', 'ext.odd'])
      expect(lost).toContain(`${feature};kind=dropped`);
    expect(lost).not.toContain('image.size');
  });
});

describe('a text model with the image tool', () => {
  test('a picture is made by the tool', async () => {
    const answer = await stage.client.images.generate({
      model: 'tool/img-multi',
      prompt: 'cat',
      size: '1024x1536',
      quality: 'high',
      output_format: 'webp',
      user: 'someone',
    });
    expect(lastJson(stage.tool)).toEqual({
      model: 'gpt-text',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'cat' }] }],
      tools: [
        { type: 'image_generation', action: 'generate', size: '1024x1536', quality: 'high', output_format: 'webp' },
      ],
      tool_choice: { type: 'image_generation' },
      store: false,
      safety_identifier: 'someone',
    });
    expect(answer).toMatchObject({
      data: [{ b64_json: MADE, revised_prompt: 'a better prompt' }],
      usage: TOOL_USAGE,
      size: '1024x1024',
    });
  });

  test('an edit sends pictures and mask', async () => {
    const mask = png({ width: 16, height: 16 });
    await stage.client.images.edit({
      model: 'tool/img-multi',
      prompt: 'x',
      image: [await toFile(SQUARE, 'a.png'), await toFile(jpeg(), 'b.jpg')],
      mask: await toFile(mask, 'm.png'),
    });
    expect(lastJson(stage.tool)).toMatchObject({
      input: [
        {
          content: [
            { type: 'input_text', text: 'x' },
            { type: 'input_image', image_url: `data:image/png;base64,${SQUARE.toString('base64')}` },
            { type: 'input_image', image_url: `data:image/jpeg;base64,${jpeg().toString('base64')}` },
          ],
        },
      ],
      tools: [{ action: 'edit', input_image_mask: { image_url: `data:image/png;base64,${mask.toString('base64')}` } }],
    });
  });

  test('several pictures are several calls', async () => {
    const answer = await stage.client.images.generate({ model: 'tool/img-multi', prompt: 'x', n: 3 });
    expect(stage.tool.seen).toHaveLength(3);
    expect(answer.data).toHaveLength(3);
    expect(answer.usage).toMatchObject({ total_tokens: 150 });
  });

  test('sizes the tool does not have become the nearest', async () => {
    const answer = await send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'tool/img-legacy', prompt: 'x', size: '256x256' },
    });
    expect(lastJson(stage.tool)).toMatchObject({ tools: [{ size: '1024x1024' }] });
    expect(answer.headers['x-interlingua-loss']).toContain('image.size;kind=approximated;path="/size"');
    expect(answer.body.data[0].url).toMatch(/\/media\//);
  });

  test('a stream brings interim pictures and the finished one', async () => {
    const stream = await stage.client.images.generate({
      model: 'tool/img-multi',
      prompt: 'x',
      stream: true,
      partial_images: 2,
    });
    const all = await frames(stream);
    expect(all.map(({ type, b64_json }) => [type, b64_json])).toEqual([
      ['image_generation.partial_image', INTERIM],
      ['image_generation.partial_image', INTERIM],
      ['image_generation.completed', MADE],
    ]);
    expect(all.at(-1)).toMatchObject({ usage: TOOL_USAGE, quality: 'high' });
  });

  test('a stream that is cut is an error after what came, and before it one with a status', async () => {
    const partial = {
      type: 'response.image_generation_call.partial_image',
      partial_image_b64: INTERIM,
      partial_image_index: 0,
    };
    const headers = { 'content-type': 'text/event-stream' };
    stage.tool.script = () => ({ status: 200, headers, body: toolStream([partial], null), cut: true });
    const stream = await stage.client.images.generate({ model: 'tool/img-multi', prompt: 'x', stream: true });
    await expect(frames(stream)).rejects.toThrow('the connection to the backend broke');

    stage.tool.script = () => ({ status: 200, headers, body: toolStream([], null) });
    await expect(
      stage.client.images.generate({ model: 'tool/img-multi', prompt: 'x', stream: true }),
    ).rejects.toMatchObject({ status: 502 });
  });

  test.each([
    [
      responseOf([{ ...ITEM, status: 'failed', error: { code: 'image_content_policy_violation', message: 'no' } }]),
      400,
      'content_policy_violation',
    ],
    [
      responseOf([], { status: 'failed', error: { code: 'server_error', message: 'secret words' } }),
      500,
      'internal_error',
    ],
    [
      responseOf([{ type: 'message', content: [{ type: 'output_text', text: 'I would rather not.' }] }]),
      400,
      'no_image',
    ],
    [responseOf([{ ...ITEM, result: null }]), 400, 'no_image'],
  ])('an answer without a picture is an error: %#', async (body, status, code) => {
    stage.tool.script = () => ({ status: 200, body });
    await expect(stage.client.images.generate({ model: 'tool/img-multi', prompt: 'x' })).rejects.toMatchObject({
      status,
      code,
    });
  });
});

describe('the model of the image tool', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backends: { tool: { dialect: 'responses', baseUrl: stage.tool.url, images: 'responses', retries: 0 } },
      models: { '*': { backend: 'tool', model: 'gpt-text' } },
      limits: { drainSeconds: 1 },
    });
  });
  afterAll(() => gateway.close());

  test.each([
    ['gpt-image-1.5', 'gpt-image-1.5'],
    ['dall-e-3', undefined],
    ['img-multi', undefined],
    ['house-name', undefined],
  ])('is what the client names, where the tool has it: %s', async (model, expected) => {
    const answer = await send(gateway.url, '/v1/images/generations', { body: { model, prompt: 'x' } });
    expect(answer.status).toBe(200);
    expect(lastJson(stage.tool).tools).toEqual([{ type: 'image_generation', action: 'generate', model: expected }]);
  });

  test('is told numbers as numbers, although a form has texts only', async () => {
    const body = formOf([
      filePart('image', SQUARE, 'a.png', 'image/png'),
      ...Object.entries({
        prompt: 'x',
        model: 'tool/img-multi',
        n: '2',
        output_compression: '80',
        output_format: 'jpeg',
      }).map(([name, value]) => ({ name, value })),
    ]);
    const answer = await send(stage.gateway.url, '/v1/images/edits', { body, headers: formHeaders(body) });
    expect([answer.status, stage.tool.seen.length]).toEqual([200, 2]);
    expect(lastJson(stage.tool).tools).toEqual([
      { type: 'image_generation', action: 'edit', output_format: 'jpeg', output_compression: 80 },
    ]);
  });
});

describe('a stream of the image tool that tells an error', () => {
  test('is left at once, although the backend goes on', async () => {
    const backend = await startRecorder();
    const error = { type: 'error', error: { code: 'rate_limit_exceeded', message: 'slow down' } };
    backend.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${toolStream([], null)}event: error\ndata: ${JSON.stringify(error)}\n\n`);
    };
    const gateway = await startGateway({
      backends: { tool: { dialect: 'responses', baseUrl: backend.url, images: 'responses', retries: 0 } },
      limits: { drainSeconds: 1 },
    });
    const answer = await send(gateway.url, '/v1/images/generations', {
      body: { model: 'gpt-text', prompt: 'x', stream: true },
    });
    expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    await until(() => backend.aborted > 0);
    expect(backend.aborted).toBe(1);
    await gateway.close();
    await backend.close();
  });
});

describe('a predict model', () => {
  test('pictures come in calls of four', async () => {
    const answer = await send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'img-wide', prompt: 'x', n: 6, size: '16:9', response_format: 'b64_json', seed: 5 },
    });
    expect(stage.predict.seen.map(jsonOf)).toEqual(
      expect.arrayContaining(
        [4, 2].map((sampleCount) => ({
          instances: [{ prompt: 'x' }],
          parameters: { sampleCount, includeRaiReason: true, aspectRatio: '16:9', seed: 5, addWatermark: false },
        })),
      ),
    );
    expect(answer.body.data).toEqual(
      Array.from({ length: 6 }, () => ({ b64_json: MADE, revised_prompt: 'a better prompt' })),
    );
    expect(answer.body.usage).toBeUndefined();
    expect(answer.headers['x-interlingua-losses']).toBe('0;minor=0');
  });

  test.each([[{ predictions: [{ raiFilteredReason: 'people' }] }], [{}]])(
    'pictures that were held back are a policy error: %j',
    async (body) => {
      stage.predict.script = () => ({ status: 200, body });
      await expect(stage.client.images.generate({ model: 'img-wide', prompt: 'x' })).rejects.toMatchObject({
        status: 400,
        code: 'content_policy_violation',
      });
    },
  );
});

describe('pictures by URL', () => {
  let files: Recorder;
  let fetching: Stage;
  beforeAll(async () => {
    files = await startRecorder();
    files.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(jpeg());
    };
    fetching = await openStage({ allowPrivate: ['127.0.0.1'] });
  });
  afterAll(async () => {
    await fetching.close();
    await files.close();
  });
  beforeEach(() => {
    files.seen.length = 0;
    fetching.reset();
  });

  const inline = { inlineData: { mimeType: 'image/jpeg', data: jpeg().toString('base64') } };
  const edit = (model: string, body: object) =>
    send(fetching.gateway.url, '/v1/images/edits', { body: { model, prompt: 'x', ...body } });

  test('are fetched for a model that takes them only inline', async () => {
    const answer = await edit('content/img-multi', { images: [{ image_url: `${files.url}/a.jpg` }] });
    expect(answer.status).toBe(200);
    expect(lastJson(fetching.content)).toMatchObject({ contents: [{ parts: [{ text: 'x' }, inline] }] });
  });

  test('that stand in input_image are fetched as well', async () => {
    const answer = await send(fetching.gateway.url, '/v1/images/generations', {
      body: { model: 'content/img-ctx', prompt: 'x', input_image: `${files.url}/a`, aspect_ratio: '21:9', seed: 4 },
    });
    expect([answer.status, answer.headers['x-interlingua-losses']]).toEqual([200, '0;minor=0']);
    expect(lastJson(fetching.content)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'x' }, inline] }],
      generationConfig: { responseModalities: ['IMAGE'], seed: 4, imageConfig: { aspectRatio: '21:9' } },
    });
    expect(answer.body.data[0].url).toMatch(/\/media\//);
  });

  test('are left to a service that fetches them itself', async () => {
    await edit('tool/img-multi', { images: [{ image_url: `${files.url}/a.jpg` }, { file_id: 'file_1' }] });
    expect(lastJson(fetching.tool)).toMatchObject({
      input: [{ content: [{}, { image_url: `${files.url}/a.jpg` }, { file_id: 'file_1' }] }],
    });
    const plain = `${files.url}/b.jpg`;
    await edit('img-multi', { image: [plain] });
    expect(lastJson(fetching.routes)).toEqual({ model: 'gpt-image-1', prompt: 'x', images: [{ image_url: plain }] });
    expect(files.seen).toHaveLength(0);
  });

  test('become files of a form', async () => {
    const body = formOf([
      { name: 'image', value: `${files.url}/a` },
      { name: 'prompt', value: 'x' },
      { name: 'model', value: 'img-multi' },
    ]);
    await send(fetching.gateway.url, '/v1/images/edits', { body, headers: formHeaders(body) });
    expect(files.seen).toHaveLength(1);
    expect(lastForm(fetching.routes)).toContainEqual({
      name: 'image',
      type: 'image/jpeg',
      filename: 'image-1.jpg',
      value: jpeg().length,
    });
  });

  test('keep the rules of the family', async () => {
    files.reply = (response) => {
      response.writeHead(200);
      response.end('no picture');
    };
    const answer = await edit('content/img-multi', { images: [{ image_url: `${files.url}/a` }] });
    expect(answer.body.error).toMatchObject({ param: 'images[0].image_url', code: 'unsupported_file_mimetype' });
    expect(fetching.content.seen).toHaveLength(0);
  });

  test.each(['routes', 'tool', 'content'] as const)('on private hosts are not even passed on: %s', async (way) => {
    const model = { routes: 'img-multi', tool: 'tool/img-multi', content: 'content/img-multi' }[way];
    const answer = await edit(model, { images: [{ image_url: 'http://169.254.169.254/latest/meta-data/' }] });
    expect([answer.status, answer.body.error.param]).toEqual([400, 'images[0].image_url']);
    expect(fetching[way].seen).toHaveLength(0);
  });

  test('of a vendor mean nothing to a model that takes pictures inline', async () => {
    const answer = await edit('content/img-multi', { images: [{ file_id: 'file_1' }] });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'unsupported_translation']);
  });
});

describe('several calls for one request', () => {
  test('all end when the client goes away', async () => {
    stage.content.script = () => ({ ...answerOf(), delayMs: 2000 });
    const controller = new AbortController();
    const asking = stage.client.images
      .generate({ model: 'gemini-3.1-flash-image', prompt: 'x', n: 3 }, { signal: controller.signal })
      .catch(() => 'gone');
    await until(() => stage.content.seen.length === 3);
    controller.abort();
    expect(await asking).toBe('gone');
    await until(() => stage.content.aborted === 3);
    expect(stage.content.aborted).toBe(3);
  });

  test('go to no other backend when the outcome of one is not known', async () => {
    const first = await startRecorder();
    const second = await startContentImages();
    first.reply = (response) => {
      if (first.seen.length === 1)
        json(response, 429, { error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } });
      else response.socket?.destroy();
    };
    const gateway = await startGateway({
      backends: {
        first: { dialect: 'generateContent', baseUrl: first.url },
        second: { dialect: 'generateContent', baseUrl: second.url },
      },
      models: { img: [{ backend: 'first' }, { backend: 'second', model: 'gemini-image' }] },
      limits: { drainSeconds: 1 },
    });
    const ask = (n: number) => send(gateway.url, '/v1/images/generations', { body: { model: 'img', prompt: 'x', n } });
    const answer = await ask(2);
    expect([answer.status, answer.headers['x-should-retry'], second.seen.length]).toEqual([502, 'false', 0]);
    first.seen.length = 0;
    // All refused: that costs nothing.
    expect([(await ask(1)).status, second.seen.length]).toEqual([200, 1]);
    await gateway.close();
    await Promise.all([first.close(), second.close()]);
  });

  test('are not made again when they were refused', async () => {
    stage.content.script = () => ({ status: 500, body: { error: { code: 500, message: 'x', status: 'INTERNAL' } } });
    const answer = await send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'gemini-3.1-flash-image', prompt: 'x', n: 2 },
    });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
    expect(stage.content.seen).toHaveLength(2);
  });
});

describe('strict', () => {
  const ask = (policy: string, more: object) =>
    send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'content/img-multi', prompt: 'x', ...more },
      headers: { 'x-interlingua-losses': policy },
    });

  test('lets pass what loses nothing, and hints', async () => {
    expect((await ask('strict', { size: '1024x1024', user: 'u', n: 2 })).status).toBe(200);
  });

  test('names what would be lost, and lets go what it is told to', async () => {
    const refused = await ask('strict', { size: '1536x1024' });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'size']);
    expect(stage.content.seen).toHaveLength(0);
    expect((await ask('strict;allow="image.*"', { size: '1536x1024' })).status).toBe(200);
  });

  test('has nothing against what is passed on', async () => {
    const answer = await send(stage.gateway.url, '/v1/images/generations', {
      body: { model: 'img-v3', prompt: 'x', seed: 7 },
      headers: { 'x-interlingua-losses': 'strict' },
    });
    expect([answer.status, answer.headers['x-interlingua-losses']]).toEqual([200, '0']);
  });
});

describe('a backend without pictures', () => {
  test('says so', async () => {
    await expect(stage.client.images.generate({ model: 'talker', prompt: 'x' })).rejects.toMatchObject({
      status: 400,
      param: 'model',
    });
  });
});
