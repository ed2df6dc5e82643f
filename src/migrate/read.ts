import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../ground/index.js';

/** A file of recorded traffic, or standard input. */
export interface Source {
  /** Its name without its folder; `-` = standard input. */
  readonly name: string;
  /** Its size in bytes; undefined when it is not known. */
  readonly size: number | undefined;
  open(): Readable;
}

/** A file that cannot be read at all. The message names it. */
export class SourceError extends Error {}

/** What is read for a word of the command line. Throws SourceError when there is no such file. */
export function sourceOf(word: string): Source {
  if (word === '-') return { name: '-', size: undefined, open: () => process.stdin };
  try {
    const stat = statSync(word);
    if (stat.isDirectory()) throw new SourceError(`cannot read ${word} (it is a folder)`);
    return {
      name: basename(word),
      size: stat.isFile() ? stat.size : undefined,
      open: () => createReadStream(word, { highWaterMark: PIECE }),
    };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`cannot read ${word} (${errorCode(error) ?? 'unknown reason'})`);
  }
}

/** Bytes that are read in one go. */
const PIECE = 256 * 1024;

/** Who follows the reading of a source. */
export interface Reading {
  /** Hears of bytes as they come. */
  read(bytes: number): void;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

/** The text of a source in pieces, unpacked where it is gzip, without a byte order mark. */
export async function* textOf(source: Source, { read, signal }: Reading): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const stream = source.open();
  // Standard input may never say another word.
  signal?.addEventListener('abort', () => stream.destroy(), { once: true });
  for await (const bytes of unpacked(counted(stream, read))) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

async function* counted(stream: Readable, read: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    read(bytes.length);
    yield bytes;
  }
}

async function* unpacked(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let first = Buffer.alloc(0);
  while (first.length < 2) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    first = Buffer.concat([first, value]);
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first;
    yield* pieces;
  };
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* all();
    return;
  }
  const packed = Readable.from(all());
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  yield* packed.pipe(gunzip) as AsyncIterable<Buffer>;
}
