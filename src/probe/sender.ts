import {
  type BackendAnswer,
  type BackendCall,
  callBackend,
  createHttpTransport,
  createRequests,
  type Transport,
} from '../backend/index.js';
import type { BackendConfig } from '../config/index.js';
import { createRedactor, credentialsOf, errorMessage } from '../ground/index.js';
import { jsonOf } from './parsed.js';
import { plain } from './plain.js';

/** How an answer ended: by itself, cut because enough was read, without a word for too long, or broken off. */
export type Ending = 'end' | 'cut' | 'late' | 'broken';

/** What came back. */
export interface Reply {
  /** 0 = there was no answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The text as JSON; undefined for what is none, or nests too deeply. */
  readonly json: unknown;
  readonly ending: Ending;
  /** What went wrong with the connection. */
  readonly failure?: string;
  readonly ms: number;
}

/** What is sent: below the root of an endpoint, or at the origin, where no credential goes along. */
export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Ends the call as soon as the text shows enough. */
  readonly until?: (text: string) => boolean;
  /** Most bytes that are read. */
  readonly bytes?: number;
}

/** The bounds of a probing. */
export interface Bounds {
  readonly calls: number;
  /** For all calls together. */
  readonly seconds: number;
  /** For one answer. */
  readonly callSeconds: number;
}

/** The calls, or the time, are spent. */
export class Spent extends Error {}

/** Sends calls to one server, each bounded in time and bytes, all of them in number and time. */
export interface Sender {
  /** Throws {@link Spent}. */
  send(host: BackendConfig, sent: Sent): Promise<Reply>;
  /** The same at the origin of the endpoint and without its credentials. */
  look(host: BackendConfig, path: string): Promise<Reply>;
  readonly calls: number;
  /** The server's words, without credentials and as they may be printed. */
  say(text: string, most?: number): string;
  close(): Promise<void>;
}

const BYTES = 256 * 1024;

/** Creates a sender for the endpoints of a server. Credentials go to the origin of their endpoint alone: no redirect is followed. */
export function createSender(hosts: readonly BackendConfig[], bounds: Bounds): Sender {
  const redact = createRedactor({ backends: Object.fromEntries(hosts.map((host) => [host.name, host])) }).keys;
  const transports = new Map<string, Transport>();
  const requests = new Map(hosts.map((host) => [host, createRequests(host)]));
  const begun = performance.now();
  let calls = 0;

  const transportOf = (origin: string): Transport => {
    const transport = transports.get(origin) ?? createHttpTransport(origin, bounds.callSeconds);
    transports.set(origin, transport);
    return transport;
  };

  const run = async (
    host: BackendConfig,
    request: Parameters<typeof callBackend>[1],
    sent: Pick<Sent, 'until' | 'bytes'>,
  ): Promise<Reply> => {
    const left = bounds.seconds - (performance.now() - begun) / 1000;
    if (calls >= bounds.calls) throw new Spent('the calls are spent');
    if (left <= 0) throw new Spent('the time is spent');
    calls += 1;
    const seconds = Math.min(bounds.callSeconds, left);
    const started = performance.now();
    const timeouts = { connect: seconds, firstByte: seconds, idle: seconds, total: seconds };
    const call = callBackend(transportOf(new URL(host.baseUrl ?? '').origin), request, timeouts);
    const ms = (): number => performance.now() - started;
    try {
      const answer = await call.answer;
      const body = await gather(answer, call, sent);
      return { status: answer.status, headers: answer.headers, ...body, json: jsonOf(body.text), ms: ms() };
    } catch (error) {
      const ending = ms() >= seconds * 1000 ? 'late' : 'broken';
      const failure = plain(redact(errorMessage(error)));
      return { status: 0, headers: {}, text: '', json: undefined, ending, failure, ms: ms() };
    }
  };

  return {
    send(host, { method, path, body, ...rest }) {
      const make = requests.get(host) ?? createRequests(host);
      const text = body === undefined ? undefined : JSON.stringify(body);
      const ask = { method, path, ...(text !== undefined && { body: text }) };
      const request = make(ask, credentialsOf(host));
      const headers = { ...request.headers };
      if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text));
      return run(host, { ...request, headers }, rest);
    },
    look: (host, path) => run(host, { method: 'GET', path, headers: { 'accept-encoding': 'identity' } }, {}),
    get calls() {
      return calls;
    },
    say: (text, most) => plain(redact(text.slice(0, BYTES)), most),
    close: async () => {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
}

/** Reads a body until it ends, shows enough, or is larger than allowed. */
function gather(
  answer: BackendAnswer,
  call: BackendCall,
  { until, bytes = BYTES }: Pick<Sent, 'until' | 'bytes'>,
): Promise<Pick<Reply, 'text' | 'ending' | 'failure'>> {
  return new Promise((resolve) => {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    const finish = (ending: Ending, failure?: string): void => {
      resolve({ text, ending, ...(failure !== undefined && { failure: plain(failure) }) });
    };
    answer.pipe({
      data(chunk) {
        size += chunk.byteLength;
        text += decoder.decode(chunk, { stream: true });
        if (size <= bytes && until?.(text) !== true) return;
        finish('cut');
        call.abort();
      },
      end: () => finish('end'),
      fail: (failure) => finish(failure.error.kind === 'timeout' ? 'late' : 'broken', failure.message),
    });
  });
}
