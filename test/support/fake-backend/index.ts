import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver } from '../services/stream.js';
import { headersOf, listen, shut } from '../sockets.js';
import { createChatCompletionsFake } from './chat-completions/index.js';
import type { Conversation, FakeBackendOptions, FakeDialect, PlainAnswer, RecordedRequest } from './dialect.js';
import { createGenerateContentFake } from './generate-content/index.js';
import { createMessagesFake } from './messages/index.js';
import type { PromptCache } from './prompt-cache/index.js';
import { type Answer, DEFAULT_REPLY, planOf, type RawReply, type Reply, usageOf } from './reply.js';
import { createResponsesFake } from './responses/index.js';

export type { FakeBackendOptions, RecordedRequest } from './dialect.js';
export type { RawReply, Reply, ReplyCall } from './reply.js';

/** Replies to come: one for every request, a list to be used up in order, or a function of the request. */
export type Script = Reply | readonly Reply[] | ((request: RecordedRequest) => Reply);

/** A listening server that refuses what the real service refuses and answers with scripted replies. */
export interface FakeBackend {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  readonly url: string;
  /** Every request that came, refused ones too, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Requests whose client went away before the answer was complete. */
  readonly aborted: number;
  /** Sets the answers from now on; conversations only, not counts and lists. After a list comes a plain text. */
  script(next: Script): void;
  /** Forgets the recorded requests and the script; issued state stays valid. */
  reset(): void;
  openSockets(): number;
  close(): Promise<void>;
}

const FAKES = {
  messages: createMessagesFake,
  responses: createResponsesFake,
  generateContent: createGenerateContentFake,
  chatCompletions: createChatCompletionsFake,
} satisfies Record<string, (options: FakeBackendOptions) => FakeDialect>;

/** Which wire format a fake backend speaks. */
export type FakeDialectName = keyof typeof FAKES;

/** The dialects that have a fake. */
export const FAKE_DIALECTS = Object.keys(FAKES) as readonly FakeDialectName[];

/** Starts a fake backend on a free loopback port. */
export async function startFakeBackend(name: FakeDialectName, options: FakeBackendOptions = {}): Promise<FakeBackend> {
  const dialect = FAKES[name](options);
  const requests: RecordedRequest[] = [];
  let aborted = 0;
  let next: (request: RecordedRequest) => Reply = () => DEFAULT_REPLY;
  const server = createServer(async (incoming, response) => {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished && !gone.signal.aborted) aborted += 1;
      gone.abort();
    });
    const { promptCache } = options;
    const stop = () => breakOff(gone, response);
    const exchange: Exchange = { dialect, response, gone: gone.signal, breakOff: stop, promptCache };
    try {
      const request = await record(incoming);
      requests.push(request);
      const received = dialect.receive(request);
      if (received.kind === 'plain') writePlain(response, received);
      else await answer(exchange, request, received, next(request));
    } catch (error) {
      if (!response.destroyed) response.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const url = await listen(server);
  let sockets = 0;
  server.on('connection', (socket) => {
    sockets += 1;
    socket.once('close', () => {
      sockets -= 1;
    });
  });
  return {
    url,
    requests,
    get aborted() {
      return aborted;
    },
    script(script) {
      next = toFunction(script);
    },
    reset() {
      requests.length = 0;
      aborted = 0;
      next = () => DEFAULT_REPLY;
    },
    openSockets: () => sockets,
    close: () => shut(server),
  };
}

interface Exchange {
  readonly dialect: FakeDialect;
  readonly response: ServerResponse;
  /** Given when the connection is closed. */
  readonly gone: AbortSignal;
  /** Destroys the connection from this side; it then does not count as aborted. */
  readonly breakOff: () => void;
  readonly promptCache: PromptCache | undefined;
}

function breakOff(gone: AbortController, response: ServerResponse): void {
  gone.abort();
  response.destroy();
}

function toFunction(script: Script): (request: RecordedRequest) => Reply {
  if (typeof script === 'function') return script;
  if (!('kind' in script)) {
    const queue = [...script];
    return () => queue.shift() ?? DEFAULT_REPLY;
  }
  return () => script;
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const raw = await readText(incoming);
  const { method = 'GET', url: path = '/' } = incoming;
  return { method, path, headers: headersOf(incoming), raw, body: parse(raw) };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function writePlain(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  response.writeHead(status, headers);
  response.end(body);
}

async function answer(
  exchange: Exchange,
  request: RecordedRequest,
  conversation: Conversation,
  reply: Reply,
): Promise<void> {
  const { dialect, response, gone, promptCache } = exchange;
  if (reply.delayMs) await sleep(reply.delayMs, undefined, { signal: gone });
  if ('held' in reply) await reply.held;
  if (reply.kind === 'raw') return writeRaw(exchange, reply);
  if (reply.kind === 'error') return writePlain(response, dialect.refuse(request, reply));
  const plan = planOf(reply);
  const usage = { ...usageOf(reply, plan, request.raw), ...promptCache?.bill(request) };
  if (conversation.streaming) {
    response.writeHead(200, { ...conversation.streamHeaders, ...reply.headers });
    response.flushHeaders();
    return writeStream(exchange, conversation.stream(plan, usage, reply), reply);
  }
  if (reply.kind === 'midstreamError') {
    const { status = dialect.overloaded.status, message = dialect.overloaded.message } = reply;
    return writePlain(response, dialect.refuse(request, { status, message }));
  }
  const body = JSON.stringify(conversation.print(plan, usage, reply));
  response.writeHead(200, {
    ...conversation.headers,
    ...reply.headers,
    'content-length': String(Buffer.byteLength(body)),
  });
  if (reply.kind !== 'cut') {
    response.end(body);
    return;
  }
  response.write(body.slice(0, Math.floor(body.length / 2)), exchange.breakOff);
}

const BREAK_AFTER = 3;

async function writeStream(
  { response, gone, dialect, breakOff }: Exchange,
  stream: ReturnType<Conversation['stream']>,
  reply: Answer,
): Promise<void> {
  const broken = reply.kind === 'cut' || reply.kind === 'midstreamError';
  const failure = reply.kind === 'midstreamError' ? { ...dialect.overloaded, ...pickFailure(reply) } : undefined;
  const pieces = deliver(stream, {
    ...(broken ? { breakAfter: reply.after ?? BREAK_AFTER } : {}),
    ...(failure ? { failure } : {}),
    ...(reply.paceMs ? { paceMs: reply.paceMs } : {}),
    signal: gone,
  });
  for await (const piece of pieces) await write(response, piece, gone);
  if (reply.kind === 'cut' && reply.reset) breakOff();
  else response.end();
}

function pickFailure({ status, message }: { readonly status?: number; readonly message?: string }) {
  return { ...(status === undefined ? {} : { status }), ...(message === undefined ? {} : { message }) };
}

/** One write to the socket; waits when the client reads slowly, and gives up when it is gone. */
async function write(response: ServerResponse, piece: string | Uint8Array, gone: AbortSignal): Promise<void> {
  if (gone.aborted || response.write(piece)) return;
  await new Promise<void>((resolve) => {
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function writeRaw({ response, gone, breakOff }: Exchange, reply: RawReply): Promise<void> {
  response.writeHead(reply.status ?? 200, { ...reply.headers });
  response.flushHeaders();
  for (const chunk of reply.chunks) {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) await write(response, chunk, gone);
    else if ('pauseMs' in chunk) await sleep(chunk.pauseMs, undefined, { signal: gone });
    else {
      // What was written before must reach the client first.
      await sleep(20);
      return breakOff();
    }
  }
  response.end();
}
