import { imageSize } from 'image-size';
import { readWireForm } from './form.js';
import {
  jsonOf,
  type MediaAnswer,
  type MediaFake,
  type MediaSeen,
  refuse,
  startMediaFake,
  strangers,
} from './server.js';

/** A finished file: the head of an MP4 and something to cut ranges from. */
export const FILM = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000, 7)]);
const THUMBNAIL = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L', 'latin1');

/** What a fake knows of one video. */
export interface FakeVideo {
  status: string;
  progress: number;
  readonly fields: Readonly<Record<string, unknown>>;
  url?: string;
  error?: { readonly code: unknown; readonly message: string };
  expires?: number;
  remixedFrom?: string;
}

/** A strict service of one of the two video formats, with the videos it has. */
export interface VideoFake extends MediaFake {
  readonly videos: Map<string, FakeVideo>;
}

const KEY = 'the-key-of-the-video-backend';

export { KEY as VIDEO_KEY };

async function start(serve: (seen: MediaSeen, videos: Map<string, FakeVideo>) => MediaAnswer): Promise<VideoFake> {
  const videos = new Map<string, FakeVideo>();
  const fake = await startMediaFake((seen) => serve(seen, videos));
  return Object.assign(fake, { videos });
}

const FIELDS = ['prompt', 'model', 'seconds', 'size', 'input_reference', 'metadata', 'quality', 'guidance'];

/** A strict service of format A with the model `sora-2`. */
export function startVideosA(): Promise<VideoFake> {
  let made = 0;
  return start((seen, videos) => {
    if (seen.headers.authorization !== `Bearer ${KEY}`)
      return refuse(401, 'Incorrect API key', null, 'invalid_api_key');
    const url = new URL(seen.path, 'http://fake');
    const add = (fields: Record<string, unknown>, remixedFrom?: string): MediaAnswer => {
      made += 1;
      const id = `video_upstream_${made}`;
      videos.set(id, { status: 'queued', progress: 0, fields, remixedFrom });
      return { status: 200, body: taskA(id, videos) };
    };
    if (url.pathname === '/v1/videos' && seen.method === 'POST') {
      const { fields, refused } = readFields(seen);
      return refused ?? add(fields);
    }
    if (url.pathname === '/v1/videos') return list(url, videos);
    const [, raw = '', action] = /^\/v1\/videos\/([^/]+)(?:\/(content|remix))?$/.exec(url.pathname) ?? [];
    const id = decodeURIComponent(raw);
    const video = videos.get(id);
    if (video === undefined) return refuse(404, 'Video not found.', null, null);
    if (action === undefined && seen.method === 'GET') return { status: 200, body: taskA(id, videos) };
    if (action === undefined && seen.method === 'DELETE') {
      if (video.status !== 'completed' && video.status !== 'failed') return refuse(400, 'still running', null, null);
      videos.delete(id);
      return { status: 200, body: { id, object: 'video.deleted', deleted: true } };
    }
    if (action === 'remix' && seen.method === 'POST') {
      const body = jsonOf(seen);
      if (strangers(body, ['prompt']).length > 0) return refuse(400, 'unknown', 'prompt', null);
      return add({ ...video.fields, ...body }, id);
    }
    if (action !== 'content' || seen.method !== 'GET') return refuse(405, 'no such method', null, null);
    if (video.status !== 'completed') return refuse(404, 'Video is not ready yet.', null, null);
    const variant = url.searchParams.get('variant') ?? 'video';
    if (variant === 'spritesheet') return refuse(400, 'no such variant', 'variant', null);
    return variant === 'video'
      ? fileAnswer(FILM, seen.headers.range, 'video/mp4')
      : fileAnswer(THUMBNAIL, seen.headers.range, 'image/webp');
  });
}

/** A file, or the part of it that is asked for. */
export function fileAnswer(file: Buffer, range: string | undefined, type: string): MediaAnswer {
  const headers = {
    'content-type': type,
    'accept-ranges': 'bytes',
    etag: '"film-1"',
    'set-cookie': 'secret=1',
    'content-disposition': 'attachment; filename="upstream-name.mp4"',
  };
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
  if (match === null) return { status: 200, body: file, headers: { ...headers, 'content-length': `${file.length}` } };
  const first = match[1] === '' ? file.length - Number(match[2]) : Number(match[1]);
  const last = match[1] === '' || match[2] === '' ? file.length - 1 : Math.min(file.length - 1, Number(match[2]));
  if (first > last) {
    return { status: 416, body: '', headers: { ...headers, 'content-range': `bytes */${file.length}` } };
  }
  const part = file.subarray(first, last + 1);
  const place = { 'content-range': `bytes ${first}-${last}/${file.length}`, 'content-length': `${part.length}` };
  return { status: 206, body: part, headers: { ...headers, ...place } };
}

function readFields(seen: MediaSeen): { fields: Record<string, unknown>; refused?: MediaAnswer } {
  const fields: Record<string, unknown> = {};
  return { fields, refused: fieldsInto(fields, seen) };
}

function fieldsInto(fields: Record<string, unknown>, seen: MediaSeen): MediaAnswer | undefined {
  const form = (seen.headers['content-type'] ?? '').startsWith('multipart/');
  if (Number(seen.headers['content-length']) !== seen.raw.length) return refuse(411, 'no length', null, null);
  if (form) {
    for (const { name, filename, type, bytes } of readWireForm(seen.headers['content-type'], seen.raw)) {
      if (name in fields) return refuse(400, `Duplicate parameter: '${name}'.`, name, 'duplicate_parameter');
      if (filename === undefined) {
        fields[name] = bytes.toString();
        continue;
      }
      const { type: kind, width, height } = imageSize(bytes);
      const word = kind === 'jpg' ? 'jpeg' : kind;
      if (type !== `image/${word}`) {
        return refuse(400, `Invalid file: unsupported mimetype ('${type}').`, name, 'unsupported_file_mimetype');
      }
      fields[name] = `${word} ${width}x${height} ${filename}`;
    }
  } else {
    Object.assign(fields, jsonOf(seen));
  }
  const [stranger] = strangers(fields, FIELDS);
  if (stranger !== undefined) return refuse(400, `Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter');
  if (fields.model !== 'sora-2') return refuse(400, 'The model does not exist.', 'model', 'model_not_found');
  if (typeof fields.prompt !== 'string' || fields.prompt === '') return refuse(400, 'no prompt', 'prompt', null);
  if (fields.seconds !== undefined && !['4', '8', '12', '16', '20'].includes(fields.seconds as string)) {
    return refuse(400, 'Invalid seconds', 'seconds', 'invalid_value');
  }
  return undefined;
}

function taskA(id: string, videos: Map<string, FakeVideo>): object {
  const video = videos.get(id);
  const { fields = {}, status, progress, error, expires, remixedFrom } = video ?? {};
  return {
    id,
    object: 'video',
    model: fields.model,
    status,
    progress,
    created_at: 1_780_000_000,
    completed_at: status === 'completed' ? 1_780_000_060 : null,
    expires_at: expires ?? null,
    prompt: fields.prompt,
    seconds: fields.seconds ?? '4',
    size: fields.size ?? '720x1280',
    remixed_from_video_id: remixedFrom ?? null,
    error: error ?? null,
    own_field: 'kept',
    ...(video?.url !== undefined && { url: video.url }),
  };
}

function list(url: URL, videos: Map<string, FakeVideo>): MediaAnswer {
  const ids = [...videos.keys()];
  if (url.searchParams.get('order') !== 'asc') ids.reverse();
  const start = ids.indexOf(url.searchParams.get('after') ?? '') + 1;
  const limit = Number(url.searchParams.get('limit') ?? 20);
  const page = ids.slice(start, start + limit);
  return {
    status: 200,
    body: {
      object: 'list',
      data: page.map((id) => taskA(id, videos)),
      first_id: page[0] ?? null,
      last_id: page.at(-1) ?? null,
      has_more: start + limit < ids.length,
    },
  };
}

const FIELDS_B = [
  'model',
  'prompt',
  'image',
  'duration',
  'width',
  'height',
  'fps',
  'seed',
  'n',
  'response_format',
  'user',
];

/** A strict service of format B with the model `wan`. `wrapped` = it answers in the envelope of some deployments. */
export function startVideosB(wrapped = false): Promise<VideoFake> {
  let made = 0;
  const flat = (status: number, message: string, param: string | null): MediaAnswer => ({
    status,
    body: { code: null, message, param, type: status === 401 ? 'authentication_error' : 'invalid_request_error' },
  });
  return start((seen, videos) => {
    if (seen.headers.authorization !== `Bearer ${KEY}`) return flat(401, 'bad key', null);
    if (seen.path === '/v1/video/generations' && seen.method === 'POST') {
      const body = jsonOf(seen);
      const [stranger] = strangers(body, [...FIELDS_B, 'metadata']);
      if (stranger !== undefined) return flat(400, `unknown ${stranger}`, stranger);
      if (body.model !== 'wan') return flat(400, 'no such model', 'model');
      for (const name of ['duration', 'width', 'height', 'fps', 'seed']) {
        if (body[name] !== undefined && typeof body[name] !== 'number') return flat(400, `${name} is no number`, name);
      }
      if (body.metadata !== undefined && (typeof body.metadata !== 'object' || body.metadata === null)) {
        return flat(400, 'metadata is no object', 'metadata');
      }
      made += 1;
      const id = `tasks/up ${made}`;
      videos.set(id, { status: 'processing', progress: 40, fields: body });
      return { status: 200, body: { task_id: id, status: 'queued' } };
    }
    const [, raw] = /^\/v1\/video\/generations\/([^/]+)$/.exec(seen.path) ?? [];
    const id = decodeURIComponent(raw ?? '');
    const video = videos.get(id);
    if (raw === undefined || video === undefined || seen.method !== 'GET') return flat(404, 'task not found', null);
    return { status: 200, body: wrapped ? envelope(id, video) : taskB(id, video) };
  });
}

function taskB(id: string, { status, fields, url, error }: FakeVideo): object {
  return {
    task_id: id,
    status,
    ...(url !== undefined && { url, format: 'mp4' }),
    metadata: {
      duration: fields.duration ?? 4,
      fps: 24,
      width: fields.width ?? 720,
      height: fields.height ?? 1280,
      seed: 7,
    },
    ...(error !== undefined && { error }),
  };
}

function envelope(id: string, { status, progress, url, error }: FakeVideo): object {
  const words: Readonly<Record<string, string>> = {
    processing: 'IN_PROGRESS',
    succeeded: 'SUCCESS',
    failed: 'FAILURE',
  };
  return {
    code: 'success',
    message: '',
    data: {
      task_id: id,
      status: words[status] ?? status,
      progress: `${progress}%`,
      fail_reason: error?.message ?? '',
      result_url: url ?? '',
    },
  };
}
