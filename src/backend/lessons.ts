import type { HostFeature, OptionalField, ProfileFlags } from '../../translators/index.js';

/** What a refusal taught about a model of a backend. Plain data: threads are told of it. */
export type Lesson =
  /** A field that it does not take, or not under this name. */
  | { readonly kind: 'field'; readonly field: OptionalField }
  /** Flags of its profile that are otherwise than was taken for granted. */
  | { readonly kind: 'flags'; readonly flags: ProfileFlags }
  /** What it lacks of its dialect. */
  | { readonly kind: 'unsupported'; readonly unsupported: readonly HostFeature[] }
  /** The most tokens that it generates. */
  | { readonly kind: 'cap'; readonly tokens: number }
  /** Tokens that it has for input and output together, and how many it counted where we estimated so many. */
  | { readonly kind: 'window'; readonly tokens: number; readonly input: number; readonly estimated: number };

/** A lesson that holds for a caller; `shared` = for every caller, since several keys met it. */
export type KnownLesson = Lesson & { readonly shared?: true };

/** The lessons of a model. */
export type ModelLessons = readonly [model: string, lessons: readonly KnownLesson[]];

/** Whose lessons: the name of a key where there are several, since what one key meets is no rule for another. */
export type Learner = string | undefined;

/** What refusals taught about the models of one backend, each for an hour ([H §10.3], translation.md 2.1). */
export interface Lessons {
  of(model: string, learner: Learner): readonly KnownLesson[];
  /**
   * True when the lesson is remembered here, and is to be told of. A cap below what an answer of the model had is no lesson.
   */
  note(model: string, learner: Learner, lesson: Lesson): boolean;
  /** All that holds for a learner. */
  all(learner: Learner): readonly ModelLessons[];
  /** An answer of the model had so many tokens. */
  answered(model: string, learner: Learner, tokens: number): void;
  /** What was learned until now holds no longer. */
  forget(): void;
}

/** Servers are updated, and operators change them. */
const KEPT_MS = 60 * 60_000;

/** Names come from clients where a pattern leads here: no more than these are remembered of each key, the newest. */
const MOST_MODELS = 1000;

/** A name that is longer, in characters, is no model's. */
const LONGEST_NAME = 256;

const NONE: readonly KnownLesson[] = [];

interface Kept<L extends Lesson = Lesson> {
  readonly lesson: L;
  readonly until: number;
}

/** The lessons of a model by what they are about. */
type Known = ReadonlyMap<string, Kept>;

/** Who met a lesson last. */
interface Meeting extends Kept {
  readonly learner: Learner;
}

export function createLessons(now: () => number = () => performance.now()): Lessons {
  /** By learner, then by model. */
  const own = new Map<Learner, Map<string, Known>>();
  const most = new Map<Learner, Map<string, number>>();
  /** By model, what anybody met last of each lesson, and what holds for everybody. */
  const met = new Map<string, ReadonlyMap<string, Meeting>>();
  const shared = new Map<string, Known>();

  const of = (model: string, learner: Learner): readonly KnownLesson[] => {
    const ours = own.get(learner)?.get(model);
    const theirs = shared.get(model);
    if (ours === undefined && theirs === undefined) return NONE;
    const time = now();
    const lessons = new Map<string, KnownLesson>();
    for (const [about, { lesson, until }] of theirs ?? []) {
      if (until > time) lessons.set(about, { ...lesson, shared: true });
    }
    for (const [about, { lesson, until }] of ours ?? []) {
      if (until <= time) continue;
      // What was taught last comes last, and wins where it is the contrary of another.
      lessons.delete(about);
      lessons.set(about, lesson);
    }
    return lessons.size === 0 ? NONE : [...lessons.values()];
  };
  /** Remembers for everybody what another key met before, as far as both met it. */
  const share = (model: string, about: string, meeting: Meeting): void => {
    if (!isShareable(meeting.lesson)) return;
    const before = met.get(model)?.get(about);
    keep(met, model, added(met.get(model), about, meeting));
    if (before === undefined || before.learner === meeting.learner || before.until <= now()) return;
    const lesson = weaker(before.lesson, meeting.lesson);
    if (lesson === undefined) return;
    keep(shared, model, added(shared.get(model), about, { lesson, until: before.until }));
  };
  return {
    of,
    note(model, learner, lesson) {
      if (model.length > LONGEST_NAME) return false;
      if (lesson.kind === 'cap' && lesson.tokens < (most.get(learner)?.get(model) ?? 0)) return false;
      const about = topicOf(lesson);
      const meeting = { lesson, learner, until: now() + KEPT_MS };
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
    forget() {
      for (const memory of [own, most, met, shared]) memory.clear();
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
 * Whether a lesson that two keys met may hold for all: that a host refused one member that it does not know is taken for its
 * manner towards every other one, which is more than two keys saw.
 */
function isShareable(lesson: Lesson): boolean {
  return lesson.kind !== 'unsupported' || !lesson.unsupported.includes('unknownKeys');
}

/**
 * What two lessons about one thing have in common: of sizes what allows more, so that no key alone narrows another's, and of
 * flags nothing where they differ.
 */
function weaker(one: Lesson, other: Lesson): Lesson | undefined {
  if (one.kind === 'cap' && other.kind === 'cap') return one.tokens > other.tokens ? one : other;
  if (one.kind === 'flags' && lessonText(one) !== lessonText(other)) return undefined;
  if (one.kind !== 'window' || other.kind !== 'window') return other;
  const { input, estimated } = one.input * other.estimated < other.input * one.estimated ? one : other;
  return { kind: 'window', tokens: Math.max(one.tokens, other.tokens), input, estimated };
}

/**
 * A lesson takes the place of an older one about the same thing: fields and flags come from tables, so that there are few, and
 * how a model thinks, of which each refusal may tell otherwise, is one thing.
 */
function topicOf(lesson: Lesson): string {
  switch (lesson.kind) {
    case 'field':
      return `field ${lesson.field.path.join('.')}`;
    case 'flags':
      return `flags ${Object.keys(lesson.flags).join() === 'thinking' ? 'thinking' : JSON.stringify(lesson.flags)}`;
    case 'unsupported':
      return `unsupported ${lesson.unsupported.join(' ')}`;
    case 'cap':
    case 'window':
      return lesson.kind;
  }
}

/** What a lesson is about, for the log and for who asks: names of fields and flags, and numbers, no words of a refusal. */
export function lessonText(lesson: Lesson): string {
  switch (lesson.kind) {
    case 'field': {
      const { path, otherName } = lesson.field;
      return otherName === undefined ? `no ${path.join('.')}` : `${path.join('.')} is ${otherName}`;
    }
    case 'flags':
      return JSON.stringify(lesson.flags);
    case 'unsupported':
      return lesson.unsupported.join(', ');
    case 'cap':
      return `at most ${lesson.tokens} output tokens`;
    case 'window':
      return `${lesson.tokens} tokens for input and output`;
  }
}
