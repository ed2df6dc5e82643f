import { TranslationError } from '../canonical/errors.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { type FieldValue, featureOf, getterOf, type Members, type RequestField, type Telling } from './members.js';

/** Why a field is lost at a dialect that has no member for it. */
export interface Lost<V> {
  readonly detail: string;
  /** The request is refused for it, instead. */
  readonly refuses?: true;
  /** Absent: always. */
  when?(value: V, request: CanonicalRequest, context: Telling): boolean;
}

/** The loss of the field is reported where more is known of the request. */
export const toldElsewhere = [] as const;

/** Lost, but for the value that says no more than its absence. */
export function unless<V>(neutral: V, detail: string): Lost<V> {
  return { detail, when: (value) => value !== neutral };
}

/** Lost, but for an empty list or object. */
export function filled(detail: string): Lost<object> {
  return { detail, when: (value) => Object.keys(value).length > 0 };
}

/** Whether the answer is wanted in sound or moving pictures. */
export function isSpoken(media: readonly string[]): boolean {
  return media.includes('audio') || media.includes('video');
}

/** Fields that every dialect has, or that are refused elsewhere. */
type Common = 'stream' | 'cache' | `state.${string}`;

type FieldOf<M extends Members> = {
  [K in keyof M]:
    | (M[K] extends { readonly field: infer F } ? F : never)
    | (M[K] extends { readonly covered?: infer F } ? F : never)
    | (M[K] extends { readonly members: infer I extends Members } ? FieldOf<I> : never);
}[keyof M];

/** A sentence for each field of the model that the table has no member for. */
export type Unsent<M extends Members> = {
  readonly [F in Exclude<RequestField, Common | FieldOf<M>>]:
    | string
    | Lost<FieldValue<F>>
    | readonly Lost<FieldValue<F>>[];
};

interface Unsendable {
  readonly [field: string]: string | Lost<never> | readonly Lost<never>[];
}

/**
 * What becomes of fields without a member. `refuse` throws TranslationError `unsupported` for a request that cannot do without
 * one of them, `report` reports what is dropped.
 */
export function unsentOf(unsent: Unsendable): {
  refuse(request: CanonicalRequest, context: Telling): void;
  report(request: CanonicalRequest, context: Telling): void;
} {
  const all = Object.entries(unsent).flatMap(([field, given]) => {
    const feature = featureOf(field as RequestField) ?? `ext.${field}`;
    const get = getterOf(field as RequestField);
    const rules: readonly Lost<unknown>[] = Array.isArray(given)
      ? given
      : [typeof given === 'string' ? { detail: given } : given];
    return rules.map((rule) => ({ feature, get, rule }));
  });
  const refused = all.filter(({ rule }) => rule.refuses === true);
  const dropped = all.filter(({ rule }) => rule.refuses !== true);
  const holds = ({ get, rule }: (typeof all)[number], request: CanonicalRequest, context: Telling): boolean => {
    const value = get(request);
    return value !== undefined && rule.when?.(value, request, context) !== false;
  };
  return {
    refuse(request, context) {
      const found = refused.find((one) => holds(one, request, context));
      if (found !== undefined)
        throw new TranslationError('unsupported', found.rule.detail, { path: request.at?.[found.feature] ?? '' });
    },
    report(request, context) {
      for (const one of dropped)
        if (holds(one, request, context)) context.losses.add(request, one.feature, 'dropped', one.rule.detail);
    },
  };
}
