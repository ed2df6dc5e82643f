import type { DialectId, Feature, LossKind } from '../../translators/index.js';

/** Where something is in the traffic that was read. */
export interface Place {
  /** The name of the file without its folder; `-` = standard input. */
  readonly file: string;
  /** From 1: the line, or in a file that is one JSON text the number of the entry. */
  readonly line: number;
}

/** On the way of a request, or of its answer. */
export type Direction = 'there' | 'home';

/** A loss at one place. */
export interface LossAt {
  readonly way: Direction;
  /** JSON Pointer into the recorded body. */
  readonly path: string;
  readonly feature: Feature;
  readonly kind: LossKind;
  readonly detail: string;
  /** What stood there, as JSON and cut; only where values are shown. */
  readonly value?: string;
}

/** One feature that is lost in one manner on one way. */
export interface FeatureRow {
  readonly feature: Feature;
  readonly kind: LossKind;
  readonly way: Direction;
  /** Exchanges that have the loss. */
  readonly requests: number;
  /** Of all exchanges; of the way home: of all answers. */
  readonly share: number;
  readonly first: Place & { readonly path: string; readonly value?: string };
  /** Whether strict counts it. */
  readonly strict: boolean;
  /** What to do about it. */
  readonly advice: string;
}

export interface ModelRow {
  /** '' = none was named. */
  readonly model: string;
  readonly exchanges: number;
  /** Those that strict refuses. */
  readonly lossy: number;
}

/** What would be lost if the traffic moved from one dialect to another (contract.md 6). */
export interface Report {
  readonly version: 1;
  readonly from: DialectId;
  readonly to: DialectId;
  /** The reading was interrupted. */
  readonly partial: boolean;
  /** `clean`, `lossy` and `refused` together. */
  readonly exchanges: number;
  /** Strict passes. */
  readonly clean: number;
  /** Strict refuses, report passes. */
  readonly lossy: number;
  /** Not valid in `from`, or nothing can carry it. */
  readonly refused: number;
  /** Entries that are no exchange at all. */
  readonly unreadable: number;
  /** Answers that were held against the way home. */
  readonly answers: number;
  readonly features: readonly FeatureRow[];
  readonly models: readonly ModelRow[];
  readonly worst: readonly (Place & { readonly losses: readonly LossAt[] })[];
  /** The first of the unreadable ones. */
  readonly unread: readonly (Place & { readonly reason: string })[];
  /** The first of the refused ones. */
  readonly refusals: readonly (Place & { readonly path: string; readonly reason: string })[];
}
