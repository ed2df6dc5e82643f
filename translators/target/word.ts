/** The kinds of words by which a target is described. What is read of them: types, checks, the schema of the configuration, docs. */

interface Said {
  /** What the word says about a target, in one sentence for people. */
  readonly says: string;
  /** A resolved target may be without it. */
  readonly optional?: true;
}

/** A word of the vocabulary: which values it takes. */
export type Word =
  | (Said & { readonly is: 'flag' | 'map' })
  /** A whole number from 1, a whole number from 0, a number that is not negative. */
  | (Said & { readonly is: 'count' | 'whole' | 'amount' })
  | (Said & { readonly is: 'one' | 'list'; readonly of: readonly string[] })
  /** `apart`: some of its words may be given, over those that are known; else all or none. */
  | (Said & { readonly is: 'group'; readonly words: Words; readonly apart?: true });

export interface Words {
  readonly [name: string]: Word;
}

type Value<W> = W extends { readonly is: 'flag' }
  ? boolean
  : W extends { readonly is: 'map' }
    ? Readonly<Record<string, string>>
    : W extends { readonly is: 'count' | 'whole' | 'amount' }
      ? number
      : W extends { readonly is: 'one'; readonly of: readonly (infer V)[] }
        ? V
        : W extends { readonly is: 'list'; readonly of: readonly (infer V)[] }
          ? readonly V[]
          : W extends { readonly is: 'group'; readonly words: infer Ws }
            ? Values<Ws>
            : never;

type Optional<Ws> = { [K in keyof Ws]: Ws[K] extends { readonly optional: true } ? K : never }[keyof Ws];

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** What a target says in some words. */
export type Values<Ws> = Flat<
  { readonly [K in Exclude<keyof Ws, Optional<Ws>>]: Value<Ws[K]> } & {
    readonly [K in Optional<Ws>]?: Value<Ws[K]>;
  }
>;

/** Yes or no. */
export const flag = (says: string) => ({ is: 'flag', says }) as const;
/** Words by words of the caller's. */
export const map = (says: string) => ({ is: 'map', says }) as const;
/** A whole number from 1. */
export const count = (says: string) => ({ is: 'count', says }) as const;
/** A whole number from 0. */
export const whole = (says: string) => ({ is: 'whole', says }) as const;
/** A number that is not negative. */
export const amount = (says: string) => ({ is: 'amount', says }) as const;
/** One of some values. */
export const one = <const V extends string>(says: string, ...of: V[]) => ({ is: 'one', says, of }) as const;
/** Some of them. */
export const list = <const V extends string>(says: string, ...of: V[]) => ({ is: 'list', says, of }) as const;
/** A map of words. */
export const group = <Ws extends Words>(says: string, words: Ws) => ({ is: 'group', says, words }) as const;
/** A map of words some of which may be given. */
export const apart = <Ws extends Words>(says: string, words: Ws) =>
  ({ is: 'group', says, words, apart: true }) as const;
/** A word that a resolved target may be without. */
export const maybe = <W extends Word>(word: W) => ({ ...word, optional: true }) as const;
