import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { errorCode } from './error-code.js';

/** A text of a configuration: what stands in it, and what is read from files (configuration.md). */
export type Template = readonly (string | { readonly file: string })[];

/** The largest file whose text may stand in a configuration, in bytes. Tokens have some thousand. */
const MOST_BYTES = 64 * 1024;

/** So long, in ms, a file may still be written to without a new time in its record: clocks of file systems tick slowly. */
const TICK_MS = 100;

/** Opens without waiting for who writes to a pipe. Windows has no such flag, and no such pipes among its files. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Whether a path leads to a file, or to nothing: to read from a pipe or a device could take for ever. Throws what the system throws. */
export function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
}

/**
 * The text of a small file without the line ends at its end. Throws what the system throws, or an error with the code `EFBIG` for a
 * larger one and `EFTYPE` for a pipe or a device, for which everybody would wait.
 */
export function readFileText(path: string): string {
  const file = openSync(path, AT_ONCE);
  try {
    if (!fstatSync(file).isFile()) throw Object.assign(new Error('it is not a regular file'), { code: 'EFTYPE' });
    const bytes = Buffer.allocUnsafe(MOST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    if (length > MOST_BYTES) throw Object.assign(new Error('the file is too large'), { code: 'EFBIG' });
    let end = length;
    while (end > 0 && (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end -= 1;
    return bytes.toString('utf8', 0, end);
  } finally {
    closeSync(file);
  }
}

/** A text that follows its files. */
export interface LiveText {
  /** As it is now: the files are read again when they have changed. */
  read(): string;
  /** Why the last value stands in the place of what is there now; undefined = it does not. */
  readonly fault: string | undefined;
}

/** Begins with `first`; a value that does not `fit`, as a file that is gone, leaves the last one in its place. */
export function createLiveText(template: Template, first: string, fits: (text: string) => boolean): LiveText {
  const paths = template.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.file]));
  let text = first;
  let fault: string | undefined;
  let seen: string | undefined;
  const take = (next: string): void => {
    fault = fits(next) ? undefined : `${paths.join(', ')}: holds no usable value`;
    if (fault === undefined) text = next;
  };
  return {
    get fault() {
      return fault;
    },
    read() {
      try {
        const stamps = paths.map(stampOf);
        const stamp = stamps.every(({ settled }) => settled) ? stamps.map(({ stamp }) => stamp).join() : undefined;
        if (stamp !== undefined && stamp === seen) return text;
        take(template.map((piece) => (typeof piece === 'string' ? piece : readFileText(piece.file))).join(''));
        seen = stamp;
      } catch (error) {
        seen = undefined;
        fault = `${paths.join(', ')}: cannot be read (${errorCode(error) ?? 'unknown reason'})`;
      }
      return text;
    },
  };
}

/** What tells one state of a file from another; it is `settled` when what is written from now on gets another time. */
function stampOf(path: string): { readonly stamp: string; readonly settled: boolean } {
  const { ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(path, { bigint: true });
  return {
    stamp: `${ino}:${size}:${mtimeNs}:${ctimeNs}`,
    settled: Math.abs(Date.now() - Number(ctimeMs)) > TICK_MS,
  };
}
