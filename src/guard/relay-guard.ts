import type { Watcher } from '../../translators/index.js';
import type { Redact } from '../ground/plain/index.js';
import { type ByteTools, bytesOfLatin1, createByteQueue } from './bytes.js';

/** Decides when the pieces of a relayed stream may leave, and takes secrets out of errors in it. */
export interface RelayGuard {
  /** What may leave now that the watcher has seen `chunk`; undefined = nothing. */
  pass(chunk: Uint8Array): Uint8Array | undefined;
  /** What is held back at the end of a whole stream. */
  rest(): Uint8Array | undefined;
}

/** How an error is written in an event of any dialect, as a member or flat [R §5.2]; inside of text the quotes are escaped. */
const WORD = '"error"';
const ERROR = /"error"\s*:\s*[{"]|"type"\s*:\s*"error"/;
/** How many bytes around the seam of two chunks are looked at for an error that spans both. */
const SEAM = 24;
const COLON = 0x3a;
/** So many bytes of an event may be there before they show whether it is an error. */
const OPENING = 64;

/**
 * Holds a stream back until its first event is whole, or a comment shows that it is one: what only claims to be a
 * stream, or breaks before its first event, is then answered with a status of its own. Events with an error in them
 * are held until they are whole, and so is an event of which too little is there to know; errors lose keys and hosts
 * (hardening.md row 26), and all other bytes pass as they are.
 */
export function createRelayGuard(
  watcher: Pick<Watcher, 'begun' | 'between'>,
  redact: Redact,
  { latin1, includes }: ByteTools,
): RelayGuard {
  const held = createByteQueue();
  let begun = false;
  let suspect = false;
  /** What was let through ends between two events. */
  let fresh = true;
  let seam = '';

  const namesError = (bytes: Uint8Array): boolean => {
    const edge = seam + latin1(bytes, 0, Math.min(SEAM, bytes.length));
    seam = bytes.length < SEAM ? edge.slice(-SEAM) : latin1(bytes, bytes.length - SEAM);
    return ERROR.test(edge) || (includes(bytes, WORD) && ERROR.test(latin1(bytes)));
  };
  /** Where an event begins of which too little is there to know what it is; the end when there is none. */
  const beforeOpening = (bytes: Uint8Array): number => {
    const start = endOfEvents(latin1(bytes));
    const opens = (start > 0 || fresh) && bytes.length - start <= OPENING;
    return opens ? start : bytes.length;
  };
  /** Gives out what is held, without secrets, but for an event with an error that is not whole. */
  const release = (whole: boolean): Uint8Array | undefined => {
    // Latin-1 gives every byte back, whatever it is a part of.
    const text = latin1(held.take());
    const end = whole ? text.length : endOfEvents(text);
    const tail = text.slice(end);
    suspect = !whole && (end === 0 || ERROR.test(tail));
    if (tail !== '') held.add(bytesOfLatin1(tail));
    fresh ||= end > 0;
    const shown = redact(text.slice(0, end));
    return shown === '' ? undefined : bytesOfLatin1(shown);
  };
  return {
    pass(chunk) {
      const waits = suspect && !watcher.between && endOfEvents(seam + latin1(chunk)) === 0;
      suspect = namesError(chunk) || suspect;
      begun ||= watcher.begun || (held.length === 0 && chunk[0] === COLON);
      if (begun && !suspect && held.length === 0 && watcher.between) {
        fresh = true;
        return chunk;
      }
      held.add(chunk);
      if (!begun || waits) return undefined;
      if (suspect) return release(watcher.between);
      const all = held.take();
      const end = watcher.between ? all.length : beforeOpening(all);
      if (end < all.length) held.add(all.subarray(end));
      fresh = watcher.between || end < all.length;
      return end === 0 ? undefined : all.subarray(0, end);
    },
    rest: () => (held.length === 0 ? undefined : release(true)),
  };
}

/** A whole answer that is relayed: one with an error in it loses keys and hosts, every other passes as it is. */
export function guarded<Bytes extends Uint8Array>(
  bytes: Bytes,
  redact: Redact,
  { includes }: ByteTools,
): Bytes | Uint8Array<ArrayBuffer> {
  if (!includes(bytes, WORD)) return bytes;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return ERROR.test(text) ? new TextEncoder().encode(redact(text)) : bytes;
}

/**
 * The text of whole events, as Latin-1, before a failure that they report; '' when that has no content, undefined when
 * they do not contain it. A failure is the last word of a stream: what follows it is left out with it.
 */
export function beforeFailure(
  events: string,
  { data }: NonNullable<Watcher['failure']>,
  framing: 'sse' | 'array',
  { latin1 }: ByteTools,
): string | undefined {
  const [line = ''] = data.split('\n', 1);
  const at = events.lastIndexOf(latin1(new TextEncoder().encode(line)));
  if (at === -1) return undefined;
  const before = events.slice(0, at);
  if (framing === 'sse') return before.slice(0, endOfEvents(before));
  // The bracket alone is no content: a failure behind it is answered with a status of its own.
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
