import type { HostLack, OptionalField, ProfileFlags } from '../../translators/index.js';

/** What a refusal taught about a model of a backend. Plain data: threads are told of it. */
export type Lesson =
  /** A field that it does not take, or not under this name. */
  | { readonly kind: 'field'; readonly field: OptionalField }
  /** Flags of its profile that are otherwise than was taken for granted. */
  | { readonly kind: 'flags'; readonly flags: ProfileFlags }
  /** What it lacks of its dialect. */
  | { readonly kind: 'lacks'; readonly lacks: readonly HostLack[] }
  /** The most tokens that it generates. */
  | { readonly kind: 'cap'; readonly tokens: number }
  /** Tokens that it has for input and output together, and how many it counted where we estimated so many. */
  | { readonly kind: 'window'; readonly tokens: number; readonly input: number; readonly estimated: number };

/** The lessons of a model. */
export type ModelLessons = readonly [model: string, lessons: readonly Lesson[]];

/** What refusals taught about the models of one backend, each for an hour ([H §10.3], translation.md 2.1). */
export interface Lessons {
  of(model: string): readonly Lesson[];
  note(model: string, lesson: Lesson): void;
  all(): readonly ModelLessons[];
}

/** Servers are updated, and operators change them. */
const KEPT_MS = 60 * 60_000;

/** Names come from clients where a pattern leads here: no more than these are remembered, the newest. */
const MOST_MODELS = 1000;

const NONE: readonly Lesson[] = [];

interface Kept {
  readonly lesson: Lesson;
  readonly until: number;
}

export function createLessons(now: () => number = () => performance.now()): Lessons {
  const known = new Map<string, ReadonlyMap<string, Kept>>();
  const of = (model: string): readonly Lesson[] => {
    const kept = known.get(model);
    if (kept === undefined) return NONE;
    const time = now();
    const sound = [...kept.values()].filter(({ until }) => until > time);
    if (sound.length === 0) known.delete(model);
    return sound.map(({ lesson }) => lesson);
  };
  return {
    of,
    note(model, lesson) {
      const kept = new Map(known.get(model));
      const key = keyOf(lesson);
      // What was taught last comes last, and wins where it is the contrary of another.
      kept.delete(key);
      kept.set(key, { lesson, until: now() + KEPT_MS });
      known.delete(model);
      known.set(model, kept);
      const [oldest] = known.keys();
      if (known.size > MOST_MODELS && oldest !== undefined) known.delete(oldest);
    },
    all: () =>
      [...known.keys()].map((model) => [model, of(model)] as const).filter(([, lessons]) => lessons.length > 0),
  };
}

/** A lesson takes the place of an older one about the same thing: fields and flags come from tables, so that there are few. */
function keyOf(lesson: Lesson): string {
  switch (lesson.kind) {
    case 'field':
      return `field ${lesson.field.path.join('.')}`;
    case 'flags':
      return `flags ${JSON.stringify(lesson.flags)}`;
    case 'lacks':
      return `lacks ${lesson.lacks.join(' ')}`;
    case 'cap':
    case 'window':
      return lesson.kind;
  }
}
