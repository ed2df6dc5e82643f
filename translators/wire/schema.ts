/**
 * What values of the wire have to be, as data: `check.ts` makes tests of it, `fault.ts` says what is wrong. These are the few kinds that
 * the four dialects have; a library of schemas would be a tenth of what a page loads, and half of it words of faults
 * (docs/internals/decisions/0031-cold-and-small.md).
 */
declare const TYPE: unique symbol;

interface Typed<T> {
  /** There for the compiler alone. */
  readonly [TYPE]?: () => T;
}

/** What a value has to hold beyond its kind. */
export interface Rule {
  holds(value: unknown): boolean;
  /** The reason in the error for a value that does not. */
  readonly reason: string;
}

type Bounded = { readonly rules: readonly Rule[] };

/** The kinds of schemas. `reason`: the text of the error for a value of another kind, where the kind alone does not say enough. */
export type Form =
  | { readonly kind: 'boolean' }
  | ({ readonly kind: 'string' } & Bounded)
  | ({ readonly kind: 'number' } & Bounded)
  | { readonly kind: 'oneOf'; readonly values: readonly string[]; readonly reason: string }
  | { readonly kind: 'custom'; is(value: unknown): boolean; readonly reason: string }
  | ({ readonly kind: 'array'; readonly element: Schema } & Bounded)
  | ({ readonly kind: 'record'; readonly keys: Schema; readonly values: Schema } & Bounded)
  | { readonly kind: 'union'; readonly options: readonly Schema[]; readonly reason?: string | undefined }
  | { readonly kind: 'object'; readonly shape: Shape; readonly reason?: string | undefined }
  | { readonly kind: 'optional' | 'nullable' | 'nullish'; readonly inner: Schema }
  /** `fallback`: `value` in the place of what does not fit; `filled`: in the place of nothing. */
  | { readonly kind: 'fallback' | 'filled'; readonly inner: Schema; readonly value: unknown };

/** What a value has to be. `T`: its type once it is checked. */
export type Schema<T = unknown> = Form & Typed<T>;

/** The members of an object, by key. */
export interface Shape {
  readonly [key: string]: Schema;
}

/** The type of a value that a schema takes. */
export type Infer<S extends Schema> = S extends Typed<infer T> ? T : never;

type MayBeAbsent<T> = unknown extends T ? false : undefined extends T ? true : false;
type Absent<S extends Shape> = { [K in keyof S]: MayBeAbsent<Infer<S[K]>> extends true ? K : never }[keyof S];
type ObjectOf<S extends Shape> = { -readonly [K in Exclude<keyof S, Absent<S>>]: Infer<S[K]> } & {
  -readonly [K in Absent<S>]?: Infer<S[K]>;
};
type Flat<T> = { [K in keyof T]: T[K] };

/** The schema of an object, with its members. */
export type ObjectSchema<S extends Shape = Shape> = Typed<Flat<ObjectOf<S>>> & {
  readonly kind: 'object';
  readonly shape: S;
  readonly reason?: string | undefined;
};

/** Anything that is there. */
export function present(): Schema {
  return custom((value) => value !== undefined, 'field required');
}

export function boolean(): Schema<boolean> {
  return { kind: 'boolean' };
}

export function string(...rules: readonly Rule[]): Schema<string> {
  return { kind: 'string', rules };
}

/** A number that has an end. */
export function number(...rules: readonly Rule[]): Schema<number> {
  return { kind: 'number', rules };
}

/** A whole number. */
export function int(...rules: readonly Rule[]): Schema<number> {
  return number(whole(), ...rules);
}

export function literal<const V extends string>(value: V): Schema<V> {
  return oneOf([value]);
}

/** One of some words. */
export function oneOf<const V extends string>(
  values: readonly V[],
  reason = `expected ${values.map((value) => JSON.stringify(value)).join(' or ')}`,
): Schema<V> {
  return { kind: 'oneOf', values, reason };
}

/** What a function says yes to. */
export function custom<T>(is: (value: unknown) => boolean, reason: string): Schema<T> {
  return { kind: 'custom', is, reason };
}

export function array<T>(element: Schema<T>, ...rules: readonly Rule[]): Schema<T[]> {
  return { kind: 'array', element, rules };
}

/** An object with any keys that a schema takes. */
export function record<T>(
  keys: Schema<string>,
  values: Schema<T>,
  ...rules: readonly Rule[]
): Schema<Record<string, T>> {
  return { kind: 'record', keys, values, rules };
}

/** What one of the schemas takes. */
export function union<const S extends readonly Schema[]>(options: S, reason?: string): Schema<Infer<S[number]>> {
  return { kind: 'union', options, reason };
}

/** An object with these members; others may be there as well. */
export function object<S extends Shape>(shape: S, reason?: string): ObjectSchema<S> {
  return { kind: 'object', shape, reason };
}

export function optional<T>(inner: Schema<T>): Schema<T | undefined> {
  return { kind: 'optional', inner };
}

export function nullable<T>(inner: Schema<T>): Schema<T | null> {
  return { kind: 'nullable', inner };
}

export function nullish<T>(inner: Schema<T>): Schema<T | null | undefined> {
  return { kind: 'nullish', inner };
}

/** What does not fit is `value` in the end. */
export function fallback<T>(inner: Schema<T>, value: T): Schema<T> {
  return { kind: 'fallback', inner, value };
}

/** Nothing is `value` in the end. */
export function filled<T>(inner: Schema<T>, value: T): Schema<T> {
  return { kind: 'filled', inner, value };
}

export function whole(reason = 'expected int, received number'): Rule {
  return { holds: Number.isSafeInteger, reason };
}

export function gte(least: number, reason = `expected number to be >=${least}`): Rule {
  return { holds: (value) => (value as number) >= least, reason };
}

export function gt(bound: number, reason = `expected number to be >${bound}`): Rule {
  return { holds: (value) => (value as number) > bound, reason };
}

export function lte(most: number, reason = `expected number to be <=${most}`): Rule {
  return { holds: (value) => (value as number) <= most, reason };
}

/** The bounds of the length of a text or a list. */
export function minLength(least: number, reason = `expected string to have >=${least} characters`): Rule {
  return { holds: (value) => (value as string).length >= least, reason };
}

export function maxLength(most: number, reason = `expected string to have <=${most} characters`): Rule {
  return { holds: (value) => (value as string).length <= most, reason };
}

export function matches(pattern: RegExp, reason: string): Rule {
  return { holds: (value) => pattern.test(value as string), reason };
}

/** A rule of its own. */
export function rule<T>(holds: (value: T) => boolean, reason: string): Rule {
  return { holds: holds as (value: unknown) => boolean, reason };
}
