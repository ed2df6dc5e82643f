import type { AnswerHeaders } from '../backend/index.js';
import {
  type AnsweredCall,
  type Attempt,
  containsSecretOf,
  createClientStream,
  exchangeHeaders,
  leakGuardFor,
} from '../exchange/index.js';
import { Failure, showsSecret } from '../ground/index.js';
import { LEAKED, QUERY_CREDENTIALS } from '../protocol/index.js';

/** Headers that belong to the body of an answer, and to the steps of an upload. */
const KEPT = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'x-goog-upload-status',
  'x-goog-upload-chunk-granularity',
  'x-goog-upload-size-received',
];

/** Where the next step of an upload goes. */
const UPLOAD_URLS = ['x-goog-upload-url', 'x-goog-upload-control-url'];

/** Passes an answer on as it comes, no faster than the client reads it. One that tells a secret breaks off there. */
export function relayBytes(attempt: Attempt, { answer, running }: AnsweredCall): Promise<void> {
  const { gateway, call, target } = attempt;
  const { status } = answer;
  const clientStream = createClientStream(
    call,
    () => headersOf(attempt, answer.headers),
    gateway.config.limits.writeIdleSeconds,
    status,
  );
  clientStream.source = answer;
  const guard = leakGuardFor(target.backend);
  return new Promise((resolve, reject) => {
    const breakOff = (failure: Failure): void => {
      if (clientStream.begun) {
        call.record.error = failure.error.kind;
        clientStream.breakOff();
        resolve();
      } else reject(failure);
    };
    const write = (piece: Uint8Array | undefined): void => {
      if (piece !== undefined) clientStream.write(piece);
    };
    answer.pipe({
      data(chunk) {
        write(guard.pass(chunk));
        if (!guard.leaked) return;
        gateway.logger.error(
          { id: call.id, backend: target.backend.name },
          'the answer of the backend contains a secret of the gateway',
        );
        running.abort();
        breakOff(new Failure(LEAKED));
      },
      end() {
        write(guard.rest());
        clientStream.open();
        clientStream.end();
        resolve();
      },
      fail: breakOff,
    });
  });
}

function headersOf({ call, target }: Attempt, received: AnswerHeaders): Record<string, string> {
  const headers = exchangeHeaders(call, target, received, []);
  for (const name of KEPT) {
    const value = received[name];
    if (value !== undefined && !showsSecret(target.backend, value)) headers[name] = value;
  }
  for (const name of UPLOAD_URLS) {
    const value = received[name];
    const url = value === undefined ? undefined : throughUs(value, target.backend.baseUrl ?? '', call.base);
    if (url !== undefined && !containsSecretOf(target.backend, url)) headers[name] = url;
  }
  return headers;
}

/** A URL of the backend as one of ours: the client has no key for the other. undefined for a URL that leads elsewhere. */
function throughUs(value: string, root: string, base: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const { origin, pathname } = new URL(root);
  const prefix = pathname.replace(/\/$/, '');
  if (url.origin !== origin || !url.pathname.startsWith(`${prefix}/`)) return undefined;
  for (const name of QUERY_CREDENTIALS) url.searchParams.delete(name);
  return `${base}${url.pathname.slice(prefix.length)}${url.search}`;
}
