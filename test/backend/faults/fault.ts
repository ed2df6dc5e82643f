import type { DialectId } from '../../../translators/index.js';
import type { Asked } from '../../support/faulty-backend.js';
import type { Mode } from './cells.js';
import type { Kind } from './told.js';

/** Where a fault shows: which client, how it asked, whose dialect the backend speaks. */
export interface Cell {
  readonly client: DialectId;
  readonly backend: DialectId;
  readonly mode: Mode;
}

/** One way for a backend to misbehave, and what has to become of it. */
export interface Fault {
  /** Row of hardening.md section 4. */
  readonly row: number;
  readonly name: string;
  /** Modes in which it can happen. Absent = all. */
  readonly modes?: readonly Mode[];
  /** `hasty`: short limits to the first byte and of silence; `brief`: a short total. */
  readonly limits?: 'hasty' | 'brief';
  /** Writes the bytes. */
  serve(asked: Asked): void;
  /** How it is told; `answer` = not at all: the client has what it wanted. */
  readonly told: Kind | 'answer' | ((cell: Cell) => Kind | 'answer');
  /** Text the client had by then; absent = nothing left before the fault. */
  readonly said?: string;
  /** The connection breaks in the middle of a frame where bytes are relayed: nothing true could be appended. */
  readonly breaksFrame?: boolean;
  /** Where bytes are relayed, the client gets them all: events are the client's own to judge (http.md#same-dialect). */
  readonly relayed?: 'bytes' | ((cell: Cell) => 'bytes' | undefined);
  /** Headers of the answer that must, or must not, be there. */
  readonly headers?: (cell: Cell) => Readonly<Record<string, string | undefined>>;
  /** How many requests a backend gets; 1 unless given. */
  readonly requests?: (cell: Cell) => number;
}

/** What every stream here says; its first three characters stand in the first delta. */
export const TEXT = 'Grüße 😀';
export const BEGUN = 'Grü';

export const STREAMED: readonly Mode[] = ['stream', 'array'];
export const PLAIN: readonly Mode[] = ['plain'];

/** Whether the client of a cell gets the backend's bytes as they are. */
export function relaysBytes({ relayed }: Fault, cell: Cell): boolean {
  const how = typeof relayed === 'function' ? relayed(cell) : relayed;
  return how === 'bytes' && cell.client === cell.backend;
}
