import { Failure } from '../ground/plain/index.js';
import { checkBodyType } from '../protocol/index.js';

/**
 * The text of a request's body. Rejects with Failure: 415 for a type or encoding that is no JSON, 413 above `most` bytes (counted
 * after decompression), 400 for what cannot be unpacked or is no UTF-8.
 */
export async function readBody(request: Request, most: number): Promise<string> {
  checkBodyType(request.headers.get('content-type') ?? undefined);
  const encoding = encodingOf(request.headers.get('content-encoding'));
  if (encoding === undefined && Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge(most);
  if (request.body === null) return '';
  const body =
    encoding === undefined
      ? request.body
      : // What is written to it are bytes, whatever its type says in the library of a runtime.
        request.body.pipeThrough<Uint8Array>(
          new DecompressionStream(encoding) as TransformStream<Uint8Array, Uint8Array>,
        );
  // A mark of the byte order is taken off.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = body.getReader();
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw new Failure({ kind: 'invalid_request', message: 'the body is not valid UTF-8' }, { cause });
    }
  };
  let text = '';
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw encoding === undefined ? cause : notPacked(encoding, cause);
      });
      if (done) return text + decode();
      length += value.length;
      if (length > most) throw tooLarge(most);
      text += decode(value);
    }
  } catch (thrown) {
    reader.cancel().catch(() => undefined);
    throw thrown;
  }
}

/** The encoding that a `content-encoding` header names; undefined = none. */
function encodingOf(header: string | null): 'gzip' | 'deflate' | undefined {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'deflate') return 'deflate';
  const message = 'the content-encoding must be gzip, deflate or identity';
  throw new Failure({ kind: 'invalid_request', status: 415, message });
}

function notPacked(encoding: string, cause: unknown): Failure {
  return new Failure({ kind: 'invalid_request', message: `the body is not valid ${encoding} data` }, { cause });
}

function tooLarge(most: number): Failure {
  return new Failure({ kind: 'too_large', message: `the body is larger than ${most} bytes` });
}
