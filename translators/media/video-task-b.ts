import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { readSize } from './size.js';
import { decimalOf, numberOf, optional, percentOf, textOf } from './values.js';
import type { VideoTask } from './video.js';
import { decodeVideoError, encodeVideoErrorB, UNTOLD } from './video-error.js';
import { readVideoStatus, wordOfB } from './video-status.js';
import type { VideoView } from './video-task-a.js';

type Fields = Readonly<Record<string, unknown>>;

/** A task of format B; one in the envelope of some deployments is unwrapped (media.md 1.7.3). */
export function decodeVideoTaskB(body: Fields): VideoTask {
  const task = isObject(body.data) && body.status === undefined ? body.data : body;
  const status = typeof task.status === 'string' ? readVideoStatus(task.status) : 'running';
  const metadata = isObject(task.metadata) ? task.metadata : {};
  const { width, height } = metadata;
  const size = typeof width === 'number' && typeof height === 'number' ? `${width}x${height}` : undefined;
  return {
    id: textOf(task.task_id) ?? textOf(task.id) ?? '',
    status,
    ...optional('progress', percentOf(task.progress)),
    ...optional('seconds', decimalOf(metadata.duration)),
    ...optional('size', size),
    ...optional('fps', numberOf(metadata.fps)),
    ...optional('seed', numberOf(metadata.seed)),
    ...optional('container', textOf(task.format)),
    ...optional('url', textOf(task.url) ?? textOf(task.result_url)),
    ...(status === 'failed' && {
      error: decodeVideoError(task.error) ?? decodeVideoError(task.fail_reason) ?? UNTOLD,
    }),
  };
}

/** A task in format B. */
export function encodeVideoTaskB(task: VideoTask, view: Pick<VideoView, 'id' | 'url'>): JsonObject {
  const metadata = metadataOf(task);
  const done = task.status === 'completed';
  return {
    task_id: view.id,
    status: wordOfB(task.status),
    ...(done && { url: view.url, format: task.container ?? 'mp4' }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    error: task.error === undefined ? null : encodeVideoErrorB(task.error),
  };
}

function metadataOf({ seconds, size, fps, seed }: VideoTask): JsonObject {
  const pixels = size === undefined ? undefined : readSize(size);
  return {
    ...(seconds !== undefined && { duration: Math.round(Number(seconds)) }),
    ...(fps !== undefined && { fps }),
    ...(pixels?.ratio === false && { height: pixels.height, width: pixels.width }),
    ...(seed !== undefined && { seed }),
  };
}

/** The body of a service of format B as its client sees it: another id and link and one set of words. */
export function relayVideoTaskB(body: Fields, task: VideoTask, view: Pick<VideoView, 'id' | 'url'>): JsonObject {
  const own = encodeVideoTaskB(task, view);
  if (body.status === undefined) return own;
  const { url: _url, result_url: _link, id: _id, metadata, ...rest } = body;
  return { ...rest, ...own, ...(isObject(metadata) && { metadata }) };
}
