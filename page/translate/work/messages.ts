import type { Kind } from '../kinds.js';
import type { DialectId, LossKind } from '../library.js';
import type { Range } from '../spans.js';
import type { Target } from '../targets/target.js';

/** A source that is to be judged for its targets. A later one takes the place of an earlier one. */
export interface Job {
  readonly type: 'judge';
  readonly id: number;
  readonly text: string;
  /** Absent = as the text shows. */
  readonly kind?: Kind;
  readonly dialect?: DialectId;
  /** Of an error. */
  readonly status: number;
  readonly strict: boolean;
  /** Features that strict lets go. */
  readonly allow: readonly string[];
  /** Of a request, the model that its URL names. */
  readonly model?: string;
  /** Of a request, the feature names in a header of its client. */
  readonly betas: readonly string[];
  readonly targets: readonly Target[];
  /** Whose translation is shown. */
  readonly selected: number;
}

/** Another target of the last job is shown. */
export interface Select {
  readonly type: 'select';
  readonly id: number;
  readonly selected: number;
}

/** Where the value at a place of the source or of the shown translation is on the other side. */
export interface Follow {
  readonly type: 'follow';
  readonly id: number;
  readonly side: Side;
  readonly offset: number;
}

export type Side = 'source' | 'target';

export type Asked = Job | Select | Follow | { readonly type: 'facts' };

/** Where a text stops being JSON. */
export interface Fault extends Range {
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** What the text is. */
export interface Read {
  readonly type: 'read';
  readonly id: number;
  readonly kind: Kind;
  readonly dialect?: DialectId;
  /** The model that a request asks for; '' = none. */
  readonly model: string;
  readonly fault?: Fault;
  /** Why it cannot be translated, beside a fault. */
  readonly problem?: string;
}

/** Why a source does not go to a target. */
export interface Refusal {
  /** The translation cannot, strict does not let it, the service of the target answers 400, or there is no such target. */
  readonly by: 'translation' | 'strict' | 'service' | 'target';
  readonly path: string;
  readonly message: string;
}

/** What becomes of a source at one target. */
export interface Verdict {
  readonly state: 'unchanged' | 'lossy' | 'refused';
  /** Losses that strict would refuse. */
  readonly serious: number;
  /** The others: hints, moves and inventions. */
  readonly small: number;
  readonly refusal?: Refusal;
  /** What goes with the body: the status of an error, what is in the URL. */
  readonly notes: readonly string[];
}

export interface Judged {
  readonly type: 'judged';
  readonly id: number;
  readonly index: number;
  readonly verdict: Verdict;
}

/** One loss, as people read it. */
export interface ToldLoss {
  readonly feature: string;
  readonly kind: LossKind;
  /** Strict lets it pass. */
  readonly small: boolean;
  readonly meaning: string;
  readonly sentence: string;
  readonly advice: string;
}

/** What is lost of one place of the source. */
export interface Row {
  /** JSON Pointer; in streams into the event. */
  readonly path: string;
  /** The place in words. */
  readonly label: string;
  /** Of streams, the event, from 0. */
  readonly step?: number;
  /** By target. */
  readonly cells: readonly (readonly ToldLoss[])[];
}

/** The losses of all targets by their places, the weightiest first. */
export interface Rows {
  readonly type: 'rows';
  readonly id: number;
  /** As JSON: a key that is typed seldom changes them, which is then seen at once. */
  readonly rows: string;
  /** Where they are in the text, in their order. */
  readonly places: readonly Range[];
  /** So many more are not told. */
  readonly beyond: number;
}

/** An event of a stream, with the text that it brought on the other side. */
export interface ToldStep {
  readonly text: string;
  readonly losses: readonly ToldLoss[];
}

/** What goes with the body of a translated request. */
export interface BesideBody {
  readonly model: string;
  readonly stream: boolean;
  /** Feature names that the service wants in a header. */
  readonly betas: readonly string[];
}

/** The translation that is shown. */
export interface Shown {
  readonly type: 'shown';
  /** Of a request. */
  readonly request?: BesideBody;
  readonly id: number;
  readonly index: number;
  readonly text: string;
  /** Of streams: the events of the source, and what each of them brought and the end. */
  readonly events: readonly { readonly start: number; readonly end: number; readonly name: string }[];
  readonly steps: readonly ToldStep[];
}

/** A stretch of a text that is shown as something. */
export interface Mark extends Range {
  /** What happened there; `current` is the event that was passed last, `fault` what a refusal is about. */
  readonly kind: LossKind | 'current' | 'fault';
  /** Nothing of the value is here: this is what would hold it. */
  readonly around?: boolean;
  readonly title: string;
}

/** What of the shown translation is otherwise than in the source. */
export interface Marked {
  readonly type: 'marked';
  readonly id: number;
  readonly index: number;
  readonly marks: readonly Mark[];
}

/** A value and its counterparts. */
export interface Followed {
  readonly type: 'followed';
  readonly id: number;
  readonly side: Side;
  /** The value itself; undefined = there is none. */
  readonly own?: Range;
  readonly others: readonly Range[];
  /** Why there are none, in a sentence. */
  readonly nowhere?: string;
}

/** What the page offers to choose from. */
export interface Facts {
  readonly type: 'facts';
  readonly dialects: readonly DialectFacts[];
}

export interface DialectFacts {
  readonly id: DialectId;
  readonly mainline: string;
  readonly models: readonly string[];
  readonly hosts: readonly string[];
}

export type Answered =
  | Read
  | Judged
  | Rows
  | Shown
  | Marked
  | Followed
  | Facts
  | { readonly type: 'done'; readonly id: number };
