import {
  checkVideoRequest,
  encodeVideoTaskA,
  type JsonObject,
  readVideoForm,
  readVideoJson,
  type VideoTask,
} from '../../../translators/index.js';
import { readDirectives } from '../directives.js';
import { invalid, noRoute, notFound, simulated } from '../errors.js';
import { type Exchange, json, type SimulatorAnswer, wholeOf } from '../http.js';
import { makeFilm } from './film.js';
import { readMediaBody } from './form.js';
import { drawPicture } from './picture.js';

/** How many seconds a simulated video waits, and how many it is made in. */
const WAIT = 1;
const WORK = 2;
/** Its file is kept for so long, in seconds. */
const KEPT = 3600;
const MOST_TASKS = 256;

/** A video as it was asked for. */
export interface AskedVideo {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  readonly seconds: string;
  readonly size: string;
  /** Unix seconds. */
  readonly created: number;
  readonly fails: boolean;
  readonly remixedFrom?: string;
}

/** The videos of one simulator, in memory; the oldest goes when there are too many. */
export type VideoTasks = Map<string, AskedVideo>;

/** Serves the video routes: tasks that take three seconds, and their files (media.md 1.5, 1.6). */
export function serveVideos(exchange: Exchange, tasks: VideoTasks): SimulatorAnswer {
  const { method, path, headers, now } = exchange;
  const [, name, action] = /^\/videos(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
  if (name === undefined && method === 'POST') return json(encodeVideo(create(exchange, tasks), now), headers);
  if (name === undefined && method === 'GET') return json(list(exchange, tasks), headers);
  const video = tasks.get(decodeURIComponent(name ?? ''));
  if (video === undefined) throw notFound('Video not found.');
  switch (`${method} ${action ?? ''}`) {
    case 'GET ':
      return json(encodeVideo(video, now), headers);
    case 'DELETE ':
      tasks.delete(video.id);
      return json({ id: video.id, object: 'video.deleted', deleted: true }, headers);
    case 'POST remix':
      return json(encodeVideo(create(exchange, tasks, video), now), headers);
    case 'GET content':
      return content(exchange, video);
    default:
      throw noRoute(exchange);
  }
}

function create(exchange: Exchange, tasks: VideoTasks, source?: AskedVideo): AskedVideo {
  const body = readMediaBody(exchange);
  const isForm = 'form' in body;
  const fields = isForm ? readVideoForm(body.form, 'a') : readVideoJson(body.json, 'a');
  const { prompt, model, settings } = fields;
  const { reference: _unchecked, ...request } = fields;
  checkVideoRequest(request, undefined, Number.POSITIVE_INFINITY);
  if (!isForm && typeof body.json.seconds === 'number') throw invalid('seconds: must be a string');
  if (settings.size !== undefined && !/^\d{2,4}x\d{2,4}$/.test(settings.size))
    throw invalid('size: must be WIDTHxHEIGHT');
  return addVideo(exchange, tasks, {
    model: source?.model ?? model,
    prompt,
    seconds: source?.seconds ?? settings.seconds ?? '4',
    size: source?.size ?? settings.size ?? '720x1280',
    ...(source !== undefined && { remixedFrom: source.id }),
  });
}

/** Begins a video. Throws the Refusal that its prompt asks for. */
export function addVideo(
  { seed, now }: Exchange,
  tasks: VideoTasks,
  asked: Omit<AskedVideo, 'id' | 'created' | 'fails'>,
): AskedVideo {
  const { status, refuse } = readDirectives(asked.prompt);
  if (status !== undefined) throw simulated('responses', status);
  const video = { ...asked, id: `video_${seed.slice(0, 48)}`, created: now, fails: refuse };
  tasks.set(video.id, video);
  for (const id of tasks.keys()) {
    if (tasks.size <= MOST_TASKS) break;
    tasks.delete(id);
  }
  return video;
}

/** The status of a video. */
export function taskOf(video: AskedVideo, now: number): VideoTask {
  const { id, model, prompt, seconds, size, created: createdAt, fails, remixedFrom } = video;
  const known = { id, model, prompt, seconds, size, createdAt, ...(remixedFrom !== undefined && { remixedFrom }) };
  const age = now - createdAt;
  if (age < WAIT) return { ...known, status: 'queued', progress: 0 };
  if (age < WAIT + WORK) return { ...known, status: 'running', progress: Math.round(((age - WAIT) / WORK) * 100) };
  if (fails) return { ...known, status: 'failed', error: FAILURE };
  const completedAt = createdAt + WAIT + WORK;
  return { ...known, status: 'completed', completedAt, expiresAt: completedAt + KEPT };
}

const FAILURE = { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' };

/** Its file is fetched by its id: the service gives no link. */
function encodeVideo(video: AskedVideo, now: number): JsonObject {
  const { id, remixedFrom } = video;
  const view = { id, url: '', running: 'in_progress', ...(remixedFrom !== undefined && { remixedFrom }) } as const;
  const { url: _none, ...body } = encodeVideoTaskA(taskOf(video, now), view, now);
  return body;
}

function list({ query, now }: Exchange, tasks: VideoTasks): object {
  const all = [...tasks.values()];
  if (query.get('order') !== 'asc') all.reverse();
  const start = all.findIndex(({ id }) => id === query.get('after')) + 1;
  const page = all.slice(start, start + Number(query.get('limit') ?? 20));
  return {
    object: 'list',
    data: page.map((video) => encodeVideo(video, now)),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: start + page.length < all.length,
  };
}

/** The file of a finished video. */
export function filmOf({ prompt, seconds, size }: AskedVideo): Buffer {
  const [, width = '720', height = '1280'] = /^(\d{1,4})x(\d{1,4})$/.exec(size) ?? [];
  return makeFilm(prompt, Math.min(3600, Number(seconds) || 4), Number(width), Number(height));
}

function content({ query, requestHeaders, headers, now }: Exchange, video: AskedVideo): SimulatorAnswer {
  if (taskOf(video, now).status !== 'completed') {
    throw notFound('Video is not ready yet, use GET /v1/videos/{video_id} to check.');
  }
  const isFilm = (query.get('variant') ?? 'video') === 'video';
  const file = isFilm ? filmOf(video) : drawPicture(video.prompt, video.size);
  const type = isFilm ? 'video/mp4' : 'image/png';
  const described = { ...headers, 'content-type': type, 'accept-ranges': 'bytes' };
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(requestHeaders.range ?? '') ?? [];
  if (first === '' && last === '') return sent(200, described, file);
  const start = first === '' ? Math.max(0, file.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? file.length : Math.min(file.length, Number(last) + 1);
  if (start >= end) {
    return { status: 416, headers: { ...described, 'content-range': `bytes */${file.length}` }, body: '' };
  }
  const range = { 'content-range': `bytes ${start}-${end - 1}/${file.length}` };
  return sent(206, { ...described, ...range }, file.subarray(start, end));
}

function sent(status: number, headers: Record<string, string>, bytes: Buffer): SimulatorAnswer {
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: wholeOf(bytes) };
}
