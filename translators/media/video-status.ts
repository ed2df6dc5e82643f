import type { VideoStatus } from './video.js';

/** Every word that services are known to say (media.md 4.1). */
const WORDS: Readonly<Record<VideoStatus, readonly string[]>> = {
  queued: ['queued', 'pending', 'submitted', 'not_start', 'preparing', 'created'],
  running: ['processing', 'in_progress', 'running', 'generating', 'starting', 'unknown'],
  completed: ['completed', 'succeeded', 'success', 'finished', 'ready', 'complete'],
  failed: [
    ...['failed', 'failure', 'error', 'cancelled', 'canceled', 'expired'],
    ...['request moderated', 'content moderated'],
  ],
};

const STATUSES = new Map(
  (Object.keys(WORDS) as VideoStatus[]).flatMap((status) => WORDS[status].map((word) => [word, status] as const)),
);

/** What a service's word for the state of a task means. A word that nobody knows is never a final state. */
export function readVideoStatus(word: string): VideoStatus {
  return STATUSES.get(word.trim().toLowerCase()) ?? 'running';
}

/** Words for a running task that format A may be told in. */
export type RunningWord = 'processing' | 'in_progress';

/** The word of format A. */
export function wordOfA(status: VideoStatus, running: RunningWord): string {
  return status === 'running' ? running : status;
}

/** The word of format B, which has none for a task that waits. */
export function wordOfB(status: VideoStatus): string {
  if (status === 'completed') return 'succeeded';
  return status === 'failed' ? 'failed' : 'processing';
}
