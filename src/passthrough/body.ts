import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Failure, isObject, MB } from '../ground/index.js';
import {
  type ClientCall,
  type Form,
  isForm,
  type JsonBody,
  OffloadRequest,
  readForm,
  readJson,
} from '../http/index.js';
import type { PassthroughServices } from './services.js';

/** The body of a request that is relayed: read where it may name a model, else on its way. */
export type RelayedBody =
  | { readonly form: 'none' }
  | { readonly form: 'json'; readonly json: JsonBody }
  | { readonly form: 'fields'; readonly fields: Form }
  | { readonly form: 'stream'; readonly upload: Upload };

/** Bytes on their way from a client to a backend, no faster than the backend reads them. */
export interface Upload {
  /** Begins to read; once. */
  open(): Readable;
  /** Why it ended before its time; undefined = it did not. */
  readonly failure: Failure | undefined;
}

/**
 * Opens the body of a request. `fields` = a form of this route is small and says which model is meant. Rejects with what
 * reading JSON, or a form, rejects with; 413 for what is announced as too large.
 */
export async function openBody(
  gateway: PassthroughServices,
  call: ClientCall,
  path: string,
): Promise<RelayedBody | OffloadRequest> {
  const { request } = call;
  if (!hasBody(request)) return { form: 'none' };
  const type = request.headers['content-type'];
  // A file that is uploaded is no message, whatever it is made of.
  if (!path.startsWith('/upload/')) {
    if (isForm(type) && path.startsWith('/v1/audio/')) {
      return { form: 'fields', fields: await readForm(request, gateway.media.form) };
    }
    if (type === undefined || /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
      const json = await readJson(gateway, call);
      return json instanceof OffloadRequest ? json : { form: 'json', json };
    }
  }
  return { form: 'stream', upload: announceUpload(gateway, call) };
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The model that a body names; undefined = none. */
export function modelIn(body: RelayedBody): string | undefined {
  if (body.form === 'json') {
    const { value } = body.json;
    return isObject(value) && typeof value.model === 'string' ? value.model : undefined;
  }
  return body.form === 'fields' ? new Map(body.fields.fields).get('model') : undefined;
}

function announceUpload({ config }: PassthroughServices, call: ClientCall): Upload {
  const { request } = call;
  const limit = config.limits.uploadMb * MB;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (request.readableEnded) {
    throw new Failure({ kind: 'invalid_request', message: 'the body was read before it came here' });
  }
  let failure: Failure | undefined;
  return {
    open() {
      const bytes = new PassThrough();
      const end = (why: Failure): void => {
        failure ??= why;
        call.running?.abort();
        bytes.destroy();
      };
      const timer = setTimeout(() => end(tooSlow()), config.limits.bodySeconds * 1000);
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > limit) end(tooLarge(limit));
      });
      request.once('end', () => clearTimeout(timer));
      // The end of the call ends the bytes as well: that error is known already.
      bytes.on('error', () => {});
      bytes.once('close', () => {
        clearTimeout(timer);
        request.unpipe(bytes);
      });
      return request.pipe(bytes);
    },
    get failure() {
      return failure;
    },
  };
}

const CLOSE = { headers: { connection: 'close' } } as const;

function tooLarge(limit: number): Failure {
  return new Failure({ kind: 'too_large', message: `the body is larger than ${limit / MB} MB` }, CLOSE);
}

function tooSlow(): Failure {
  return new Failure({ kind: 'timeout', status: 408, message: 'the body did not arrive in time' }, CLOSE);
}
