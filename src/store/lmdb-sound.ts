import { readFileSync, statSync, writeFileSync } from 'node:fs';

/** Differs with every start of the system (proc(5)); other systems than Linux have none. */
const BOOT = '/proc/sys/kernel/random/boot_id';

const noteOf = (path: string): string => `${path}-sound`;

/**
 * Whether a file is as it was when `noteSound` was told of it. Never after a new start of the system, nor on another one: what was
 * not on the disk yet when it lost power is gone from a file that looks the same.
 */
export function isKnownSound(path: string): boolean {
  try {
    return readFileSync(noteOf(path), 'latin1') === signOf(path);
  } catch {
    return false;
  }
}

/** Writes down, beside the file, that it is sound as it is now. Where that cannot be written it is found out anew. */
export function noteSound(path: string): void {
  try {
    writeFileSync(noteOf(path), signOf(path), { mode: 0o600 });
  } catch {
    // A full disk, or a system that does not tell its starts apart.
  }
}

/** Changes with every write to the file. Throws where that cannot be told. */
function signOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [readFileSync(BOOT, 'latin1').trim(), dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
