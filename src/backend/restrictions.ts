import type { HostFeature, OptionalField, ProfileFlags } from '../../translators/index.js';

/** What a refusal revealed about a model of a backend. Plain data, since it is sent to threads. */
export type Restriction =
  /** A field that it does not take, or not under this name. */
  | { readonly kind: 'field'; readonly field: OptionalField }
  /** Flags of its profile that are otherwise than was taken for granted. */
  | { readonly kind: 'flags'; readonly flags: ProfileFlags }
  /** Features of its dialect that it does not support. */
  | { readonly kind: 'unsupported'; readonly unsupported: readonly HostFeature[] }
  /** It is not served by this endpoint, but by another one of the same host. */
  | { readonly kind: 'endpoint' }
  /** The most tokens that it generates. */
  | { readonly kind: 'cap'; readonly tokens: number }
  /** Tokens that it has for input and output together, or `inputAlone`, and how many it counted where we estimated so many. */
  | {
      readonly kind: 'window';
      readonly tokens: number;
      readonly input: number;
      readonly estimated: number;
      readonly inputAlone?: true;
    };

/** A restriction that applies to a caller; `shared` = to every caller, since several keys met it. */
export type KnownRestriction = Restriction & { readonly shared?: true };

/** A restriction as it is kept. */
export interface KeptRestriction {
  readonly model: string;
  /** Who met it; absent = it applies to everybody. */
  readonly learner?: string;
  readonly restriction: Restriction;
  /** How long, in ms, it still applies. */
  readonly ms: number;
}

/** The restrictions of a model. */
export type ModelRestrictions = readonly [model: string, restrictions: readonly KnownRestriction[]];

/** Whose restrictions: the name of a key where there are several, since what one key meets does not apply to another. */
export type Learner = string | undefined;

/** The learned restrictions of the models of one backend, each for an hour ([H §10.3], translation.md 2.1). */
export interface Restrictions {
  of(model: string, learner: Learner): readonly KnownRestriction[];
  /**
   * True when the restriction is stored here and has to be reported. A cap below what an answer of the model had is not stored.
   */
  note(model: string, learner: Learner, restriction: Restriction): boolean;
  /** All that holds for a learner. */
  all(learner: Learner): readonly ModelRestrictions[];
  /** An answer of the model had so many tokens. */
  answered(model: string, learner: Learner, tokens: number): void;
  /** All that is kept, of all learners. */
  kept(): readonly KeptRestriction[];
  /** Discards all restrictions, or those of a model. */
  forget(model?: string): void;
}

/** Servers are updated, and operators change them. */
const KEPT_MS = 60 * 60_000;

/** Names come from clients where a pattern leads here: no more than these are remembered of each key, the newest. */
const MOST_MODELS = 1000;

/** A name that is longer, in characters, is no model's. */
const LONGEST_NAME = 256;

const NONE: readonly KnownRestriction[] = [];

interface Kept<L extends Restriction = Restriction> {
  readonly restriction: L;
  readonly until: number;
}

/** The restrictions of a model by topic. */
type Known = ReadonlyMap<string, Kept>;

/** Who met a restriction last. */
interface Meeting extends Kept {
  readonly learner: Learner;
}

export function createRestrictions(now: () => number = () => performance.now()): Restrictions {
  /** By learner, then by model. */
  const own = new Map<Learner, Map<string, Known>>();
  const most = new Map<Learner, Map<string, number>>();
  /** By model, the last meeting of each restriction by any key, and what applies to all keys. */
  const met = new Map<string, ReadonlyMap<string, Meeting>>();
  const shared = new Map<string, Known>();

  const of = (model: string, learner: Learner): readonly KnownRestriction[] => {
    const ours = own.get(learner)?.get(model);
    const theirs = shared.get(model);
    if (ours === undefined && theirs === undefined) return NONE;
    const time = now();
    const restrictions = new Map<string, KnownRestriction>();
    for (const [about, { restriction, until }] of theirs ?? []) {
      if (until > time) restrictions.set(about, { ...restriction, shared: true });
    }
    for (const [about, { restriction, until }] of ours ?? []) {
      if (until <= time) continue;
      // The latest comes last, and wins where it contradicts another.
      restrictions.delete(about);
      restrictions.set(about, restriction);
    }
    return restrictions.size === 0 ? NONE : [...restrictions.values()];
  };
  /** Remembers for everybody what another key met before, as far as both met it. */
  const share = (model: string, about: string, meeting: Meeting): void => {
    if (!isShareable(meeting.restriction)) return;
    const before = met.get(model)?.get(about);
    keep(met, model, added(met.get(model), about, meeting));
    if (before === undefined || before.learner === meeting.learner || before.until <= now()) return;
    const restriction = weaker(before.restriction, meeting.restriction);
    if (restriction === undefined) return;
    keep(shared, model, added(shared.get(model), about, { restriction, until: before.until }));
  };
  return {
    of,
    note(model, learner, restriction) {
      if (model.length > LONGEST_NAME) return false;
      if (restriction.kind === 'cap' && restriction.tokens < (most.get(learner)?.get(model) ?? 0)) return false;
      const about = topicOf(restriction);
      const meeting = { restriction, learner, until: now() + KEPT_MS };
      const ours = memoryOf(own, learner);
      keep(ours, model, added(ours.get(model), about, meeting));
      share(model, about, meeting);
      return true;
    },
    all(learner) {
      const models = new Set([...shared.keys(), ...(own.get(learner)?.keys() ?? [])]);
      return [...models].map((model) => [model, of(model, learner)] as const).filter(([, found]) => found.length > 0);
    },
    answered(model, learner, tokens) {
      const known = most.get(learner)?.get(model) ?? 0;
      if (tokens > known && model.length <= LONGEST_NAME) keep(memoryOf(most, learner), model, tokens);
    },
    kept() {
      const time = now();
      const listed = (known: Known, model: string, learner: Learner): KeptRestriction[] =>
        [...known.values()]
          .filter(({ until }) => until > time)
          .map(({ restriction, until }) => ({
            ...{ model, restriction, ms: until - time },
            ...(learner !== undefined && { learner }),
          }));
      return [
        ...[...shared].flatMap(([model, known]) => listed(known, model, undefined)),
        ...[...own].flatMap(([learner, models]) =>
          [...models].flatMap(([model, known]) => listed(known, model, learner)),
        ),
      ];
    },
    forget(model) {
      const memories: readonly Map<unknown, unknown>[] = [met, shared, ...own.values(), ...most.values()];
      for (const memory of memories) {
        if (model === undefined) memory.clear();
        else memory.delete(model);
      }
    },
  };
}

function memoryOf<T>(memories: Map<Learner, Map<string, T>>, learner: Learner): Map<string, T> {
  const memory = memories.get(learner) ?? new Map<string, T>();
  memories.set(learner, memory);
  return memory;
}

/** Keeps the newest names only. */
function keep<T>(memory: Map<string, T>, model: string, value: T): void {
  memory.delete(model);
  memory.set(model, value);
  const [oldest] = memory.keys();
  if (memory.size > MOST_MODELS && oldest !== undefined) memory.delete(oldest);
}

/** With one more, which comes last. */
function added<T>(known: ReadonlyMap<string, T> | undefined, about: string, value: T): ReadonlyMap<string, T> {
  const next = new Map(known);
  next.delete(about);
  next.set(about, value);
  return next;
}

/**
 * Whether a restriction that two keys met may apply to all: a host that refused one unknown member is assumed to refuse every
 * other one, which is more than two keys saw; and by which endpoint a request goes, each key learns with one call.
 */
function isShareable(restriction: Restriction): boolean {
  if (restriction.kind === 'endpoint') return false;
  return restriction.kind !== 'unsupported' || !restriction.unsupported.includes('unknownKeys');
}

/**
 * What two restrictions on one topic have in common: of sizes what allows more, so that no key alone narrows another's, and of
 * flags nothing where they differ.
 */
function weaker(one: Restriction, other: Restriction): Restriction | undefined {
  if (one.kind === 'cap' && other.kind === 'cap') return one.tokens > other.tokens ? one : other;
  if (one.kind === 'flags' && restrictionText(one) !== restrictionText(other)) return undefined;
  if (one.kind !== 'window' || other.kind !== 'window') return other;
  const { input, estimated } = one.input * other.estimated < other.input * one.estimated ? one : other;
  const inputAlone = one.inputAlone || other.inputAlone;
  return {
    kind: 'window',
    tokens: Math.max(one.tokens, other.tokens),
    input,
    estimated,
    ...(inputAlone && { inputAlone }),
  };
}

/**
 * A restriction replaces an older one on the same topic: fields and flags come from tables, so that there are few, and
 * how a model thinks, of which each refusal may tell otherwise, is one thing.
 */
function topicOf(restriction: Restriction): string {
  switch (restriction.kind) {
    case 'field':
      return `field ${restriction.field.path.join('.')}`;
    case 'flags':
      return `flags ${Object.keys(restriction.flags).join() === 'thinking' ? 'thinking' : JSON.stringify(restriction.flags)}`;
    case 'unsupported':
      return `unsupported ${restriction.unsupported.join(' ')}`;
    case 'endpoint':
    case 'cap':
    case 'window':
      return restriction.kind;
  }
}

/** A restriction in words, for the log and for explain: names of fields and flags, and numbers, no words of a refusal. */
export function restrictionText(restriction: Restriction): string {
  switch (restriction.kind) {
    case 'field': {
      const { path, otherName } = restriction.field;
      return otherName === undefined ? `no ${path.join('.')}` : `${path.join('.')} is ${otherName}`;
    }
    case 'flags':
      return JSON.stringify(restriction.flags);
    case 'unsupported':
      return restriction.unsupported.join(', ');
    case 'endpoint':
      return 'not served by this endpoint';
    case 'cap':
      return `at most ${restriction.tokens} output tokens`;
    case 'window':
      return `${restriction.tokens} tokens for ${restriction.inputAlone ? 'input' : 'input and output'}`;
  }
}
