/** Cuts a stream's text into whole frames, each with its blank line. */
export interface FrameCutter {
  /** The frames that `text` completes. */
  push(text: string): string[];
  /** What is left without a blank line. */
  readonly rest: string;
}

/** A cutter that gives every character back. Linear in the text, whatever the pieces. */
export function createFrameCutter(): FrameCutter {
  let pending: string[] = [];
  let tail = '';
  return {
    push(text) {
      // A blank line may begin in the last piece: three characters of it are looked at again.
      const from = Math.max(0, tail.length - 3);
      const seen = tail + text;
      const frames: string[] = [];
      const blank = /\r\n\r\n|\n\n|\r\r/g;
      blank.lastIndex = from;
      let start = 0;
      for (let found = blank.exec(seen); found !== null; found = blank.exec(seen)) {
        frames.push(pending.join('') + seen.slice(start, blank.lastIndex));
        pending = [];
        start = blank.lastIndex;
      }
      const left = start === 0 ? seen : seen.slice(start);
      pending.push(left.slice(0, Math.max(0, left.length - 3)));
      tail = left.slice(Math.max(0, left.length - 3));
      return frames;
    },
    get rest() {
      return pending.join('') + tail;
    },
  };
}
