import type { storedResponses } from '../../translators/index.js';
import { toPiece } from './pieces.js';

/** The text of a stream on its way to be kept. */
export interface KeptStream {
  /** Adds whole frames. */
  add(frames: string): void;
  /** What is to be kept of all that was added; nothing of a stream that is too long. */
  pieces(): Promise<readonly storedResponses.StoredPiece[]>;
}

/** So many characters are packed together. */
const PIECE = 64 * 1024;

/** A stream that is longer than this, in characters, is not kept beside its answer. */
const MOST = 32 * 1024 * 1024;

/**
 * An empty stream. It is packed while it goes on, since the text of an open stream takes several times the memory.
 * `textOf` gives the text of frames that were added in another form.
 */
export function createKeptStream(textOf: (frames: string) => string = (frames) => frames): KeptStream {
  let packed: Promise<storedResponses.StoredPiece>[] = [];
  let waiting: string[] = [];
  let held = 0;
  let length = 0;
  const pack = (): void => {
    const piece = toPiece(textOf(waiting.join('')));
    // Whoever asks for the pieces hears of it; of a stream that breaks off nobody does.
    piece.catch(() => {});
    packed.push(piece);
    waiting = [];
    held = 0;
  };
  return {
    add(frames) {
      if (frames === '') return;
      length += frames.length;
      if (length > MOST) {
        packed = [];
        waiting = [];
        return;
      }
      waiting.push(frames);
      held += frames.length;
      if (held >= PIECE) pack();
    },
    pieces() {
      if (waiting.length > 0) pack();
      return Promise.all(packed);
    },
  };
}
