import type { DialectId, Effort } from '../../translators/index.js';
import type { PresetName } from '../presets/index.js';
import type { RowName } from './rows.js';

/**
 * What was found of a row at an endpoint: it does what it is asked; it answers as if that were not asked; it refuses; it does it in another
 * form than its dialect's; it answered, and the answer proves nothing; the calls were spent before.
 */
export type Verdict = 'holds' | 'ignored' | 'refused' | 'other' | 'undecided' | 'unasked';

/** Verdicts by which a row does not hold. */
export const FAILS: ReadonlySet<Verdict> = new Set(['ignored', 'refused', 'other']);

/** What was found of one row. */
export interface Finding {
  readonly dialect: DialectId;
  readonly row: RowName;
  readonly verdict: Verdict;
  /** The server's own words, or what else there is to say; harmless to print. */
  readonly words?: string;
  /** What the answer reports besides: the cap that a refusal names, the efforts that it lists. */
  readonly reported?: Reported;
}

/** Values that a server reported. */
export interface Reported {
  readonly cap?: number;
  readonly levels?: readonly Effort[];
  /** The name of the cap, or of what makes the model think, that works. */
  readonly field?: string;
}

/** A model of the server's list. */
export interface ProbedModel {
  readonly id: string;
  /** Tokens of input and output together. */
  readonly window?: number;
  readonly maxOutput?: number;
}

/** Which server it is. */
export interface ProbedServer {
  /** As its makers write it; undefined = it does not say. */
  readonly title?: string;
  readonly version?: string;
  /** What showed it. */
  readonly by?: string;
  readonly preset?: PresetName;
  /** What it reported of its model beside the list, such as `vision`. */
  readonly abilities?: readonly string[];
}

/** An endpoint that was asked. */
export interface ProbedEndpoint {
  readonly dialect: DialectId;
  /** Its root, as a configuration has it. */
  readonly root: string;
  /** Names of what its query has beside the version, which is not in the root. */
  readonly omitted?: readonly string[];
  readonly answers: boolean;
  /** In which form it was given a key. */
  readonly auth: string;
  /** Why it was not asked further. */
  readonly reason?: string;
}

/** All that was found. */
export interface ProbeReport {
  /** Without a query. */
  readonly url: string;
  /** ISO 8601, when it began. */
  readonly at: string;
  readonly server: ProbedServer;
  readonly models: readonly ProbedModel[];
  /** The model that was asked; undefined when none could be. */
  readonly model?: string;
  readonly calls: number;
  readonly endpoints: readonly ProbedEndpoint[];
  /** One for each row that an answering endpoint has. */
  readonly findings: readonly Finding[];
  /** What ended it early. */
  readonly stopped?: string;
}
