import { randomHex } from '../ground/index.js';

/** One part of a form to send. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly filename: string;
      readonly mime: string;
      readonly chunks: readonly Uint8Array[];
      readonly bytes: number;
    };

/** A form as the body of a request: its type, its exact length, and the pieces it is made of. */
export interface FormBody {
  readonly type: string;
  readonly length: number;
  readonly pieces: readonly Uint8Array[];
}

/** Writes a form under a new boundary. The bytes of files are not copied. */
export function writeForm(parts: readonly FormPart[]): FormBody {
  const boundary = `interlingua-${randomHex()}`;
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    const lines = [`--${boundary}`, `Content-Disposition: form-data; name="${quoted(part.name)}"`];
    if ('text' in part) {
      pieces.push(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${part.text}\r\n`));
      continue;
    }
    lines[1] += `; filename="${quoted(part.filename)}"`;
    lines.push(`Content-Type: ${part.mime}`);
    pieces.push(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), ...part.chunks, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    pieces,
  };
}

/** As browsers escape what would end the quoted text or the line. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
