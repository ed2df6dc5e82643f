import { readDirectives } from '../directives.js';
import type { Exchange } from '../exchange.js';
import { Refusal, type SimulatorAnswer } from '../http.js';
import { stringOf } from '../json.js';
import { makeFilm } from './film.js';
import { readForm } from './form.js';
import { drawPicture } from './picture.js';
import { checkVideo } from './rules.js';

/** How many seconds a simulated video waits, and how many it is made in. */
const WAIT = 1;
const WORK = 2;
/** Its file is kept for so long, in seconds. */
const KEPT = 3600;
const MOST_TASKS = 256;

interface Task {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  readonly seconds: string;
  readonly size: string;
  /** Unix seconds. */
  readonly created: number;
  readonly fails: boolean;
  readonly remixedFrom: string | null;
}

/** The videos of one simulator, in memory; the oldest goes when there are too many. */
export type VideoTasks = Map<string, Task>;

/** Serves the video routes: tasks that take three seconds, and their files (media.md 1.5, 1.6). */
export function serveVideos(exchange: Exchange, tasks: VideoTasks, headers: Record<string, string>): SimulatorAnswer {
  const { method, path, now } = exchange;
  const json = (value: object): SimulatorAnswer => ({ status: 200, headers, body: JSON.stringify(value, null, 2) });
  const [, id, action] = /^\/videos(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
  if (id === undefined && method === 'POST') return json(shown(create(exchange, tasks), now));
  if (id === undefined && method === 'GET') return json(list(exchange, tasks));
  const task = tasks.get(decodeURIComponent(id ?? ''));
  if (task === undefined) throw new Refusal(404, 'Video not found.', { param: 'video_id' });
  if (method === 'GET' && action === undefined) return json(shown(task, now));
  if (method === 'DELETE' && action === undefined) {
    tasks.delete(task.id);
    return json({ id: task.id, object: 'video.deleted', deleted: true });
  }
  if (method === 'POST' && action === 'remix') return json(shown(create(exchange, tasks, task), now));
  if (method === 'GET' && action === 'content') return content(exchange, task, headers);
  throw new Refusal(404, `Invalid URL (${method} /v1${path})`);
}

function create(exchange: Exchange, tasks: VideoTasks, source?: Task): Task {
  const form = readForm(exchange);
  checkVideo(form, source !== undefined);
  const { fields } = form;
  const prompt = stringOf(fields.prompt);
  const { status, refuse } = readDirectives(prompt);
  if (status !== undefined) throw new Refusal(status, `simulated error ${status}`);
  const task: Task = {
    id: exchange.mint('video_', 48),
    model: source?.model ?? stringOf(fields.model, 'video-2'),
    prompt,
    seconds: source?.seconds ?? stringOf(fields.seconds, '4'),
    size: source?.size ?? stringOf(fields.size, '720x1280'),
    created: exchange.now,
    fails: refuse,
    remixedFrom: source?.id ?? null,
  };
  tasks.set(task.id, task);
  for (const id of tasks.keys()) {
    if (tasks.size <= MOST_TASKS) break;
    tasks.delete(id);
  }
  return task;
}

function statusOf({ created, fails }: Task, now: number): 'queued' | 'in_progress' | 'completed' | 'failed' {
  const age = now - created;
  if (age < WAIT) return 'queued';
  if (age < WAIT + WORK) return 'in_progress';
  return fails ? 'failed' : 'completed';
}

const FAILURE = { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' };

function shown(task: Task, now: number): object {
  const status = statusOf(task, now);
  const ready = task.created + WAIT + WORK;
  const part = Math.round(((now - task.created - WAIT) / WORK) * 100);
  return {
    id: task.id,
    object: 'video',
    created_at: task.created,
    completed_at: status === 'completed' ? ready : null,
    expires_at: status === 'completed' ? ready + KEPT : null,
    status,
    model: task.model,
    progress: status === 'completed' ? 100 : Math.min(99, Math.max(0, part)),
    prompt: task.prompt,
    seconds: task.seconds,
    size: task.size,
    remixed_from_video_id: task.remixedFrom,
    error: status === 'failed' ? FAILURE : null,
  };
}

function list({ query, now }: Exchange, tasks: VideoTasks): object {
  const all = [...tasks.values()];
  if (query.get('order') !== 'asc') all.reverse();
  const start = all.findIndex(({ id }) => id === query.get('after')) + 1;
  const limit = Number(query.get('limit') ?? 20);
  const data = all.slice(start, start + limit).map((task) => shown(task, now));
  const ids = all.slice(start, start + limit).map(({ id }) => id);
  const more = start + limit < all.length;
  return { object: 'list', data, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: more };
}

function content(exchange: Exchange, task: Task, headers: Record<string, string>): SimulatorAnswer {
  const status = statusOf(task, exchange.now);
  if (status !== 'completed') throw new Refusal(404, 'Video is not ready yet, use GET /v1/videos/{video_id} to check.');
  const [, width = '720', height = '1280'] = /^(\d{1,4})x(\d{1,4})$/.exec(task.size) ?? [];
  const variant = exchange.query.get('variant') ?? 'video';
  const file =
    variant === 'video'
      ? makeFilm(task.prompt, Math.min(3600, Number(task.seconds) || 4), Number(width), Number(height))
      : drawPicture(task.prompt, task.size);
  const type = variant === 'video' ? 'video/mp4' : 'image/png';
  return part(file, exchange.headers.range, { ...headers, 'content-type': type, 'accept-ranges': 'bytes' });
}

/** The file, or the one part of it that is asked for. */
function part(file: Buffer, range: string | undefined, headers: Record<string, string>): SimulatorAnswer {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (first === '' && last === '') return { status: 200, headers: sized(headers, file), body: whole(file) };
  const start = first === '' ? Math.max(0, file.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? file.length : Math.min(file.length, Number(last) + 1);
  if (start >= end)
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.length}` }, body: '' };
  const piece = file.subarray(start, end);
  const place = { 'content-range': `bytes ${start}-${end - 1}/${file.length}` };
  return { status: 206, headers: { ...sized(headers, piece), ...place }, body: whole(piece) };
}

function sized(headers: Record<string, string>, bytes: Buffer): Record<string, string> {
  return { ...headers, 'content-length': String(bytes.length) };
}

async function* whole(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
