import type { storedResponses } from '../../translators/index.js';
import { createGathered } from '../http/index.js';
import { toPiece } from './pieces.js';

/** A stream on its way to be kept. */
export interface KeptStream {
  /** Adds whole frames in UTF-8. */
  add(frames: Uint8Array): void;
  /** What is to be kept of all that was added; nothing of a stream that is too long. */
  pieces(): Promise<readonly storedResponses.StoredPiece[]>;
}

/** So many bytes are packed together. */
const PIECE = 64 * 1024;

/** A stream that is longer than this, in bytes, is not kept beside its answer. */
const MOST = 32 * 1024 * 1024;

/**
 * An empty stream. It is packed while it goes on, and what waits for that is held as the bytes that the client gets too: as text it would
 * take several times the memory, and be encoded twice.
 */
export function createKeptStream(): KeptStream {
  let packed: Promise<storedResponses.StoredPiece>[] = [];
  const waiting = createGathered();
  let length = 0;
  const pack = (): void => {
    const piece = toPiece(waiting.join());
    // Whoever asks for the pieces hears of it; of a stream that breaks off nobody does.
    piece.catch(() => {});
    packed.push(piece);
  };
  return {
    add(frames) {
      length += frames.byteLength;
      if (length > MOST) {
        packed = [];
        waiting.take();
        return;
      }
      waiting.add(frames);
      if (waiting.length >= PIECE) pack();
    },
    pieces() {
      if (waiting.length > 0) pack();
      return Promise.all(packed);
    },
  };
}
