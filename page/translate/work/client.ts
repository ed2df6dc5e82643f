import type { Answered, Follow, Job, Select } from './messages.js';
import { startWorker } from './start-worker.js';

/** A message without its number. */
type Unnumbered<Message> = Omit<Message, 'id' | 'type'>;

/** The worker as the page asks it. */
export interface WorkClient {
  judge(job: Unnumbered<Job>): void;
  /** Shows another target of the last job. */
  select(selected: number): void;
  follow(question: Unnumbered<Follow>): void;
}

/** A worker that is silent for longer than this, in ms, while another job comes, is replaced. */
const PATIENCE_MS = 1500;

/** Asks a worker, and hears its answers to what was asked last. `failed` hears what it did not catch, undefined = it cannot be loaded. */
export function createWorkClient(
  hear: (answer: Answered) => void,
  failed: (words: string | undefined) => void,
): WorkClient {
  let jobs = 0;
  let follows = 0;
  /** The job that is not done. */
  let open: Job | undefined;
  /** When the worker was last heard, or asked while it had nothing to do. */
  let heard = 0;
  let worker = begin();

  function begin(): Worker {
    const begun = startWorker('worker', (words) => {
      if (begun !== worker) return;
      open = undefined;
      failed(words);
    });
    begun.onmessage = ({ data }: MessageEvent<Answered>) => {
      if (begun !== worker) return;
      heard = performance.now();
      const isAsked = data.type === 'facts' || data.id === (data.type === 'followed' ? follows : jobs);
      // Of what is no longer asked nothing is shown.
      if (!isAsked) return;
      if (data.type === 'done') open = undefined;
      hear(data);
    };
    begun.postMessage({ type: 'facts' });
    return begun;
  }

  const judge = (job: Unnumbered<Job>): void => {
    const now = performance.now();
    if (open === undefined) heard = now;
    else if (now - heard > PATIENCE_MS) {
      worker.terminate();
      worker = begin();
      heard = now;
    }
    jobs += 1;
    open = { ...job, type: 'judge', id: jobs };
    worker.postMessage(open);
  };

  return {
    judge,
    select(selected) {
      // A job that is under way is begun anew with what is seen now.
      if (open !== undefined) judge({ ...open, selected });
      else worker.postMessage({ type: 'select', id: jobs, selected } satisfies Select);
    },
    follow(question) {
      follows += 1;
      worker.postMessage({ ...question, type: 'follow', id: follows } satisfies Follow);
    },
  };
}
