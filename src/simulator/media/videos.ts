import {
  encodeVideoTaskA,
  type JsonObject,
  readVideoForm,
  readVideoJson,
  type VideoTask,
} from '../../../translators/index.js';
import { partOf } from '../../media/byte-range.js';
import { readDirectives } from '../directives.js';
import { noRoute, parseBody, Refusal, simulated } from '../errors.js';
import { type Exchange, json, type SimulatorAnswer } from '../http.js';
import { makeFilm } from './film.js';
import { readForm } from './form.js';
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
  if (name === undefined && method === 'POST') return json(shown(create(exchange, tasks), now), headers);
  if (name === undefined && method === 'GET') return json(list(exchange, tasks), headers);
  const video = tasks.get(decodeURIComponent(name ?? ''));
  if (video === undefined) throw new Refusal({ kind: 'not_found', message: 'Video not found.' });
  switch (`${method} ${action ?? ''}`) {
    case 'GET ':
      return json(shown(video, now), headers);
    case 'DELETE ':
      tasks.delete(video.id);
      return json({ id: video.id, object: 'video.deleted', deleted: true }, headers);
    case 'POST remix':
      return json(shown(create(exchange, tasks, video), now), headers);
    case 'GET content':
      return content(exchange, video);
    default:
      throw noRoute(exchange);
  }
}

function create(exchange: Exchange, tasks: VideoTasks, source?: AskedVideo): AskedVideo {
  const form = readForm(exchange);
  const { prompt, model, settings } =
    form === undefined ? readVideoJson(parseBody(exchange.text), 'a') : readVideoForm(form.fields, 'a');
  return addVideo(exchange, tasks, {
    model: source?.model ?? model,
    prompt,
    seconds: source?.seconds ?? settings.seconds ?? '4',
    size: source?.size ?? settings.size ?? '720x1280',
    ...(source !== undefined && { remixedFrom: source.id }),
  });
}

/** Begins a video. Throws the refusal that its prompt asks for. */
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

/** Where a video stands. */
export function taskOf(video: AskedVideo, now: number): VideoTask {
  const { id, model, prompt, seconds, size, created: createdAt, fails, remixedFrom } = video;
  const told = { id, model, prompt, seconds, size, createdAt, ...(remixedFrom !== undefined && { remixedFrom }) };
  const age = now - createdAt;
  if (age < WAIT) return { ...told, status: 'queued', progress: 0 };
  if (age < WAIT + WORK) return { ...told, status: 'running', progress: Math.round(((age - WAIT) / WORK) * 100) };
  if (fails) return { ...told, status: 'failed', error: FAILURE };
  const completedAt = createdAt + WAIT + WORK;
  return { ...told, status: 'completed', completedAt, expiresAt: completedAt + KEPT };
}

const FAILURE = { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' };

/** Its file is fetched by its id, so that no link is told. */
function shown(video: AskedVideo, now: number): JsonObject {
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
    data: page.map((video) => shown(video, now)),
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

function content({ query, asked, headers, now }: Exchange, video: AskedVideo): SimulatorAnswer {
  if (taskOf(video, now).status !== 'completed') {
    const message = 'Video is not ready yet, use GET /v1/videos/{video_id} to check.';
    throw new Refusal({ kind: 'not_found', message });
  }
  const isFilm = (query.get('variant') ?? 'video') === 'video';
  const file = isFilm ? filmOf(video) : drawPicture(video.prompt, video.size);
  const type = isFilm ? 'video/mp4' : 'image/png';
  const described = { ...headers, 'content-type': type, 'accept-ranges': 'bytes' };
  const { range } = asked;
  if (range === undefined) return sent(200, described, file);
  const part = partOf(range, file.length);
  if (part === undefined) {
    return { status: 416, headers: { ...described, 'content-range': `bytes */${file.length}` }, body: '' };
  }
  const place = { 'content-range': `bytes ${part.start}-${part.end - 1}/${file.length}` };
  return sent(206, { ...described, ...place }, file.subarray(part.start, part.end));
}

function sent(status: number, headers: Record<string, string>, bytes: Buffer): SimulatorAnswer {
  return { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: whole(bytes) };
}

async function* whole(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
