import { describe, expect, test } from '@jest/globals';
import {
  decodeVideoTaskA,
  decodeVideoTaskB,
  encodeVideoTaskA,
  encodeVideoTaskB,
  readVideoForm,
  readVideoJson,
  relayVideoTaskA,
  relayVideoTaskB,
  urlsIn,
} from '../../translators/index.js';

const VIEW = { id: 'video_x', url: 'https://gw/v1/videos/video_x/content', running: 'processing' } as const;

/** [word of a service, format A, format B]: media.md 4.1. */
const WORDS: readonly (readonly [string, string, string])[] = [
  ['queued', 'queued', 'processing'],
  ['PENDING', 'queued', 'processing'],
  ['submitted', 'queued', 'processing'],
  ['NOT_START', 'queued', 'processing'],
  ['preparing', 'queued', 'processing'],
  ['created', 'queued', 'processing'],
  ['processing', 'processing', 'processing'],
  ['in_progress', 'processing', 'processing'],
  [' Running ', 'processing', 'processing'],
  ['generating', 'processing', 'processing'],
  ['UNKNOWN', 'processing', 'processing'],
  ['a word of next year', 'processing', 'processing'],
  ['completed', 'completed', 'succeeded'],
  ['succeeded', 'completed', 'succeeded'],
  ['SUCCESS', 'completed', 'succeeded'],
  ['Ready', 'completed', 'succeeded'],
  ['finished', 'completed', 'succeeded'],
  ['failed', 'failed', 'failed'],
  ['FAILURE', 'failed', 'failed'],
  ['cancelled', 'failed', 'failed'],
  ['expired', 'failed', 'failed'],
  ['Request Moderated', 'failed', 'failed'],
];

describe('states', () => {
  test.each(WORDS)('%s', (word, a, b) => {
    for (const task of [
      decodeVideoTaskA({ id: 'i', status: word }),
      decodeVideoTaskB({ task_id: 'i', status: word }),
    ]) {
      expect(encodeVideoTaskA(task, VIEW, 5).status).toBe(a);
      expect(encodeVideoTaskB(task, VIEW).status).toBe(b);
    }
  });

  test('a task without a state runs', () => {
    expect(decodeVideoTaskA({ id: 'i' }).status).toBe('running');
    expect(decodeVideoTaskB({ task_id: 'i', status: 7 }).status).toBe('running');
  });

  test('the word for a running task is the one that was chosen', () => {
    const task = decodeVideoTaskA({ id: 'i', status: 'processing' });
    expect(encodeVideoTaskA(task, { ...VIEW, running: 'in_progress' }, 5).status).toBe('in_progress');
    expect(relayVideoTaskA({}, task, { ...VIEW, running: 'in_progress' }).status).toBe('in_progress');
  });
});

describe('reasons of failure', () => {
  test.each([
    [{ code: 'moderation_blocked', message: 'no' }, 400, 'moderation_blocked'],
    [{ code: 'content_policy_violation', message: 'no' }, 400, 'content_policy_violation'],
    [{ code: 'rate_limit_exceeded', message: 'no' }, 429, 'rate_limit_exceeded'],
    [{ code: 'some_word', message: 'no' }, 500, 'some_word'],
    [{ code: 400, message: 'no' }, 400, 'invalid_parameter'],
    [{ code: 422, message: 'no' }, 400, 'invalid_parameter'],
    [{ code: 503, message: 'no' }, 500, 'internal_error'],
    [{ code: '429', message: 'no' }, 429, 'rate_limit_exceeded'],
    [{ code: 1027, message: 'no' }, 1027, '1027'],
    [{ message: 'no' }, 500, 'internal_error'],
    ['no', 500, 'internal_error'],
  ])('%j', (error, b, a) => {
    for (const task of [
      decodeVideoTaskA({ id: 'i', status: 'failed', error }),
      decodeVideoTaskB({ task_id: 'i', status: 'failed', error }),
    ]) {
      expect(encodeVideoTaskA(task, VIEW, 5).error).toEqual({ code: a, message: 'no' });
      expect(encodeVideoTaskB(task, VIEW).error).toEqual({ code: b, message: 'no' });
    }
  });

  test('there is always one when a task failed, and none otherwise', () => {
    const failed = decodeVideoTaskB({ task_id: 'i', status: 'failed', error: null });
    expect(encodeVideoTaskA(failed, VIEW, 5).error).toEqual({ code: 'internal_error', message: expect.any(String) });
    const done = decodeVideoTaskA({ id: 'i', status: 'completed', error: { code: 'x', message: 'stale' } });
    expect(encodeVideoTaskB(done, VIEW).error).toBeNull();
  });
});

describe('fields', () => {
  test('of format A in format B', () => {
    const task = decodeVideoTaskA({
      id: 'i',
      status: 'completed',
      seconds: '8',
      size: '1280x720',
      created_at: 100,
      url: 'https://cdn.example/v.mp4',
    });
    expect(encodeVideoTaskB(task, VIEW)).toEqual({
      task_id: 'video_x',
      status: 'succeeded',
      url: VIEW.url,
      format: 'mp4',
      metadata: { duration: 8, width: 1280, height: 720 },
      error: null,
    });
  });

  test('of format B in format A', () => {
    const task = decodeVideoTaskB({
      task_id: 'i',
      status: 'succeeded',
      url: 'https://cdn.example/v.webm',
      format: 'webm',
      metadata: { duration: 5.0, fps: 24, width: 720, height: 1280, seed: 3 },
      error: null,
    });
    expect(encodeVideoTaskA({ ...task, model: 'm', createdAt: 50 }, VIEW, 60)).toEqual({
      id: 'video_x',
      object: 'video',
      model: 'm',
      status: 'completed',
      progress: 100,
      created_at: 50,
      size: '720x1280',
      seconds: '5',
      url: VIEW.url,
      remixed_from_video_id: null,
      error: null,
    });
    expect(encodeVideoTaskB(task, VIEW)).toMatchObject({ format: 'webm', metadata: { fps: 24, seed: 3 } });
  });

  test('of format B that nobody here knows stay', () => {
    const body = { task_id: 'i', status: 'succeeded', url: 'https://u', cost: 3, metadata: { duration: 4, tail: 'x' } };
    expect(relayVideoTaskB(body, decodeVideoTaskB(body), VIEW)).toEqual({
      task_id: 'video_x',
      status: 'succeeded',
      url: VIEW.url,
      format: 'mp4',
      cost: 3,
      metadata: { duration: 4, tail: 'x' },
      error: null,
    });
  });

  test('a link stands only at a finished task, wherever its service has it', () => {
    for (const body of [{ url: 'https://u' }, { video_url: 'https://u' }, { metadata: { url: 'https://u' } }]) {
      const done = decodeVideoTaskA({ id: 'i', status: 'completed', ...body });
      expect(done.url).toBe('https://u');
      expect(JSON.stringify(relayVideoTaskA({ id: 'i', ...body }, done, VIEW))).not.toContain('https://u');
      const early = decodeVideoTaskA({ id: 'i', status: 'queued', ...body });
      expect(encodeVideoTaskA(early, VIEW, 5)).not.toHaveProperty('url');
    }
  });

  test.each([
    ['queued', undefined, 0],
    ['processing', undefined, 50],
    ['processing', 30, 30],
    ['processing', '60%', 60],
    ['processing', 130, 50],
    ['completed', 80, 100],
    ['failed', undefined, 0],
  ])('progress of %s with %s', (status, progress, shown) => {
    const task = decodeVideoTaskA({ id: 'i', status, progress });
    expect(encodeVideoTaskA(task, VIEW, 5).progress).toBe(shown);
  });
});

describe('requests', () => {
  test('a form, JSON and format B say the same', () => {
    const wanted = { prompt: 'p', model: 'video-2', settings: { seconds: '8', size: '1280x720' } };
    const form = readVideoForm(
      [
        ['prompt', 'p'],
        ['seconds', '8'],
        ['size', '1280x720'],
        ['metadata', '{"a":true}'],
      ],
      'a',
    );
    expect(form).toMatchObject({ ...wanted, metadata: { a: true } });
    expect(readVideoJson({ prompt: 'p', seconds: 8, size: '1280x720', metadata: { a: true } }, 'a')).toEqual(form);
    expect(readVideoJson({ prompt: 'p', duration: 8, width: 1280, height: 720 }, 'b')).toMatchObject(wanted);
  });

  test('metadata may be flattened', () => {
    const { metadata } = readVideoForm(
      [
        ['prompt', 'p'],
        ['metadata[img_url]', 'https://a.example/x.png'],
        ['metadata[watermark]', 'false'],
        ['metadata[seed]', '7'],
        ['metadata[zip]', '007'],
        ['metadata[deep][list][]', 'a'],
        ['metadata[deep][list][]', 'b'],
      ],
      'a',
    );
    const seen = {
      img_url: 'https://a.example/x.png',
      watermark: false,
      seed: 7,
      zip: '007',
      deep: { list: ['a', 'b'] },
    };
    expect(metadata).toEqual(seen);
    expect(urlsIn(seen, '/metadata')).toEqual([{ path: '/metadata/img_url', url: 'https://a.example/x.png' }]);
  });

  test.each([
    ['metadata[__proto__][polluted]', 'metadata'],
    ['metadata[a][constructor]', 'metadata'],
    ['metadata[[a]]', 'metadata'],
    ['metadata[a', 'metadata'],
    ['metadata[model]', 'metadata.model'],
    ['metadata[callback_url]', 'metadata.callback_url'],
    ['metadata[a][a][a][a][a][a][a][a][a]', 'metadata'],
  ])('%s is refused', (name, param) => {
    const path = `/${param.replace('.', '/')}`;
    expect(() =>
      readVideoForm(
        [
          ['prompt', 'p'],
          [name, 'x'],
        ],
        'a',
      ),
    ).toThrow(expect.objectContaining({ kind: 'invalid_request', path }));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
