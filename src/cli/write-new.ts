import { writeFileSync } from 'node:fs';
import { complain } from './command.js';

/** Writes a file that is not there yet, for the user alone, and says so. Throws where it is there. */
export function writeNew(command: string, file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isThere ? new Error(`${file} is there already: name another file`) : error;
  }
  complain(`interlingua ${command}: wrote ${file}`);
}
