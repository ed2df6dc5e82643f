import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { ConfigInput } from '../../src/config.js';
import { createGateway, type OffloadOptions } from '../../src/index.js';
import type { DialectId } from '../../translators/index.js';
import { listen, shut } from '../support/simulator-server.js';

export const DIALECTS = ['messages', 'responses', 'generateContent'] as const satisfies readonly DialectId[];

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
}

/** Parsed JSON, for looking into. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and a wrong guess fails the test
export type Tree = any;

export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
}

/** One request over a socket of its own. Bodies that are no text and no bytes are sent as JSON. */
export function send(url: string, path: string, { method, headers = {}, body }: Sending = {}): Promise<Answer> {
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
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) }),
        reject,
      );
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

/** A plain conversation request of each dialect, and where it goes. */
export const ASK = {
  messages: (model: string, more: object = {}) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }], ...more },
  }),
  responses: (model: string, more: object = {}) => ({
    path: '/v1/responses',
    body: { model, input: 'Hello', ...more },
  }),
  generateContent: (model: string, more: object = {}) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...more },
  }),
} satisfies Record<DialectId, (model: string, more?: object) => { path: string; body: object }>;

/** The same, streamed. */
export const STREAM = {
  messages: (model: string) => ASK.messages(model, { stream: true }),
  responses: (model: string) => ASK.responses(model, { stream: true }),
  generateContent: (model: string) => ({
    ...ASK.generateContent(model),
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  }),
} satisfies Record<DialectId, (model: string) => { path: string; body: object }>;

/** A whole answer of each dialect that says `text`. */
export const WHOLE = {
  messages: (text: string) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm-real',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  }),
  responses: (text: string) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    model: 'r-real',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ],
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 5,
    },
  }),
  generateContent: (text: string) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'g-real',
    responseId: 'g1',
  }),
} satisfies Record<DialectId, (text: string) => object>;

/** The events of a stream of each dialect that says `text` in two deltas; the last one is the last word. */
export const FRAMES = {
  messages: (text: string) =>
    [
      ['message_start', { message: { ...WHOLE.messages(''), content: [], stop_reason: null } }],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: text.slice(0, 3) } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: text.slice(3) } }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } }],
      ['message_stop', {}],
    ].map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...(data as object) })}\n\n`),
  responses: (text: string) => {
    const whole = WHOLE.responses(text);
    const [item] = whole.output;
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const open = { ...whole, status: 'in_progress', output: [], usage: null };
    return [
      ['response.created', { response: open }],
      ['response.in_progress', { response: open }],
      ['response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }],
      [
        'response.content_part.added',
        { ...at, part: { type: 'output_text', text: '', annotations: [], logprobs: [] } },
      ],
      ['response.output_text.delta', { ...at, delta: text.slice(0, 3), logprobs: [] }],
      ['response.output_text.delta', { ...at, delta: text.slice(3), logprobs: [] }],
      ['response.output_text.done', { ...at, text, logprobs: [] }],
      ['response.content_part.done', { ...at, part: { type: 'output_text', text, annotations: [], logprobs: [] } }],
      ['response.output_item.done', { output_index: 0, item }],
      ['response.completed', { response: whole }],
    ].map(
      ([type, data], sequence_number) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...(data as object) })}\n\n`,
    );
  },
  generateContent: (text: string) => {
    const chunk = (part: string, finish: object) => ({
      ...WHOLE.generateContent(''),
      candidates: [{ content: { role: 'model', parts: [{ text: part }] }, index: 0, ...finish }],
    });
    return [chunk(text.slice(0, 3), {}), chunk(text.slice(3), { finishReason: 'STOP' })].map(
      (data) => `data: ${JSON.stringify(data)}\r\n\r\n`,
    );
  },
} satisfies Record<DialectId, (text: string) => string[]>;

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };

/** Checks that a body is a whole error of a dialect, and gives its message. */
export function messageOf(dialect: DialectId, body: Tree): string {
  const message = ERROR[dialect](body);
  if (typeof message !== 'string' || message === '') throw new Error(`no ${dialect} error: ${JSON.stringify(body)}`);
  return message;
}

const ERROR = {
  messages: (body: Tree) =>
    body?.type === 'error' && typeof body.error?.type === 'string' && 'request_id' in body && body.error.message,
  responses: (body: Tree) =>
    ['message', 'type', 'param', 'code'].every((key) => key in (body?.error ?? {})) && body.error.message,
  generateContent: (body: Tree) =>
    typeof body?.error?.code === 'number' && typeof body.error.status === 'string' && body.error.message,
} satisfies Record<DialectId, (body: Tree) => unknown>;
