import { request } from 'node:http';
import type { DialectId } from '../../../translators/index.js';
import { ASK, STREAM } from '../../support/gateway/harness.js';

export type Mode = 'plain' | 'stream' | 'array';

/** What a client got, down to the bytes. */
export interface Outcome {
  readonly status: number;
  /** Status text, headers and trailers. */
  readonly head: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The HTTP message was whole. */
  readonly complete: boolean;
  readonly ms: number;
}

/** The request of a client of a dialect. */
export function asking(
  client: DialectId,
  mode: Mode,
  model: string,
  more: object = {},
): { readonly path: string; readonly body: object } {
  const { path, body } = (mode === 'plain' ? ASK : STREAM)[client](model);
  return { path: mode === 'array' ? path.replace('?alt=sse', '') : path, body: { ...body, ...more } };
}

/** How long a client waits before it calls an exchange hung, in ms. */
const PATIENCE = 60_000;

/** Sends one request over a socket of its own. A message that breaks off is an outcome; one that never comes is not. */
export function exchange(url: string, path: string, body: unknown): Promise<Outcome> {
  const payload = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
      agent: false,
    });
    const patience = setTimeout(() => outgoing.destroy(new Error(`${path} hangs`)), PATIENCE);
    outgoing.on('error', (error) => {
      clearTimeout(patience);
      reject(error);
    });
    outgoing.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('error', () => {});
      response.on('close', () => {
        clearTimeout(patience);
        const { statusCode = 0, statusMessage = '', headers, rawHeaders, rawTrailers } = response;
        resolve({
          status: statusCode,
          head: [statusMessage, ...rawHeaders, ...rawTrailers].join('\n'),
          headers,
          text: Buffer.concat(pieces).toString(),
          complete: response.complete,
          ms: performance.now() - started,
        });
      });
    });
    outgoing.end(payload);
  });
}

/** Runs tasks, so many at a time. */
export async function inParallel<T>(tasks: readonly (() => Promise<T>)[], width: number): Promise<void> {
  const queue = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of queue) await task();
  };
  await Promise.all(Array.from({ length: width }, work));
}
