import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { Busboy, FieldInfo, FileInfo } from 'busboy';
import { faultOf, TranslationError } from '../../translators/index.js';
import { clientGone, Failure } from '../ground/index.js';
import type { FormLimits } from './form-limits.js';
import { createGathered, createJoiner } from './pieces.js';
import { createPaddingFilter } from './transport-padding.js';

/** A file of a form. Its bytes stay in the pieces in which they came: nothing holds them a second time. */
export interface FormFile {
  /** Name of the field. */
  readonly name: string;
  /** The file's own name without any path; '' when it has none. */
  readonly filename: string;
  /** What the part claims to be; often wrong. */
  readonly declared: string;
  readonly chunks: readonly Uint8Array[];
  /** Size in bytes. */
  readonly bytes: number;
}

/** A form: its texts and its files, each in the order in which they came. */
export interface Form {
  readonly fields: readonly (readonly [string, string])[];
  readonly files: readonly FormFile[];
}

/**
 * Reads a multipart form as it comes in. Rejects with a Failure: 415 for another type or an encoding, 413 above the
 * total, 408 when it does not arrive in time, 400 for what is malformed, cut or more than the limits allow, `cancelled`
 * when the client goes away. Whatever happens it settles, and keeps nothing of a form that it refused (media.md 3.5).
 */
export function readForm(request: IncomingMessage, limits: FormLimits): Promise<Form> {
  const refusal = refuseHead(request, limits);
  if (refusal !== undefined) return Promise.reject(refusal);
  return new Promise((resolve, reject) => {
    const parser = createParser(request, limits);
    if (parser === undefined) return reject(malformed('the content-type has no boundary'));
    const fields: [string, string][] = [];
    /** One place per file, taken when it begins: files need not end in the order in which they came. */
    const files: (FormFile | undefined)[] = [];
    let open = 0;
    let closed = false;
    let settled = false;
    let received = 0;

    const settle = (failure: Error | undefined): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      request.off('data', take);
      request.off('end', finish);
      request.off('close', gone);
      request.off('error', gone);
      if (failure === undefined) {
        resolve({ fields, files: files.filter((file) => file !== undefined) });
        return;
      }
      fields.length = 0;
      files.length = 0;
      // Not at once: the parser may be in the middle of a piece, and does not survive losing its file there.
      setImmediate(() => parser.destroy());
      reject(failure instanceof TranslationError ? new Failure(failure.toCanonical(), CLOSE) : failure);
    };
    const guarded = (work: () => void): void => {
      try {
        work();
      } catch {
        settle(malformed('the form is malformed'));
      }
    };
    const joiner = createJoiner();
    const padding = createPaddingFilter(request.headers['content-type'] ?? '');
    const write = (chunk: Buffer): void => {
      if (!parser.write(chunk)) request.pause();
    };
    const feed = (chunk: Buffer | undefined): void => {
      if (chunk !== undefined) (padding?.add(chunk) ?? [chunk]).forEach(write);
    };
    const take = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limits.total) settle(tooLarge(limits.total));
      else guarded(() => feed(joiner.add(chunk)));
    };
    const finish = (): void => {
      // The stream closes after its end, and that is no news of the client.
      request.off('close', gone);
      guarded(() => {
        feed(joiner.rest());
        padding?.rest().forEach(write);
        parser.end();
      });
    };
    const gone = (): void => settle(clientGone());
    const timer = setTimeout(() => settle(tooSlow()), limits.deadline);
    const done = (): void => {
      if (closed && open === 0) settle(undefined);
    };

    parser.on('drain', () => request.resume());
    parser.on('error', (error: Error) => settle(malformed(reasonOf(error))));
    parser.on('close', () => {
      closed = true;
      done();
    });
    parser.on('partsLimit', () => settle(malformed('the form has too many parts')));
    parser.on('filesLimit', () => settle(malformed(`the form has more than ${limits.files} files`)));
    parser.on('fieldsLimit', () => settle(malformed(`the form has more than ${limits.fields} fields`)));
    parser.on('field', (name, value, info) => {
      const fault = fieldFault(name, value, info);
      if (fault !== undefined) settle(fault);
      else if (!settled) fields.push([name, value]);
    });
    parser.on('file', (name, stream, info) => {
      open += 1;
      const place = files.push(undefined) - 1;
      collect(stream, limits.file, name, (failure, chunks, bytes) => {
        open -= 1;
        if (failure !== undefined) settle(failure);
        else if (name === undefined || name === '') settle(malformed('a part of the form has no name'));
        else if (isEncoded(info)) settle(encodedPart(name));
        else if (!settled) files[place] = fileOf(name, info, chunks, bytes);
        done();
      });
    });
    request.on('data', take);
    request.on('end', finish);
    request.on('close', gone);
    request.on('error', gone);
  });
}

function refuseHead({ headers, readableEnded, destroyed }: IncomingMessage, limits: FormLimits): Failure | undefined {
  if (!isForm(headers['content-type'])) {
    return unsupported('the content-type must be multipart/form-data');
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return unsupported('a form must not be compressed');
  if (Number(headers['content-length'] ?? 0) > limits.total) return tooLarge(limits.total);
  if (readableEnded) return malformed('the form was read before it came here');
  return destroyed ? clientGone() : undefined;
}

/** Whether a content type is that of a form. */
export function isForm(type: string | undefined): boolean {
  return /^\s*multipart\/form-data\s*(?:;|$)/i.test(type ?? '');
}

/** Longest content type, the boundary included. */
const TYPE_LIMIT = 500;

/** Loaded with the first form. */
function load(): typeof import('busboy') {
  return createRequire(import.meta.url)('busboy');
}

function createParser({ headers }: IncomingMessage, limits: FormLimits): Busboy | undefined {
  if ((headers['content-type']?.length ?? 0) > TYPE_LIMIT) return undefined;
  try {
    return load()({
      headers,
      defParamCharset: 'utf8',
      limits: {
        fieldNameSize: 200,
        fieldSize: limits.field,
        fields: limits.fields,
        files: limits.files,
        fileSize: limits.file,
        parts: limits.fields + limits.files + 1,
        headerPairs: 50,
      },
    });
  } catch {
    return undefined;
  }
}

type Collected = (failure: Error | undefined, chunks: readonly Uint8Array[], bytes: number) => void;

/** Gathers a file's pieces. A stream that ends because of the limit looks like a whole one but for its `limit` event. */
function collect(stream: Readable, limit: number, name: string | undefined, done: Collected): void {
  const gathered = createGathered();
  let failure: Error | undefined;
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    const { length } = gathered;
    done(failure, failure === undefined ? gathered.take() : [], length);
  };
  stream.on('error', (error) => {
    failure ??= malformed(reasonOf(error));
    end();
  });
  stream.on('limit', () => {
    failure ??= faultOf(paramOf(name), 'image_too_large', `the file must be smaller than ${limit / 1024 / 1024} MB`);
    gathered.take();
    end();
  });
  stream.on('data', (chunk: Buffer) => {
    if (failure === undefined) gathered.add(chunk);
  });
  stream.on('end', end);
  stream.on('close', end);
}

function fileOf(name: string, info: FileInfo, chunks: readonly Uint8Array[], bytes: number): FormFile | undefined {
  // What browsers send for an input without a file.
  if (bytes === 0 && (info.filename ?? '') === '') return undefined;
  return { name, filename: info.filename ?? '', declared: info.mimeType, chunks, bytes };
}

function fieldFault(name: string | undefined, value: string | undefined, info: FieldInfo): Error | undefined {
  if (name === undefined || name === '') return malformed('a part of the form has no name');
  if (info.nameTruncated) return malformed('the name of a part is too long');
  if (info.valueTruncated) return faultOf(paramOf(name), 'invalid_value', 'is too long');
  if (isEncoded(info)) return encodedPart(name);
  // The parser gives nothing for a charset that it does not know, and this mark for bytes that are none of UTF-8.
  if (value === undefined || value.includes('\uFFFD')) {
    return faultOf(paramOf(name), 'invalid_value', 'is not valid UTF-8');
  }
  if (/^(?:image|video|audio)\//.test(info.mimeType)) {
    return faultOf(paramOf(name), 'invalid_type', 'a part with a file needs a filename');
  }
  return undefined;
}

/** Whether a part is in an encoding of mail, which forms do not have (RFC 7578, 4.7) and the parser leaves as it is. */
function isEncoded({ encoding }: FieldInfo | FileInfo): boolean {
  return !/^(?:7bit|8bit|binary)$/i.test(encoding);
}

function encodedPart(name: string): Error {
  return faultOf(paramOf(name), 'invalid_value', 'a part must have no content-transfer-encoding');
}

/** `image[]` and `image[2]` are the parameter `image`. */
function paramOf(name = ''): string {
  return name.replace(/\[\d*\]$/, '');
}

function reasonOf(error: Error): string {
  return error.message === 'Malformed part header' ? 'the form has a malformed part' : 'the form ends early';
}

function malformed(message: string): Failure {
  return new Failure({ kind: 'invalid_request', message }, CLOSE);
}

function unsupported(message: string): Failure {
  return new Failure({ kind: 'invalid_request', status: 415, message }, CLOSE);
}

function tooLarge(limit: number): Failure {
  return new Failure({ kind: 'too_large', message: `the form is larger than ${limit / 1024 / 1024} MB` }, CLOSE);
}

function tooSlow(): Failure {
  return new Failure({ kind: 'timeout', status: 408, message: 'the form did not arrive in time' }, CLOSE);
}

/** The rest of a form that was refused is not worth reading. */
const CLOSE = { headers: { connection: 'close' } } as const;
