import {
  encodeVideoTaskA,
  encodeVideoTaskB,
  type RunningWord,
  relayVideoTaskA,
  relayVideoTaskB,
  type VideoFormat,
  type VideoTask,
} from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import type { ClientCall } from '../http/index.js';
import { unixNow } from './image-calls.js';
import type { MediaServices } from './services.js';
import type { VideoRef } from './video-id.js';

/** A task as its backend reports it. */
export interface ReportedTask {
  readonly ref: VideoRef;
  readonly task: VideoTask;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Which format a route of the videos speaks. */
export function formatOf({ surface }: ClientCall): VideoFormat {
  return surface === 'videoB' ? 'b' : 'a';
}

/** A task as the client gets it: in the format of the route, under the one id that it has. */
export async function showTask(
  gateway: MediaServices,
  call: ClientCall,
  tenant: string,
  backend: BackendConfig,
  { ref, task: reported, body: said }: ReportedTask,
): Promise<object> {
  const { ids } = gateway.media.videos;
  const { url, ...words } = reported;
  const task = withKept({ ...cleaned(gateway, words), url }, ref);
  const id = await ids.seal(tenant, ref);
  const { remixedFrom } = task;
  const view = {
    id,
    // The file of an operation needs the backend's key (hard case VID-02).
    url: linkOf(gateway, call, backend.videos === 'operations' ? undefined : task.url, id),
    running: runningWord(gateway, call),
    ...(remixedFrom !== undefined && {
      remixedFrom: await ids.seal(tenant, { backend: ref.backend, id: remixedFrom }),
    }),
  };
  if (formatOf(call) === 'a') {
    return backend.videos === 'a'
      ? relayVideoTaskA(cleaned(gateway, said), task, view)
      : encodeVideoTaskA(task, view, unixNow());
  }
  return backend.videos === 'b' ? relayVideoTaskB(cleaned(gateway, said), task, view) : encodeVideoTaskB(task, view);
}

/** The words of the client itself: of secrets they can hold whole ones only. */
const CLIENTS_OWN = new Set(['model', 'prompt']);

/** A backend's report without secrets, at every depth. Inline files are left as they are. */
function cleaned<T extends object>({ redact }: MediaServices, reported: T): T {
  return JSON.parse(JSON.stringify(reported), (name, value: unknown) => {
    if (typeof value !== 'string' || value.startsWith('data:')) return value;
    return CLIENTS_OWN.has(name) ? redact.keys(value) : redact(value);
  });
}

/** What the backend does not say of a task is known from the request. */
function withKept(task: VideoTask, { kept }: VideoRef): VideoTask {
  if (kept === undefined) return task;
  return {
    ...task,
    model: task.model ?? kept.model,
    createdAt: task.createdAt ?? kept.created,
    seconds: task.seconds ?? kept.seconds,
    size: task.size ?? kept.size,
  };
}

/**
 * The backend's own link where anybody may follow it. One that leads to the backend itself, or holds its key, is not
 * for clients (media.md 9.28): they come for the file to us.
 */
function linkOf({ redact }: MediaServices, { base }: ClientCall, url: string | undefined, id: string): string {
  const open = url !== undefined && /^https?:\/\//i.test(url) && redact(url) === url;
  return open ? url : `${base}/v1/videos/${id}/content`;
}

/** The official SDK knows one word, the base specification another (media.md 1.8). */
function runningWord({ config }: MediaServices, { request }: ClientCall): RunningWord {
  const { runningStatus } = config.media;
  if (runningStatus !== 'auto') return runningStatus;
  return request.headers['x-stainless-lang'] === undefined ? 'processing' : 'in_progress';
}
