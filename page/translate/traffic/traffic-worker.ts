import type { Asked, Told } from './messages.js';
import { createReports } from './reports.js';

/** Reads a file of traffic beside the page. One worker reads one file. */
const stopped = new AbortController();

const tell = (told: Told): void => postMessage(told);

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  if (data.type === 'stop') stopped.abort();
  else
    createReports(data.file, data.targets, stopped.signal, tell).catch((error: unknown) =>
      tell({ type: 'failed', reason: error instanceof Error ? error.message : 'It cannot be read.' }),
    );
});
