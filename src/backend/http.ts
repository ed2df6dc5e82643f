import { createRequire } from 'node:module';
import { type Duplex, Readable } from 'node:stream';
import { isUint8Array } from 'node:util/types';
import type { buildConnector, Dispatcher } from 'undici';
import { proxiesOf } from '../ground/index.js';
import type { AnswerHeaders, Transport } from './transport.js';

/** What the connector of the pool may take longer than our own limit: ours is the one that is reported. */
const CONNECT_SLACK_MS = 1000;

/** Time limits of the client itself are off: answers of thinking models take long, and who calls counts the time (hard case GW-10). */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 };

/** Gives a connection to an origin that is no socket of the system: the other end is in this process. */
export type Connector = (origin: string) => Duplex;

/**
 * HTTP over a pool of kept-alive connections to one origin, through the proxy that the environment names for it, or over those that
 * a connector gives. Redirects are not followed. Throws an error that says what is wrong with the proxy's address.
 */
export function createHttpTransport(origin: string, connectSeconds: number, connector?: Connector): Transport {
  const make =
    connector === undefined
      ? poolOf(origin, { timeout: connectSeconds * 1000 + CONNECT_SLACK_MS })
      : () => poolWithin(origin, connector);
  let pool: Dispatcher | undefined;
  return {
    send({ method, path, headers, body }, sink) {
      let controller: Dispatcher.DispatchController | undefined;
      let over = false;
      pool ??= make();
      pool.dispatch(
        {
          origin,
          method,
          path,
          headers,
          body: typeof body === 'string' || isUint8Array(body) ? body : inPieces(body),
        },
        {
          onRequestStart(started) {
            controller = started;
            if (over) started.abort(new Error('aborted'));
            else sink.connected();
          },
          onResponseStart(answering, status, received) {
            // They are views of the whole chunk that they came in, which would live as long as the call.
            answering.rawHeaders = null;
            if (!over && status >= 200) sink.head(status, flatten(received));
          },
          onResponseData(_controller, chunk) {
            if (!over) sink.data(chunk);
          },
          onResponseEnd() {
            if (over) return;
            over = true;
            sink.end();
          },
          onResponseError(_controller, error) {
            if (over) return;
            over = true;
            sink.error(error);
          },
        },
      );
      return {
        pause: () => controller?.pause(),
        resume: () => controller?.resume(),
        abort() {
          if (over) return;
          over = true;
          controller?.abort(new Error('aborted'));
        },
      };
    },
    close: async () => pool?.destroy(),
  };
}

/**
 * Without a proxy the one pool that all calls share. `NO_PROXY` is looked at for each call. Plain HTTP goes through a proxy
 * as requests that name their host, as proxies expect it that tunnel to port 443 alone.
 */
function poolOf(origin: string, connect: { readonly timeout: number }): () => Dispatcher {
  const { http, https } = proxiesOf();
  if (http === '' && https === '') {
    return () => new (undici().Pool)(origin, { ...NO_LIMITS, connect, allowH2: false });
  }
  // Made at once, so that a start says what is wrong with the address of a proxy.
  const agent = new (undici().EnvHttpProxyAgent)({
    ...NO_LIMITS,
    connect,
    proxyTls: connect,
    requestTls: connect,
    allowH2: false,
    httpProxy: http,
    httpsProxy: https,
    proxyTunnel: false,
  });
  return () => agent;
}

function poolWithin(origin: string, connector: Connector): Dispatcher {
  const connect: buildConnector.connector = (_options, callback) => {
    // The pool counts with an answer that comes later.
    process.nextTick(callback, null, connector(origin));
  };
  return new (undici().Pool)(origin, { ...NO_LIMITS, connect, allowH2: false });
}

/** Loaded with the first call: it takes a quarter of the time in which a server is ready. */
function undici(): typeof import('undici') {
  return createRequire(import.meta.url)('undici');
}

/** The client takes any iterable of bytes, which its types say of asynchronous ones only. */
function inPieces(pieces: readonly Uint8Array[] | Readable | undefined): Readable | undefined {
  if (pieces instanceof Readable) return pieces;
  return pieces === undefined ? undefined : Readable.from(pieces, { objectMode: false });
}

/** Fields that came several times are one. */
function flatten(headers: Received): AnswerHeaders {
  if (isFlat(headers)) return headers;
  const flat: Record<string, string | undefined> = Object.create(null);
  for (const name in headers) {
    const value = headers[name];
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

type Received = Readonly<Record<string, string | string[] | undefined>>;

function isFlat(headers: Received): headers is AnswerHeaders {
  for (const name in headers) if (Array.isArray(headers[name])) return false;
  return true;
}
