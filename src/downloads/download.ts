import { type AnswerHeaders, type BackendCall, callBackend, type Transport } from '../backend/index.js';
import type { Timeouts } from '../config/index.js';
import { VERSION } from '../ground/index.js';
import type { Guard } from './guard.js';

/** Longest wait, in seconds, for the head of an answer: a file server has its files at hand. */
const HEAD_SECONDS = 60;

/**
 * Begins to fetch a file that a backend links to, as a stream, with no credentials. The URL must have passed
 * `guard.refuse`; redirects are not followed.
 */
export function beginDownload(guard: Guard, url: URL, headers: AnswerHeaders, timeouts: Timeouts): BackendCall {
  const sent: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': AGENT };
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) sent[name] = value;
  }
  return callBackend(
    guardedTransport(guard),
    { method: 'GET', path: url.href, headers: sent },
    { ...timeouts, firstByte: Math.min(timeouts.firstByte, HEAD_SECONDS) },
  );
}

const AGENT = `interlingua/${VERSION}`;

/** HTTP to wherever the guard allows; the path of a request is a whole URL. */
function guardedTransport(guard: Guard): Transport {
  return {
    send({ path, headers }, sink) {
      const controller = new AbortController();
      let body: NodeJS.ReadableStream | null = null;
      const run = async (): Promise<void> => {
        sink.connected();
        const { default: fetch } = await import('node-fetch');
        const response = await fetch(path, {
          agent: await guard.agents(),
          redirect: 'manual',
          compress: false,
          signal: controller.signal,
          headers,
        });
        body = response.body;
        sink.head(response.status, Object.fromEntries(response.headers));
        if (body === null) return sink.end();
        body.on('data', (chunk: Buffer) => sink.data(chunk));
        body.on('end', () => sink.end());
        body.on('error', fail);
      };
      const fail = (error: unknown): void => {
        if (!controller.signal.aborted) sink.error(error instanceof Error ? error : new Error('unknown'));
      };
      run().catch(fail);
      return {
        pause: () => body?.pause(),
        resume: () => body?.resume(),
        abort: () => controller.abort(),
      };
    },
    close: async () => {},
  };
}
