import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, shut } from '../../sockets.js';

/** What a fake saw of one request. */
export interface MediaSeen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

/** What a fake answers. */
export interface MediaAnswer {
  readonly status: number;
  /** JSON unless it is bytes or text. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the connection after the body, without the end of the answer. */
  readonly cut?: boolean;
  readonly delayMs?: number;
}

/** A strict service for media: its rules look at every request, then the script answers. */
export interface MediaFake {
  readonly url: string;
  readonly seen: MediaSeen[];
  /** Requests whose client went away before the answer was complete. */
  aborted: number;
  /** Most requests that were open at the same time. */
  readonly mostOpen: number;
  /** Answers in the place of the fake's own, request by request; undefined = the fake's own answer. */
  script: (seen: MediaSeen, index: number) => MediaAnswer | undefined;
  reset(): void;
  close(): Promise<void>;
}

/** Starts a fake on a free port. `serve` refuses what the real service refuses, and else answers. */
export async function startMediaFake(serve: (seen: MediaSeen) => MediaAnswer): Promise<MediaFake> {
  let open = 0;
  let mostOpen = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    const gone = new AbortController();
    response.on('close', () => {
      open -= 1;
      gone.abort();
      if (!response.writableFinished) fake.aborted += 1;
    });
    response.on('error', () => {});
    const raw = await buffer(request).catch(() => undefined);
    if (raw === undefined) return;
    const { method = '', url: path = '', headers } = request;
    const seen = { method, path, headers, raw };
    fake.seen.push(seen);
    // What breaks a rule is refused whatever the script says.
    const own = serve(seen);
    const told = own.status < 300 ? (fake.script(seen, fake.seen.length - 1) ?? own) : own;
    if (told.delayMs !== undefined) await delay(told.delayMs, undefined, { signal: gone.signal }).catch(() => {});
    send(response, told);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => send(response, refuse(500, `the fake failed: ${error}`, null, 'fake')));
  });
  const fake: MediaFake = {
    url: await listen(server),
    seen: [],
    aborted: 0,
    get mostOpen() {
      return mostOpen;
    },
    script: () => undefined,
    reset() {
      fake.seen.length = 0;
      fake.aborted = 0;
      fake.script = () => undefined;
      mostOpen = 0;
    },
    close: () => shut(server),
  };
  return fake;
}

function send(response: ServerResponse, { status, body, headers = {}, cut }: MediaAnswer): void {
  const plain = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, { 'content-type': plain ? 'text/plain' : 'application/json', ...headers });
  const text = plain ? body : JSON.stringify(body);
  if (cut === true) response.write(text, () => setTimeout(() => response.destroy(), 20));
  else response.end(text);
}

/** An error as the image routes' own service tells it. */
export function refuse(status: number, message: string, param: string | null, code: string | null): MediaAnswer {
  return { status, body: { error: { message, type: 'invalid_request_error', param, code } } };
}

/** The JSON object of a request; throws when it is none. */
export function jsonOf({ raw }: MediaSeen): Record<string, unknown> {
  const value: unknown = JSON.parse(raw.toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('the body is no object');
  return { ...value };
}

/** Keys of an object that are not in a list. */
export function strangers(object: object, known: readonly string[]): string[] {
  return Object.keys(object).filter((key) => !known.includes(key));
}
