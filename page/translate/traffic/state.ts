import { batch, signal } from '@preact/signals';
import type { Report } from '../../../src/migrate/plain/index.js';
import type { Target } from '../targets/target.js';
import { startWorker } from '../work/start-worker.js';
import type { Asked, Told } from './messages.js';

/** What is known of the file that is read or was. */
export interface Traffic {
  readonly name: string;
  readonly size: number;
  readonly state: 'reading' | 'stopping' | 'done' | 'failed';
  readonly entries: number;
  /** Of all that has to be read, from 0 to 1. */
  readonly share: number;
  readonly found: readonly { readonly target: Target; readonly reports: readonly Report[] }[];
  /** Why it failed. */
  readonly reason: string;
}

/** The file that a report is made of; undefined = none is shown. */
export const traffic = signal<Traffic | undefined>(undefined);

let file: File | undefined;
let worker: Worker | undefined;

/** Reads a file for some targets; an earlier reading ends. */
export function readTraffic(given: File, targets: readonly Target[]): void {
  worker?.terminate();
  file = given;
  traffic.value = { name: given.name, size: given.size, state: 'reading', entries: 0, share: 0, found: [], reason: '' };
  const begun = startWorker('traffic-worker', (words) => {
    const reason = words === undefined ? 'The reader cannot be loaded.' : `The reader failed: ${words}`;
    if (begun === worker) hear({ type: 'failed', reason });
  });
  worker = begun;
  const ask = (asked: Asked): void => begun.postMessage(asked);
  begun.onmessage = ({ data }: MessageEvent<Told>) => {
    if (begun === worker) hear(data);
  };
  ask({ type: 'start', file: given, targets });
}

/** Reads the same file for other targets. */
export function readAgain(targets: readonly Target[]): void {
  if (file !== undefined) readTraffic(file, targets);
}

/** Ends the reading; what was read until then is reported. */
export function stopReading(): void {
  if (traffic.value?.state !== 'reading') return;
  traffic.value = { ...traffic.value, state: 'stopping' };
  worker?.postMessage({ type: 'stop' } satisfies Asked);
}

/** Goes back to the editors. */
export function closeTraffic(): void {
  worker?.terminate();
  batch(() => {
    worker = undefined;
    file = undefined;
    traffic.value = undefined;
  });
}

function hear(told: Told): void {
  const before = traffic.value;
  if (before === undefined) return;
  switch (told.type) {
    case 'progress':
      traffic.value = { ...before, entries: told.entries, share: Math.min(1, told.read / (told.size || 1)) };
      break;
    case 'reports':
      traffic.value = { ...before, found: [...before.found, { target: told.target, reports: told.reports }] };
      break;
    case 'done':
      // Of what was stopped, the share tells how much was read.
      traffic.value = { ...before, state: 'done', share: before.state === 'stopping' ? before.share : 1 };
      worker?.terminate();
      break;
    case 'failed':
      traffic.value = { ...before, state: 'failed', reason: told.reason };
      worker?.terminate();
      break;
    default:
      told satisfies never;
  }
}
