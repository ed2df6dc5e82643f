import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../ground/index.js';
import { isGzip, type Reading, type Source } from './plain/index.js';

/** A file that cannot be read at all. The message names it. */
export class SourceError extends Error {}

/** What is read for a word of the command line. Throws SourceError when there is no such file. */
export function sourceOf(word: string): Source {
  if (word === '-') return streamSource('-', undefined, () => process.stdin);
  try {
    const stat = statSync(word);
    if (stat.isDirectory()) throw new SourceError(`cannot read ${word} (it is a folder)`);
    const size = stat.isFile() ? stat.size : undefined;
    return streamSource(basename(word), size, () => createReadStream(word, { highWaterMark: PIECE }));
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`cannot read ${word} (${errorCode(error) ?? 'unknown reason'})`);
  }
}

/** Bytes that are read in one go. */
const PIECE = 256 * 1024;

/** A source whose bytes come from a stream that is opened when it is read. */
export function streamSource(name: string, size: number | undefined, open: () => Readable): Source {
  return {
    name,
    size,
    bytes(reading) {
      const stream = open();
      // Standard input may never say another word.
      reading.signal?.addEventListener('abort', () => stream.destroy(), { once: true });
      return unpacked(counted(stream, reading));
    },
  };
}

async function* counted(stream: Readable, { read }: Reading): AsyncGenerator<Buffer> {
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
  if (!isGzip(first)) {
    yield* all();
    return;
  }
  const packed = Readable.from(all());
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  yield* packed.pipe(gunzip) as AsyncIterable<Buffer>;
}
