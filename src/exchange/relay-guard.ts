import type { Watcher } from '../../translators/index.js';
import type { Redact } from '../ground/index.js';
import { createGathered } from '../http/index.js';

/** Decides when the pieces of a relayed stream may leave, and takes secrets out of errors in it. */
export interface RelayGuard {
  /** What may leave now that the watcher has seen `chunk`; undefined = nothing. */
  pass(chunk: Uint8Array): Uint8Array | undefined;
  /** What is held back at the end of a whole stream. */
  rest(): Uint8Array | undefined;
}

/** How an error is written in an event of any dialect, as a member or flat [R §5.2]; inside of text the quotes are escaped. */
const WORD = Buffer.from('"error"');
const ERROR = /"error"\s*:\s*[{"]|"type"\s*:\s*"error"/;
/** How many bytes around the seam of two chunks are looked at for an error that spans both. */
const SEAM = 24;
const COLON = 0x3a;
/** So many bytes of an event may be there before they show whether it is an error. */
const OPENING = 64;

/**
 * Holds a stream back until its first event is whole, or a comment shows that it is one: what only claims to be a
 * stream, or breaks before it says anything, is then answered with a status of its own. Events with an error in them
 * are held until they are whole, and so is an event of which too little is there to know; errors lose keys and hosts
 * (hardening.md row 26), and all other bytes pass as they are.
 */
export function createRelayGuard(watcher: Pick<Watcher, 'begun' | 'between'>, redact: Redact): RelayGuard {
  const held = createGathered();
  let begun = false;
  let suspect = false;
  /** What was let through ends between two events. */
  let fresh = true;
  let seam = '';

  const namesError = (bytes: Buffer): boolean => {
    const edge = seam + bytes.toString('latin1', 0, SEAM);
    seam = bytes.length < SEAM ? edge.slice(-SEAM) : bytes.toString('latin1', bytes.length - SEAM);
    return ERROR.test(edge) || (bytes.includes(WORD) && ERROR.test(bytes.toString('latin1')));
  };
  /** Where an event begins of which too little is there to know what it is; the end when there is none. */
  const beforeOpening = (bytes: Buffer): number => {
    const start = endOfEvents(bytes.toString('latin1'));
    const opens = (start > 0 || fresh) && bytes.length - start <= OPENING;
    return opens ? start : bytes.length;
  };
  /** Gives out what is held, without secrets, but for an event with an error that is not whole. */
  const release = (whole: boolean): Uint8Array | undefined => {
    // Latin-1 gives every byte back, whatever it is a part of.
    const text = held.join().toString('latin1');
    const end = whole ? text.length : endOfEvents(text);
    const tail = text.slice(end);
    suspect = !whole && (end === 0 || ERROR.test(tail));
    if (tail !== '') held.add(Buffer.from(tail, 'latin1'));
    fresh ||= end > 0;
    const shown = redact(text.slice(0, end));
    return shown === '' ? undefined : Buffer.from(shown, 'latin1');
  };
  return {
    pass(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const waits = suspect && !watcher.between && endOfEvents(seam + bytes.toString('latin1')) === 0;
      suspect = namesError(bytes) || suspect;
      begun ||= watcher.begun || (held.length === 0 && chunk[0] === COLON);
      if (begun && !suspect && held.length === 0 && watcher.between) {
        fresh = true;
        return chunk;
      }
      held.add(chunk);
      if (!begun || waits) return undefined;
      if (suspect) return release(watcher.between);
      const all = held.join();
      const end = watcher.between ? all.length : beforeOpening(all);
      if (end < all.length) held.add(all.subarray(end));
      fresh = watcher.between || end < all.length;
      return end === 0 ? undefined : all.subarray(0, end);
    },
    rest: () => (held.length === 0 ? undefined : release(true)),
  };
}

/** A whole answer that is relayed: one with an error in it loses keys and hosts, every other passes as it is. */
export function guarded(bytes: Buffer, redact: Redact): Buffer {
  if (!bytes.includes(WORD)) return bytes;
  const text = bytes.toString();
  return ERROR.test(text) ? Buffer.from(redact(text)) : bytes;
}

/**
 * The text of whole events, as Latin-1, before a failure that they report; '' when that says nothing, undefined when
 * they do not contain it. A failure is the last word of a stream: what follows it is left out with it.
 */
export function beforeFailure(
  events: string,
  { data }: NonNullable<Watcher['failure']>,
  framing: 'sse' | 'array',
): string | undefined {
  const [line = ''] = data.split('\n', 1);
  const at = events.lastIndexOf(Buffer.from(line).toString('latin1'));
  if (at === -1) return undefined;
  const before = events.slice(0, at);
  if (framing === 'sse') return before.slice(0, endOfEvents(before));
  // The bracket alone says nothing: a failure behind it is answered with a status of its own.
  return /^\s*(?:\[\s*)?$/.test(before) ? '' : before;
}

/** Where the last blank line of a stream ends. */
export function endOfEvents(text: string): number {
  const ends = ['\n\n', '\r\n\r\n', '\r\r'].map((blank) => {
    const at = text.lastIndexOf(blank);
    return at === -1 ? 0 : at + blank.length;
  });
  return Math.max(...ends);
}
