import { Gunzip } from 'fflate';
import { isGzip, type Reading, type Source } from '../../../src/migrate/plain/index.js';

/** A file of the browser as a source of recorded traffic. It is read in pieces, and never held whole. */
export function fileSource(file: File): Source {
  return { name: file.name, size: file.size, bytes: (reading) => unpacked(piecesOf(file, reading)) };
}

async function* piecesOf(file: File, { read, signal }: Reading): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (signal?.aborted === true) return;
      read(piece.value.length);
      yield piece.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function* unpacked(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = new Uint8Array(0);
  while (first.length < 2) {
    const { value, done } = await pieces.next();
    if (done === true) break;
    const joined = new Uint8Array(first.length + value.length);
    joined.set(first);
    joined.set(value, first.length);
    first = joined;
  }
  if (isGzip(first)) {
    yield* gunzipped(first, pieces);
    return;
  }
  yield first;
  yield* pieces;
}

/** Throws where what is packed ends too early or is none. */
async function* gunzipped(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const gunzip = new Gunzip((bytes) => ready.push(bytes));
  const take = (): Uint8Array[] => ready.splice(0, ready.length);
  gunzip.push(first);
  yield* take();
  for await (const piece of rest) {
    gunzip.push(piece);
    yield* take();
  }
  gunzip.push(new Uint8Array(0), true);
  yield* take();
}
