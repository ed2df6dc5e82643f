import type { DialectId, Feature, LossKind } from '../../../translators/index.js';

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

/** For what a model of the recorded traffic was judged. */
export interface JudgedAs {
  /** The name of the model there; '' = as it was recorded. */
  readonly model: string;
  /** The model whose abilities it was taken to have; '' = by its name. */
  readonly profile: string;
  /** '' = the vendor's own service. */
  readonly host: string;
  /** Whether what the service refuses is known, so that it counts. */
  readonly checked: boolean;
}

export interface ModelRow {
  /** '' = none was named. */
  readonly model: string;
  readonly target: JudgedAs;
  readonly exchanges: number;
  readonly lossy: number;
  /** Those that cannot go. */
  readonly refused: number;
}

/** One reason for which requests are refused. */
export interface RefusalRow extends Place {
  /** Who refuses: the translation, or the service whose rules are known. */
  readonly by: 'translation' | 'service';
  readonly exchanges: number;
  /** JSON Pointer: of the translation into the recorded body, of the service into the one that it would get. */
  readonly path: string;
  readonly reason: string;
}

/** What would be lost if the traffic moved from one dialect to another (migration.md). */
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
  /** Not valid in `from`, nothing can carry it, or the service of `to` refuses what it would get. */
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
  /** Why exchanges are refused, the most frequent reason first, each at its first place. */
  readonly refusals: readonly RefusalRow[];
  /** Exchanges that are refused for further reasons. */
  readonly refusalsBeyond: number;
  /** What the service of `from` refuses in its own requests. Apart: they count above as any others. */
  readonly atHome: {
    readonly exchanges: number;
    readonly refusals: readonly RefusalRow[];
    readonly refusalsBeyond: number;
  };
}
