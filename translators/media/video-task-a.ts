import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { decimalOf, numberOf, optional, percentOf, textOf } from './values.js';
import type { VideoTask } from './video.js';
import { decodeVideoError, UNTOLD } from './video-error.js';
import { type RunningWord, readVideoStatus, wordOfA } from './video-status.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a task is shown as, whatever its service calls it. */
export interface VideoView {
  readonly id: string;
  /** The id under which the client knows the video that this one was made from. */
  readonly remixedFrom?: string;
  /** Where the finished file is to be had. */
  readonly url: string;
  readonly running: RunningWord;
}

/** A task of format A (media.md 1.5). */
export function decodeVideoTaskA(body: Fields): VideoTask {
  const status = typeof body.status === 'string' ? readVideoStatus(body.status) : 'running';
  const metadata = isObject(body.metadata) ? body.metadata : {};
  return {
    id: textOf(body.id) ?? '',
    status,
    ...optional('progress', percentOf(body.progress)),
    ...optional('model', textOf(body.model)),
    ...optional('prompt', textOf(body.prompt)),
    ...optional('createdAt', numberOf(body.created_at)),
    ...optional('completedAt', numberOf(body.completed_at)),
    ...optional('expiresAt', numberOf(body.expires_at)),
    ...optional('seconds', decimalOf(body.seconds)),
    ...optional('size', textOf(body.size)),
    ...optional('quality', textOf(body.quality)),
    // Some services have the link at other places.
    ...optional('url', textOf(body.url) ?? textOf(body.video_url) ?? textOf(metadata.url)),
    ...optional('remixedFrom', textOf(body.remixed_from_video_id)),
    ...(status === 'failed' && { error: decodeVideoError(body.error) ?? UNTOLD }),
  };
}

/** A task in format A. Times that are not known are left out; `now` in Unix seconds stands for an unknown beginning. */
export function encodeVideoTaskA(task: VideoTask, view: VideoView, now: number): JsonObject {
  const { status, completedAt, expiresAt, prompt, quality } = task;
  return {
    id: view.id,
    object: 'video',
    model: task.model ?? '',
    status: wordOfA(status, view.running),
    progress: progressOf(task),
    created_at: task.createdAt ?? now,
    ...(completedAt !== undefined && { completed_at: completedAt }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(prompt !== undefined && { prompt }),
    ...(task.size !== undefined && { size: task.size }),
    ...(task.seconds !== undefined && { seconds: task.seconds }),
    ...(quality !== undefined && { quality }),
    ...(status === 'completed' && { url: view.url }),
    remixed_from_video_id: view.remixedFrom ?? null,
    error: task.error === undefined ? null : { ...task.error },
  };
}

/** The body of a service of format A as its client sees it: other ids and links and one set of words, nothing else. */
export function relayVideoTaskA(body: Fields, task: VideoTask, view: VideoView): Record<string, unknown> {
  const { video_url: _link, url: _url, ...rest } = body;
  const metadata = isObject(body.metadata) && 'url' in body.metadata ? { ...body.metadata, url: view.url } : undefined;
  return {
    ...rest,
    id: view.id,
    object: 'video',
    status: wordOfA(task.status, view.running),
    progress: progressOf(task),
    ...(task.seconds !== undefined && { seconds: task.seconds }),
    ...(body.remixed_from_video_id !== undefined && { remixed_from_video_id: view.remixedFrom ?? null }),
    ...(metadata !== undefined && { metadata }),
    ...(task.error !== undefined && { error: { ...(isObject(body.error) && body.error), ...task.error } }),
    ...(task.status === 'completed' && { url: view.url }),
  };
}

/** What a task that says nothing of it has behind it; between beginning and end a half (media.md 4.3). */
function progressOf({ status, progress }: VideoTask): number {
  if (status === 'completed') return 100;
  return progress ?? (status === 'running' ? 50 : 0);
}
