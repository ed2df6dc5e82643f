import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { ConfigInput } from '../../../src/config/schema.js';
import { gatewayDialect } from '../../../src/dialects/index.js';
import { createGateway, type OffloadOptions } from '../../../src/index.js';
import { type DialectId, dialectIds } from '../../../translators/index.js';
import { tableOf } from '../dialects/index.js';
import { listen, shut } from '../sockets.js';

export const DIALECTS = dialectIds;

/** A gateway on a free port, without logs. */
export interface TestGateway {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export async function startGateway(config: ConfigInput, options?: OffloadOptions): Promise<TestGateway> {
  const gateway = createGateway({ log: { level: 'silent' }, ...config }, options);
  const { url, port } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  return { url, port, close: () => gateway.close() };
}

/** What a recorder saw of one request. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A server that stores what it gets and answers what it is told. */
export interface Recorder {
  readonly url: string;
  readonly seen: Seen[];
  /** Requests whose client went away before the answer was complete. */
  aborted: number;
  reply: (response: ServerResponse, seen: Seen) => void;
  close(): Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const server = createServer(async (incoming: IncomingMessage, response) => {
    response.on('close', () => {
      if (!response.writableFinished) recorder.aborted += 1;
    });
    response.on('error', () => {});
    const body = await readText(incoming).catch(() => undefined);
    if (body === undefined) return;
    const { method = '', url: path = '', headers, rawHeaders } = incoming;
    const seen = { method, path, headers, rawHeaders, body };
    recorder.seen.push(seen);
    recorder.reply(response, seen);
  });
  const recorder: Recorder = {
    url: await listen(server),
    seen: [],
    aborted: 0,
    reply: (response) => json(response, 200, {}),
    close: () => shut(server),
  };
  return recorder;
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  readonly body: Tree;
  /** The body came to its end. */
  readonly complete: boolean;
}

/** Parsed JSON, for looking into. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and a wrong guess fails the test
export type Tree = any;

export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
  /** The answer may break off: what came of it is given then. */
  readonly mayBreak?: boolean;
  /** The client closes its connection when it has read this, as SDKs do with an error. Goes with `mayBreak`. */
  readonly closesAt?: RegExp;
}

/** A client that leaves when it has read an error in a stream, as SDKs do; others wait a second for the connection to break. */
export const AS_SDKS = { mayBreak: true, closesAt: /(?:event: error|data: \{"error")[\s\S]*?\n\r?\n/ } as const;

/** One request over a socket of its own. Bodies that are no text and no bytes are sent as JSON. */
export function send(
  url: string,
  path: string,
  { method, headers = {}, body, mayBreak, closesAt }: Sending = {},
): Promise<Answer> {
  const payload =
    typeof body === 'string' || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      path,
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: {
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      const pieces: Buffer[] = [];
      response.on('data', (piece) => {
        pieces.push(piece);
        if (closesAt?.test(Buffer.concat(pieces).toString())) outgoing.destroy();
      });
      response.on('error', (error) => mayBreak || reject(error));
      response.on('close', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status, headers, text, body: parse(text), complete: response.complete });
      });
    });
    outgoing.end(payload);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes exact bytes to a port and gives everything that comes back until the connection closes. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

/** What makes a backend one like the service of the dialect's vendor: answers that it keeps are its own to look after. */
export function likeVendor(dialect: DialectId) {
  return { dialect, ...(gatewayDialect(dialect).keepsAnswers && { state: 'own' as const }) };
}

/**
 * A backend for each dialect, all at one address. Each is named after its dialect, and so is its model; of names in the form
 * `messages/NAME` it gets the part after the slash.
 */
export function vendorsAt(baseUrl: string): Required<Pick<ConfigInput, 'backends' | 'models'>> {
  return {
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl }])),
    models: Object.fromEntries(
      DIALECTS.flatMap((dialect) => [
        [dialect, { backend: dialect }],
        [`${dialect}/*`, { backend: dialect, model: '*' }],
      ]),
    ),
  };
}

export { FRAMES, WHOLE } from '../answers.js';
export { ASK, STREAM } from '../requests.js';

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };

/** Checks that a body is a whole error of a dialect, and gives its message. */
export function messageOf(dialect: DialectId, body: Tree): string {
  const message = ERROR[dialect](body);
  if (typeof message !== 'string' || message === '') throw new Error(`no ${dialect} error: ${JSON.stringify(body)}`);
  return message;
}

const ERROR = tableOf('errorMessage');
