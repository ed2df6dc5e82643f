import { type Agent, get, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** What came back, whatever it is. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The HTTP message was whole. */
  readonly complete: boolean;
  readonly ms: number;
}

/** Sends one body and reads the answer to its end; rejects when none came within `patienceMs`. */
export function sendBody(
  url: string,
  agent: Agent,
  sent: { readonly path: string; readonly type: string; readonly body: string | Uint8Array },
  patienceMs: number,
): Promise<Answered> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      path: sent.path,
      method: 'POST',
      agent,
      headers: { 'content-type': sent.type, 'content-length': Buffer.byteLength(sent.body) },
    });
    const patience = setTimeout(() => outgoing.destroy(new Error(`${sent.path} hangs`)), patienceMs);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(patience);
      // The server closed a connection that was idle at the moment in which it was used again.
      const crossed = outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (crossed) resolve(sendBody(url, agent, sent, patienceMs));
      else reject(error);
    });
    outgoing.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', () => {});
      response.on('close', () => {
        clearTimeout(patience);
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(pieces).toString(),
          complete: response.complete,
          ms: performance.now() - started,
        });
      });
    });
    outgoing.end(sent.body);
  });
}

/** One look over a connection of its own; status 0 when none was made or it broke. */
export function lookAt(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const nothing = { status: 0, text: '' };
  return new Promise((resolve) => {
    const outgoing = get(url, { agent: false }, (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        () => resolve(nothing),
      );
    });
    outgoing.on('error', () => resolve(nothing));
  });
}
