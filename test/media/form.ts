/** One part of a form to send. */
export interface SentPart {
  readonly name?: string;
  readonly value: string | Buffer;
  readonly filename?: string;
  readonly type?: string;
}

export const BOUNDARY = 'a-boundary-of-the-tests';

/** A form as bytes. */
export function formOf(parts: readonly SentPart[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(({ name, value, filename, type }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data${name === undefined ? '' : `; name="${name}"`}` +
        `${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
        `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** The headers of such a form. */
export function formHeaders(body: Buffer, boundary = BOUNDARY): Record<string, string> {
  return { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) };
}

/** A file part. */
export function filePart(name: string, value: Buffer, filename = 'a.bin', type = 'application/octet-stream'): SentPart {
  return { name, value, filename, type };
}
