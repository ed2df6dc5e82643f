import type { Feature, Losses } from '../canonical/loss.js';
import type { JsonObject, Node } from '../canonical/node.js';
import type { CacheSettings, CanonicalRequest, NativeOnly, Sampling, StateSettings } from '../canonical/request.js';
import { isObject } from './json.js';
import { Keys } from './keys.js';
import * as s from './schema.js';

/*
 * A dialect has one table of its request body, `request/members.ts`: `{ key: member(field, schema, traits) } satisfies Members`,
 * in the order in which the members are written. What a setting needs beyond its own value are functions named there (`read`,
 * `write`, `send`); nodes (messages, tools, the form of the answer) keep their codecs and are `elsewhere`. From the table follow
 *
 * - the check of a body and its type (`schemaOf`, `BodyOf`), and what stays in the bag (`knownKeys`);
 * - decoding, encoding for the dialect itself, and for others (`readerOf`, `writerOf`, `senderOf` of member-coders.ts);
 * - the losses of fields without a member, which the compiler asks for (`Unsent`, `unsentOf` of unsent.ts);
 * - what hosts of the dialect ask (`isCounted`, `commonKeys`, `lossFeature`, `tuningsOf`, `betasOf`, `capsOf`, `settlerOf`).
 */

/** Settings of the model whose fields are members one by one. */
interface Groups {
  readonly sampling: Sampling;
  readonly cache: CacheSettings;
  readonly state: StateSettings;
}

/** What is no setting: it has decoders and encoders of its own. */
type Nodes =
  | 'source'
  | 'model'
  | 'instructions'
  | 'turns'
  | 'tools'
  | 'toolChoice'
  | 'output'
  | 'reasoning'
  | 'prefill';

/** A setting of the model, by the path of its field. */
export type RequestField =
  | Exclude<keyof CanonicalRequest, Nodes | 'nativeOnly' | 'at' | 'sampling' | 'state' | keyof Node>
  | { [G in keyof Groups]: `${G}.${keyof Groups[G] & string}` }[keyof Groups];

export type FieldValue<F extends RequestField> = F extends keyof CanonicalRequest
  ? NonNullable<CanonicalRequest[F]>
  : F extends `${infer G extends keyof Groups}.${infer L}`
    ? NonNullable<Groups[G][L & keyof Groups[G]]>
    : never;

/** A request while its members are read. */
export interface Draft {
  readonly out: { -readonly [K in keyof CanonicalRequest]: CanonicalRequest[K] };
  /** Members, and keys of members, for which the model has no field. */
  readonly bag: JsonObject;
  /** JSON Pointers of the fields, by feature. */
  readonly at: Record<string, string>;
}

/** Where losses are reported. */
export interface Telling {
  readonly losses: Losses;
}

/** A body while it is written for a request of another dialect. */
export interface Sending<C = Telling> {
  readonly request: CanonicalRequest;
  readonly context: C;
  /** What was written of it so far. */
  readonly out: JsonObject;
}

/** What is known of a member beside its value. */
interface Traits {
  /** The feature of its losses. Absent: that of its field, else `ext.` and its key. */
  readonly feature?: Feature;
  /** The name of its pointer in `at`. Absent: its feature, or nothing where it has no field. */
  readonly place?: string;
  /** Hosts that refuse unknown members do not know it. */
  readonly rare?: boolean;
  /** Whether a request for a count of tokens takes it too. Absent: settings are for answers alone, all others are not. */
  readonly counts?: boolean;
  /**
   * The service answers the same question without it. `within`: it is only the member of this name inside it that can go;
   * `word`: a word of a list that asks for the same, and goes with it; `otherName`: what other servers call it.
   */
  readonly tunes?: {
    readonly within?: string;
    readonly word?: { readonly list: string; readonly word: string };
    readonly otherName?: string;
  };
  /** How the name of the feature begins that a header has to ask for. */
  readonly beta?: string;
  /** Why other dialects refuse a request whose bag holds it; `code`: the word of that refusal. */
  readonly native?: string;
  readonly code?: string;
  /** The value of a member of the bag that says no more than its absence (translation.md 0.8). */
  readonly neutral?: unknown;
}

interface FieldTraits<F extends RequestField, V> extends Traits {
  /** The value of the field for one of the wire; undefined where it has none. May put more into the draft. Absent: the same value. */
  read?(value: V, draft: Draft): FieldValue<F> | undefined;
  /** The value of the wire for a request of the same dialect; undefined where the member is left out. Absent: the same value. */
  write?(value: FieldValue<F>, request: CanonicalRequest): unknown;
  /** The same for a request of another dialect, with its losses. Absent: the same value. */
  send?(value: FieldValue<F>, sending: Sending, feature: Feature): unknown;
  /** What is sent for a request of another dialect that has no such field, with its losses. Absent: nothing. */
  absent?(sending: Sending, feature: Feature): unknown;
}

interface Covers<K extends RequestField> {
  readonly covers?: readonly K[];
}

/** One member of a body. */
export interface Member extends Traits {
  /** What a value has to be, where the dialect looks at it. Members without one stay in the bag. */
  readonly schema?: s.Schema;
  readonly required?: boolean;
  readonly field?: RequestField;
  readonly members?: Members;
  /** Only requests of the same dialect have it written by the table. */
  readonly home?: boolean;
  read?(value: unknown, draft: Draft): unknown;
  write?(value: unknown, request: CanonicalRequest): unknown;
  send?(value: unknown, sending: Sending, feature: Feature): unknown;
  absent?(sending: Sending, feature: Feature): unknown;
}

/** The members of an object, by key, in the order in which they are written. */
export interface Members {
  readonly [key: string]: Member;
}

/** A member that holds a setting. `covers`: further fields that its functions read and write. */
export function member<F extends RequestField, S extends s.Schema, const K extends RequestField = never>(
  field: F,
  schema: S,
  ...[traits]: s.Infer<S> extends FieldValue<F>
    ? [traits?: FieldTraits<F, s.Infer<S>> & Covers<K>]
    : [traits: FieldTraits<F, s.Infer<S>> & Covers<K> & { read(value: s.Infer<S>, draft: Draft): unknown }]
): Member & { readonly field: F; readonly schema: S; readonly covered?: K } {
  const feature = traits?.feature ?? featureOf(field);
  return { place: feature ?? field, ...traits, feature, field, schema };
}

/** The same of a member that only requests of the same dialect have: `unsent` says what becomes of the field in others. */
export function atHome<F extends RequestField, S extends s.Schema>(
  field: F,
  schema: S,
  ...given: s.Infer<S> extends FieldValue<F>
    ? [traits?: FieldTraits<F, s.Infer<S>>]
    : [traits: FieldTraits<F, s.Infer<S>> & { read(value: s.Infer<S>, draft: Draft): unknown }]
): Member & { readonly schema: S } {
  const made: Member & { readonly schema: S } = member<F, S>(field, schema, ...given);
  return { ...made, home: true };
}

/** A setting that some hosts add to the dialect, whose own services do not know it: bodies of the dialect have it in the bag. */
export function added<F extends RequestField>(
  field: F,
  send: NonNullable<FieldTraits<F, never>['send']>,
): Member & { readonly field: F } {
  return { feature: featureOf(field), field, send };
}

/** An object of settings. What else it holds stays in the bag under its name. `expected`: the reason in the error for another value. */
export function group<M extends Members>(
  members: M,
  { expected, ...traits }: Traits & { readonly expected?: string } = {},
): Omit<Member, 'members'> & { readonly members: M; readonly schema: s.Schema<BodyOf<M>> } {
  return { counts: false, ...traits, members, schema: schemaOf(members, expected) };
}

/** A member that holds nodes, or that is read and written together with others: it is checked, and no more. */
export function elsewhere<S extends s.Schema>(schema: S, traits?: Traits): Member & { readonly schema: S } {
  return { ...traits, schema };
}

/** The same of a member that no body is without. */
export function required<S extends s.Schema>(
  schema: S,
  traits?: Traits,
): Member & { readonly schema: S; readonly required: true } {
  return { ...traits, schema, required: true };
}

/** A member that only this dialect has: it stays in the bag. */
export function own(traits: Traits = {}): Member {
  return traits;
}

type Schemed<M extends Members> = {
  [K in keyof M]: M[K] extends { readonly schema: s.Schema } ? K : never;
}[keyof M];
type Demanded<M extends Members> = { [K in keyof M]: M[K] extends { readonly required: true } ? K : never }[keyof M];
type ValueOf<T extends Member> = s.Infer<NonNullable<T['schema']>>;

/** A body as its table types it; `null` is as good as no value, but for members that are required. */
export type BodyOf<M extends Members> = { readonly [K in Demanded<M>]: ValueOf<M[K]> } & {
  readonly [K in Exclude<Schemed<M>, Demanded<M>>]?: ValueOf<M[K]> | null | undefined;
};

/** The check of a body, and of nothing but the members that the table names. */
export function schemaOf<M extends Members>(members: M, expected?: string): s.Schema<BodyOf<M>> {
  const shape: Record<string, s.Schema> = {};
  for (const [key, { schema, required: isRequired }] of Object.entries(members))
    if (schema !== undefined) shape[key] = isRequired === true ? schema : s.nullish(schema);
  return s.object(shape, expected) as unknown as s.Schema<BodyOf<M>>;
}

/** The keys of a table whose members are so. */
export function keysWhere(members: Members, is: (member: Member) => boolean): ReadonlySet<string> {
  return new Set(Object.keys(members).filter((key) => is(members[key] ?? {})));
}

/** The keys that are read: all others stay in the bag. */
export function knownKeys(members: Members): Keys {
  return new Keys(keysWhere(members, ({ schema }) => schema !== undefined));
}

/** The keys that hosts know which refuse all others. */
export function commonKeys(members: Members): ReadonlySet<string> {
  return keysWhere(members, ({ schema, rare }) => schema !== undefined && rare !== true);
}

/** Whether a request for a count of tokens has the member too. */
export function isCounted({ counts, field }: Member): boolean {
  return counts ?? field === undefined;
}

/** The feature of what is lost of a member. */
export function lossFeature(members: Members, key: string): Feature {
  const { schema, feature }: Member = (Object.hasOwn(members, key) && members[key]) || {};
  return schema === undefined || feature === undefined ? `ext.${key}` : feature;
}

/** Fields whose losses have another name. */
const NAMED: Partial<Record<RequestField, Feature>> = {
  include: 'include.detail',
  cache: 'cache.mark',
  'cache.auto': 'cache.mark',
};

/** What a service keeps is no feature: other services refuse the request for it (translation.md 0.10). */
export function featureOf(field: RequestField): Feature | undefined {
  return NAMED[field] ?? (field.startsWith('state.') ? undefined : (field as Feature));
}

/** A member that only tunes an answer, from the outermost object inwards. */
export interface Tuning {
  readonly path: readonly string[];
  readonly feature: Feature;
  readonly word?: { readonly list: string; readonly word: string };
  /** The name of the same member at other servers. */
  readonly otherName?: string;
}

/** What of a request a service can do without, in the order of the table. */
export function tuningsOf(members: Members): Tuning[] {
  return inner(members).flatMap(([path, { tunes, feature }]) => {
    if (tunes === undefined || feature === undefined) return [];
    const { within, ...rest } = tunes;
    return [{ path: within === undefined ? path : [...path, within], feature, ...rest }];
  });
}

/** The features that a header has to ask for, by how their names begin, with the members that need them. */
export function betasOf(members: Members): { readonly prefix: string; readonly fields: readonly string[] }[] {
  return Object.entries(members).flatMap(([key, { beta }]) =>
    beta === undefined ? [] : [{ prefix: beta, fields: [key] }],
  );
}

/** The outermost members that bound the tokens of an answer. */
export function capsOf(members: Members): readonly string[] {
  return [...keysWhere(members, ({ field }) => field === 'maxOutput')];
}

/** The members of a table and of the objects in it, with their paths. */
function inner(members: Members, path: readonly string[] = []): (readonly [path: readonly string[], member: Member])[] {
  return Object.entries(members).flatMap(([key, one]) => [
    [[...path, key], one] as const,
    ...(one.members === undefined ? [] : inner(one.members, [...path, key])),
  ]);
}

/**
 * Takes out of the bag of a request what says nothing, and finds the wishes that no other dialect can grant without answering
 * another question (translation.md 0.8, 0.10).
 */
export function settlerOf(members: Members): (bag: JsonObject) => NativeOnly[] {
  const neutral = Object.entries(members).filter((entry) => entry[1].neutral !== undefined);
  const native = Object.entries(members).filter((entry) => entry[1].native !== undefined);
  return (bag) => {
    for (const [key, one] of neutral) if (bag[key] === one.neutral) delete bag[key];
    return native.flatMap(([key, { native: message = '', code }]) =>
      bag[key] === undefined || bag[key] === null
        ? []
        : [{ path: `/${key}`, message, ...(code !== undefined && { code }) }],
    );
  };
}

/** The fields of a request, as a table names them. */
export type Fields = { readonly [K in keyof CanonicalRequest]: CanonicalRequest[K] };

/** Reads a field of a request. */
export function getterOf(field: RequestField): (request: Fields) => unknown {
  const [outer = '', leaf] = field.split('.');
  if (leaf === undefined) return (request: JsonObject) => request[outer];
  return (request: JsonObject) => {
    const held = request[outer];
    return isObject(held) ? held[leaf] : undefined;
  };
}
