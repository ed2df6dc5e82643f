import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config/load.js';
import { FILM, startVideosA, VIDEO_KEY } from '../support/fake-backend/media/videos.js';
import { json, send, startGateway, startRecorder, type Tree } from '../support/gateway/harness.js';
import { gif, jpeg, png, webp } from '../support/pictures.js';
import { filePart, formHeaders, formOf, type SentPart } from './form.js';
import { OTHER, openVideoStage, type VideoStage, WHO } from './video-stage.js';

let stage: VideoStage;
beforeAll(async () => {
  stage = await openVideoStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const A = '/v1/videos';
const B = '/v1/video/generations';

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(stage.gateway.url, path, { body, headers: { ...WHO, ...headers } });
const get = (path: string, headers: Record<string, string> = WHO) => send(stage.gateway.url, path, { headers });
const sendForm = (path: string, parts: readonly SentPart[]) => {
  const body = formOf(parts);
  return send(stage.gateway.url, path, { method: 'POST', body, headers: { ...WHO, ...formHeaders(body) } });
};
const text = (name: string, value: string): SentPart => ({ name, value });
const calls = (): number => stage.a.seen.length + stage.b.seen.length + stage.wrapped.seen.length;

describe('both routes over both formats', () => {
  /** [route, model, what the backend got, states the backend goes through with what is shown]. */
  test.each([
    [A, 'video-2', 'completed', 'processing', 'completed'],
    [A, 'wan', 'succeeded', 'processing', 'completed'],
    [B, 'video-2', 'completed', 'processing', 'succeeded'],
    [B, 'wan', 'succeeded', 'processing', 'succeeded'],
    [B, 'wrapped', 'succeeded', 'processing', 'succeeded'],
  ])('%s over %s', async (route, model, done, running, shown) => {
    const ask =
      route === A
        ? { model, prompt: 'A cat', seconds: '8', size: '1280x720' }
        : { model, prompt: 'A cat', duration: 8, width: 1280, height: 720 };
    const made = await post(route, ask);
    const name = route === A ? 'id' : 'task_id';
    expect([made.status, made.body.status]).toEqual([200, route === A ? 'queued' : 'processing']);
    const id: string = made.body[name];
    const fake = model === 'video-2' ? stage.a : model === 'wan' ? stage.b : stage.wrapped;
    const { video } = stage.only(fake);
    expect(video?.fields).toEqual(
      model === 'video-2'
        ? { model: 'sora-2', prompt: 'A cat', seconds: '8', size: '1280x720' }
        : { model: 'wan', prompt: 'A cat', duration: 8, width: 1280, height: 720 },
    );
    Object.assign(video ?? {}, { status: 'processing', progress: 20 });
    const both = [`${A}/${id}`, `${B}/${id}`] as const;
    for (const path of both) {
      const answer = await get(path);
      expect([answer.status, answer.body.status, answer.body.url]).toEqual([200, running, undefined]);
      expect(answer.body[path.startsWith(B) ? 'task_id' : 'id']).toBe(id);
    }
    Object.assign(video ?? {}, { status: done, url: `data:video/mp4;base64,${FILM.toString('base64')}` });
    const told = await get(route === A ? both[0] : both[1]);
    const link = `${stage.gateway.url}/v1/videos/${id}/content`;
    expect(told.body).toMatchObject({ [name]: id, status: shown, url: link, error: null });
    const file = await get(new URL(link).pathname);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'video/mp4']);
    Object.assign(video ?? {}, { status: 'failed', error: { code: 'moderation_blocked', message: 'not this' } });
    const [a, b] = await Promise.all(both.map((path) => get(path)));
    expect([a?.status, a?.body.status, a?.body.error?.message]).toEqual([200, 'failed', 'not this']);
    expect([b?.status, b?.body.status, b?.body.error?.message]).toEqual([200, 'failed', 'not this']);
    expect([typeof a?.body.error.code, typeof b?.body.error.code]).toEqual(['string', 'number']);
    expect(`${made.text}${told.text}${a?.text}${b?.text}`).not.toMatch(/video_upstream|tasks\/up/);
  });

  test('a backend that quotes its key and its address is not heard in these words, wherever they stand', async () => {
    const { body } = await post(A, { prompt: 'p' });
    const host = new URL(stage.a.url).host;
    const words = `key ${VIDEO_KEY} at ${host}`;
    Object.assign(stage.only(stage.a).video ?? {}, {
      status: 'failed',
      error: { code: words, message: words, type: words, details: [{ hint: words }] },
    });
    const told = await get(`${A}/${body.id}`);
    const hint = 'key [redacted] at [redacted]';
    expect(told.body).toMatchObject({ status: 'failed', error: { type: hint, details: [{ hint }] } });
    for (const path of [A, B]) {
      const { text: seen } = await get(`${path}/${body.id}`);
      expect([seen.includes(VIDEO_KEY), seen.includes(host)]).toEqual([false, false]);
    }
  });

  test('the running word follows the client, and the configuration before it', async () => {
    const { body } = await post(A, { prompt: 'p' });
    Object.assign(stage.only(stage.a).video ?? {}, { status: 'in_progress' });
    const sdk = { ...WHO, 'x-stainless-lang': 'js' };
    const words = async (url: string) =>
      Promise.all([WHO, sdk].map(async (headers) => (await send(url, `${A}/${body.id}`, { headers })).body.status));
    expect(await words(stage.gateway.url)).toEqual(['processing', 'in_progress']);
    const other = await openVideoStage({ media: { runningStatus: 'in_progress' } });
    const made = await send(other.gateway.url, A, { body: { prompt: 'p' }, headers: WHO });
    Object.assign(other.only(other.a).video ?? {}, { status: 'processing' });
    const shown = await send(other.gateway.url, `${A}/${made.body.id}`, { headers: WHO });
    expect(shown.body.status).toBe('in_progress');
    await other.close();
  });

  test('what a format has no place for is a loss, which strict refuses before any call', async () => {
    const ask = { model: 'video-2', prompt: 'p', fps: 30, seed: 1, user: 'u', novelty: 2 };
    const lost = await post(B, ask);
    expect(lost.headers['x-interlingua-losses']).toBe('3;minor=1');
    expect(lost.headers['x-interlingua-loss']).toContain('sampling.seed;kind=dropped;path="/seed"');
    const before = calls();
    const refused = await post(B, ask, { 'x-interlingua-losses': 'strict' });
    expect([refused.status, refused.body.type, refused.body.code]).toEqual([400, 'invalid_request_error', null]);
    expect(calls()).toBe(before);
    const kept = await post(A, { prompt: 'p', guidance: 7 });
    expect([kept.status, kept.headers['x-interlingua-losses']]).toEqual([200, '0']);
  });

  test('same format: the body passes but for the model', async () => {
    await post(A, { prompt: 'p', model: 'video-2', guidance: 7.25, seconds: 4, metadata: { a: [1] } });
    expect(stage.a.seen[0]?.raw.toString()).toBe(
      '{"prompt":"p","model":"sora-2","guidance":7.25,"seconds":"4","metadata":{"a":[1]}}',
    );
    await post(B, { model: 'wan', prompt: 'p', duration: 5.5, metadata: { style: 'x' } });
    expect(stage.b.seen[0]?.raw.toString()).toBe(
      '{"model":"wan","prompt":"p","duration":5.5,"metadata":{"style":"x"}}',
    );
  });
});

const fit = png({ width: 720, height: 1280 });
const dataUrl = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`;

/** [rule, what is wrong on format A, what is right, the parameter that is named]. */
const RULES: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>, string])[] = [
  ['prompt is required', { prompt: undefined }, {}, 'prompt'],
  ['prompt is not empty', { prompt: '' }, {}, 'prompt'],
  ['prompt is text', { prompt: 7 }, {}, 'prompt'],
  ['prompt of 32000 characters', { prompt: '😀'.repeat(32_001) }, { prompt: '😀'.repeat(32_000) }, 'prompt'],
  ['seconds of the list', { seconds: '5' }, { seconds: '12' }, 'seconds'],
  ['seconds are a number', { seconds: 'long' }, { seconds: '4' }, 'seconds'],
  ['seconds are above zero', { seconds: '0' }, { seconds: 8 }, 'seconds'],
  ['size of the list', { size: '640x480' }, { size: '1792x1024' }, 'size'],
  ['size is text', { size: 720 }, { size: '720x1280' }, 'size'],
  ['size has an x', { size: '720×1280' }, { size: '1280x720' }, 'size'],
  ['one video', { n: 2 }, {}, 'n'],
  ['no stream', { stream: true }, {}, 'stream'],
  ['no other form', { response_format: 'b64_json' }, {}, 'response_format'],
  ['model is text', { model: 7 }, { model: 'video-2' }, 'model'],
  ['model makes videos', { model: 'img-multi' }, { model: 'video-2' }, 'model'],
  ['backend makes videos', { model: 'talker' }, { model: 'video-2' }, 'model'],
  ['model exists', { model: 'nobody' }, { model: 'video-2' }, 'model'],
  ['metadata is JSON', { metadata: '{' }, { metadata: '{"a":1}' }, 'metadata'],
  ['metadata is an object', { metadata: '[1]' }, { metadata: { a: 1 } }, 'metadata'],
  [
    'metadata is not deep',
    { metadata: `{"a":${'['.repeat(9)}${']'.repeat(9)}}` },
    { metadata: { a: [[1]] } },
    'metadata',
  ],
  ['metadata names no model', { metadata: { model: 'x' } }, { metadata: { modes: 'x' } }, 'metadata.model'],
  ['metadata calls nobody', { metadata: { webhook_url: 'https://x.y' } }, {}, 'metadata.webhook_url'],
  [
    'metadata leads nowhere private',
    { metadata: { deep: { img_url: 'http://10.0.0.1/a.png' } } },
    { metadata: { img_url: 'http://93.184.216.34/a.png' } },
    'metadata.deep.img_url',
  ],
  ['what nobody knows leads nowhere private', { tail: ['http://[::1]/a.png'] }, { guidance: 'see http' }, 'tail[0]'],
  [
    'picture of the size',
    { input_reference: { image_url: dataUrl('png', png({ width: 1280, height: 720 })) } },
    { input_reference: { image_url: dataUrl('png', fit) } },
    'input_reference',
  ],
  [
    'picture of another size that was asked for',
    { size: '1280x720', input_reference: dataUrl('png', fit) },
    { size: '1280x720', input_reference: dataUrl('png', png({ width: 1280, height: 720 })) },
    'input_reference',
  ],
  [
    'picture of a known type',
    { input_reference: { image_url: dataUrl('png', gif({ width: 720, height: 1280 })) } },
    { input_reference: { image_url: dataUrl('png', jpeg({ width: 720, height: 1280 })) } },
    'input_reference',
  ],
  [
    'picture at all',
    { input_reference: { image_url: 'data:image/png;base64,AAAAAAAAAAAA' } },
    { input_reference: { image_url: dataUrl('jpeg', webp({ width: 720, height: 1280 })) } },
    'input_reference',
  ],
  [
    'picture by one name',
    { input_reference: { image_url: dataUrl('png', fit), file_id: 'f' } },
    { input_reference: { file_id: 'f' } },
    'input_reference',
  ],
  ['picture of a public place', { input_reference: { image_url: 'http://10.0.0.1/x.png' } }, {}, 'input_reference'],
];

describe('rules', () => {
  test.each(RULES)('%s', async (_name, wrong, right, param) => {
    const refused = await post(A, { prompt: 'p', ...wrong });
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['error']]);
    const unknown = wrong.model === 'nobody' ? 'model_not_found' : 'invalid_parameter';
    expect(refused.body.error).toEqual({
      message: expect.any(String),
      type: 'invalid_request_error',
      code: unknown,
      param,
    });
    expect(calls()).toBe(0);
    const good = await post(A, { prompt: 'p', ...right });
    expect([good.status, good.text.slice(0, 300)]).toEqual([200, expect.stringMatching(/"object":"video"/)]);
  });

  test.each([
    ['duration', { duration: 5 }, 'duration'],
    ['width and height', { width: 640, height: 480 }, 'width'],
    ['width without height', { width: 720 }, 'height'],
    ['height without width', { height: 720 }, 'width'],
    ['fps', { fps: 'fast' }, 'fps'],
    ['image', { image: dataUrl('png', png({ width: 8, height: 8 })) }, 'image'],
    ['images', { images: [dataUrl('png', fit), dataUrl('png', fit)] }, 'images'],
    ['prompt', { prompt: '' }, 'prompt'],
    ['n', { n: 2 }, 'n'],
  ])('%s on format B, in its own form', async (_name, wrong, param) => {
    const { status, body } = await post(B, { prompt: 'p', model: 'b/video-2', ...wrong });
    expect([status, body]).toEqual([
      400,
      { code: null, message: expect.any(String), param, type: 'invalid_request_error' },
    ]);
    expect(calls()).toBe(0);
  });

  test('models of no known family take what their backend takes', async () => {
    const { status } = await post(B, { model: 'wan', prompt: 'p', duration: 5, width: 640, height: 480, n: 2 });
    expect([status, stage.b.seen.length]).toEqual([200, 1]);
    const several = await post(B, { model: 'open', prompt: 'p', n: 2 });
    expect([several.status, several.body.param, stage.a.seen.length]).toEqual([400, 'n', 0]);
  });

  test('parts of a form get the type that their bytes have, texts behind files count, file ids pass', async () => {
    const made = await sendForm(A, [
      filePart('input_reference', fit, '../odd name.bin'),
      text('prompt', 'p'),
      text('seconds', 'null'),
      text('size', ''),
      text('guidance', '7'),
      text('metadata', '{"a":1}'),
    ]);
    expect(made.status).toBe(200);
    expect(stage.only(stage.a).video?.fields).toEqual({
      prompt: 'p',
      model: 'sora-2',
      guidance: '7',
      metadata: '{"a":1}',
      input_reference: 'png 720x1280 reference.png',
    });
    await sendForm(B, [filePart('image', fit), text('model', 'wan'), text('prompt', 'p'), text('duration', '5')]);
    expect(stage.only(stage.b).video?.fields).toEqual({
      model: 'wan',
      prompt: 'p',
      duration: 5,
      image: fit.toString('base64'),
    });
    stage.reset();
    const twice = await sendForm(A, [text('prompt', 'p'), text('prompt', 'q')]);
    expect([twice.status, twice.body.error.param]).toEqual([400, 'prompt']);
    const files = [filePart('input_reference', fit), filePart('input_reference', fit)];
    const two = await sendForm(A, [...files, text('prompt', 'p')]);
    expect([two.status, two.body.error.param]).toEqual([400, 'input_reference']);
    const empty = await sendForm(A, [filePart('input_reference', Buffer.alloc(0), 'a.png'), text('prompt', 'p')]);
    expect([empty.status, empty.body.error.param]).toEqual([400, 'input_reference']);
    const cut = formOf([text('prompt', 'p')]).subarray(0, 40);
    const headers = { ...WHO, ...formHeaders(cut) };
    const broken = await send(stage.gateway.url, A, { method: 'POST', body: cut, headers });
    expect([broken.status, broken.body.error.code]).toEqual([400, 'invalid_parameter']);
  });
});

describe('refusals in the form of their route', () => {
  const scripted = (status: number, body: unknown) => {
    stage.a.script = () => ({ status, body });
    stage.b.script = () => ({ status, body });
  };
  const wrapped = { error: { message: 'said so', type: 'invalid_request_error', param: null, code: null } };
  const flat = { code: null, message: 'said so', param: null, type: 'invalid_request_error' };

  test.each([
    [A, 'video-2', 400, wrapped, 400, /said so/],
    [A, 'wan', 400, flat, 400, /said so/],
    [B, 'video-2', 400, wrapped, 400, /said so/],
    [B, 'wan', 400, flat, 400, /said so/],
    [A, 'wan', 429, flat, 429, /said so/],
    [B, 'wan', 429, flat, 429, /said so/],
    [A, 'wan', 401, flat, 500, /credentials of this gateway/],
    [B, 'wan', 503, flat, 500, /overloaded/],
    [B, 'video-2', 502, '<html>', 500, /backend/],
  ])('%s over %s: %i', async (route, model, status, body, shown, message) => {
    scripted(status, body);
    const answer = await post(route, { model, prompt: 'p' });
    expect(answer.status).toBe(shown);
    const told: Tree = route === A ? answer.body.error : answer.body;
    expect(told.message).toMatch(message);
    expect(route === A ? Object.keys(answer.body) : Object.keys(told).sort()).toEqual(
      route === A ? ['error'] : ['code', 'message', 'param', 'type'],
    );
    expect(calls()).toBe(1);
  });

  test.each([
    [400, 'invalid_request_error', 'invalid_parameter', 'said so'],
    [404, 'invalid_request_error', 'invalid_parameter', 'said so'],
    [429, 'rate_limit_error', 'rate_limit_exceeded', 'said so'],
    [500, 'server_error', 'internal_error', expect.stringMatching(/^(?!.*said so)/)],
  ])('of format A are three texts whatever its service says: %i', async (status, type, code, message) => {
    scripted(status, wrapped);
    const answer = await post(A, { model: 'video-2', prompt: 'p' });
    expect([answer.status, answer.body]).toEqual([status, { error: { message, type, code } }]);
  });

  test.each([
    [`${A}/video_nothing`, 404],
    [`${A}/edits`, 404],
    [`${A}/characters`, 404],
    [`${B}/nothing`, 404],
    [`${A}?limit=101`, 400],
    [`${A}?order=up`, 400],
    [`${A}?after=video_nothing`, 404],
  ])('%s', async (path, status) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    const told = path.startsWith(B) ? answer.body : answer.body.error;
    expect(told).toMatchObject({ message: expect.any(String), type: 'invalid_request_error' });
    expect(calls()).toBe(0);
  });

  test('without a key, by the wrong method, with a body that is none', async () => {
    expect((await get(A, {})).body.error.code).toBe('invalid_api_key');
    expect((await get(`${B}/x`, {})).body).toMatchObject({ code: null, type: 'authentication_error' });
    const method = await send(stage.gateway.url, `${A}/x`, { method: 'POST', headers: WHO, body: {} });
    expect([method.status, method.headers.allow]).toEqual([405, 'GET, DELETE']);
    const text = await send(stage.gateway.url, A, { method: 'POST', headers: WHO, body: 'no JSON' });
    expect([text.status, text.body.error.code]).toEqual([400, 'invalid_parameter']);
    expect(calls()).toBe(0);
  });

  test('a poll whose backend fails is no end of the task', async () => {
    const { body } = await post(B, { model: 'wan', prompt: 'p' });
    stage.b.script = () => ({ status: 500, body: { code: null, message: 'broken', type: 'server_error' } });
    const failed = await get(`${B}/${body.task_id}`);
    expect([failed.status, failed.body.type]).toEqual([500, 'server_error']);
    stage.b.script = () => undefined;
    expect((await get(`${B}/${body.task_id}`)).body.status).toBe('processing');
  });
});

describe('lists', () => {
  test('hold the caller’s own videos only, in pages', async () => {
    const mine: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const made = await send(stage.gateway.url, A, {
        body: { prompt: `${index}` },
        headers: index % 2 === 0 ? WHO : OTHER,
      });
      if (index % 2 === 0) mine.unshift(made.body.id);
    }
    const page = await get(`${A}?limit=2`);
    expect(page.body.data.map(({ id }: Tree) => id)).toEqual(mine.slice(0, 2));
    expect(page.body).toMatchObject({ object: 'list', first_id: mine[0], last_id: mine[1], has_more: true });
    const rest = await get(`${A}?limit=2&after=${page.body.last_id}`);
    expect([rest.body.data.map(({ id }: Tree) => id), rest.body.has_more]).toEqual([mine.slice(2), false]);
    const up = await get(`${A}?order=asc`);
    expect(up.body.data.map(({ prompt }: Tree) => prompt)).toEqual(['0', '2', '4']);
    expect((await get(A, OTHER)).body.data).toHaveLength(2);
    expect((await get(`${A}?after=${mine[0]}`, OTHER)).status).toBe(404);
  });
});

describe('a picture by URL', () => {
  test('is fetched once, checked, and passed on', async () => {
    const storage = await startRecorder();
    storage.reply = (response, { path }) => {
      const wide = path.includes('wide');
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(wide ? png({ width: 1280, height: 720 }) : fit);
    };
    const at = (name: string): string => `${storage.url}/${name}.png`;
    const wrong = await post(A, { prompt: 'p', input_reference: { image_url: at('wide') } });
    expect([wrong.status, wrong.body.error.param, calls()]).toEqual([400, 'input_reference', 0]);
    await post(A, { prompt: 'p', input_reference: { image_url: at('tall') } });
    expect(stage.only(stage.a).video?.fields.input_reference).toEqual({ image_url: at('tall') });
    stage.reset();
    await sendForm(A, [text('prompt', 'p'), text('input_reference[image_url]', at('tall'))]);
    expect(stage.only(stage.a).video?.fields.input_reference).toBe('png 720x1280 reference.png');
    await post(A, { model: 'wan', prompt: 'p', input_reference: { image_url: at('tall') } });
    expect(stage.only(stage.b).video?.fields.image).toBe(fit.toString('base64'));
    expect(storage.seen).toHaveLength(4);
    expect(JSON.stringify(storage.seen)).not.toMatch(/first-key|the-key-of/);
    await storage.close();
  });
});

describe('several backends', () => {
  test('of a backend that repeats its page end there', async () => {
    const recorder = await startRecorder();
    const videos = ['video_a', 'video_b'].map((id) => ({ id, object: 'video', model: 'sora-2', status: 'queued' }));
    recorder.reply = (response) => json(response, 200, { object: 'list', data: videos, has_more: true });
    const gateway = await startGateway({
      backends: { r: { dialect: 'responses', baseUrl: recorder.url, retries: 0 } },
      limits: { drainSeconds: 1 },
    });
    try {
      const all = await send(gateway.url, `${A}?limit=9`);
      expect([all.body.data.length, all.body.has_more]).toEqual([2, false]);
      expect(recorder.seen).toHaveLength(2);
      const first = await send(gateway.url, `${A}?limit=2`);
      expect([first.body.data.length, first.body.has_more]).toEqual([2, true]);
      const second = await send(gateway.url, `${A}?limit=2&after=${first.body.last_id}`);
      expect([second.body.data, second.body.has_more]).toEqual([[], false]);
    } finally {
      await gateway.close();
      await recorder.close();
    }
  });

  test('are listed one after the other; those without a list are passed over', async () => {
    const other = await startVideosA();
    const recorder = await startRecorder();
    recorder.reply = (response) => response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    const backend = (baseUrl: string) => ({ dialect: 'responses', baseUrl, apiKey: VIDEO_KEY, retries: 0 }) as const;
    const gateway = await startGateway({
      backends: { first: backend(stage.a.url), bare: backend(recorder.url), last: backend(other.url) },
      models: {
        one: { backend: 'first', model: 'sora-2' },
        two: { backend: 'last', model: 'sora-2' },
        bare: { backend: 'bare' },
      },
      store: { type: 'off' },
      limits: { drainSeconds: 1 },
    });
    const made: string[] = [];
    for (const model of ['two', 'two', 'one']) {
      const { body } = await send(gateway.url, A, { body: { model, prompt: 'p' } });
      made.unshift(body.id);
    }
    const ids: string[] = [];
    for (let after = '', more = true; more; ) {
      const { body } = await send(gateway.url, `${A}?limit=1${after}`);
      ids.push(...body.data.map(({ id }: Tree) => id));
      after = `&after=${body.last_id}`;
      more = body.has_more;
    }
    expect(ids).toEqual(made);
    await gateway.close();
    await other.close();
    const none = await startGateway({ backends: { bare: backend(recorder.url) }, limits: { drainSeconds: 1 } });
    expect((await send(none.url, A)).status).toBe(400);
    await none.close();
    await recorder.close();
  });
});

describe('configuration', () => {
  const videosOf = (backend: object): unknown => {
    const { backends } = parseConfig({ backends: { x: { baseUrl: 'http://127.0.0.1:1', ...backend } } });
    return backends.x?.videos;
  };

  test('the format follows from the dialect unless it is given', () => {
    expect(['messages', 'responses', 'generateContent'].map((dialect) => videosOf({ dialect }))).toEqual([
      'none',
      'a',
      'operations',
    ]);
    expect(videosOf({ dialect: 'messages', videos: 'b' })).toBe('b');
    expect(() => videosOf({ dialect: 'messages', videos: 'c' })).toThrow(/^backends\.x\.videos: /);
    const backends = { x: { dialect: 'messages', simulator: true } };
    expect(parseConfig({ backends }).media.runningStatus).toBe('auto');
    expect(() => parseConfig({ backends, media: { runningStatus: 'busy' } })).toThrow(/^media\.runningStatus: /);
  });
});
