import { readFileSync } from 'node:fs';

/**
 * Milliseconds that the first thread of a process, which serves everybody, was on a processor. As a clock for those who wait for it,
 * it stands still while others have the machine: what it tells of a wait is the process's own doing.
 */
export function loopMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
