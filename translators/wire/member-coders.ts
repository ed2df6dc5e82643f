import type { Feature } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { isObject } from './json.js';
import {
  type Draft,
  type Fields,
  getterOf,
  knownKeys,
  type Member,
  type Members,
  type RequestField,
  type Sending,
  type Telling,
} from './members.js';

/** Keeps what an object of a body holds beside the members of its table, under the key of the object. */
type KeepRest = (bag: JsonObject, key: string, node: unknown, known: ReadonlySet<string>) => void;

/**
 * Reads the members of a checked body into a draft: fields, their pointers, and what else its objects hold. `raw` is the body
 * as it came, `place` where a member stands in it; absent: below `path`, under its key.
 */
type Reader = (body: JsonObject, raw: JsonObject, draft: Draft, place?: (key: string) => string) => void;

/** The reader of a table. */
export function readerOf(members: Members, keepRest: KeepRest, path = ''): Reader {
  const steps = Object.entries(members).flatMap(([key, one]) => readStep(key, one, keepRest, `${path}/${key}`));
  return (body, raw, draft, place) => {
    for (const { key, run } of steps) {
      const value = body[key];
      if (value !== undefined && value !== null) run(value, raw, draft, place);
    }
  };
}

type Run = (value: unknown, raw: JsonObject, draft: Draft, place: ((key: string) => string) | undefined) => void;

function readStep(
  key: string,
  { schema, field, members, place, read }: Member,
  keepRest: KeepRest,
  path: string,
): { readonly key: string; readonly run: Run }[] {
  if (members !== undefined) {
    const known = knownKeys(members);
    const readInner = readerOf(members, keepRest, path);
    const run: Run = (value, raw, draft) => {
      if (!isObject(value)) return;
      if (place !== undefined) draft.at[place] = path;
      keepRest(draft.bag, key, raw[key], known);
      readInner(value, value, draft);
    };
    return [{ key, run }];
  }
  if (schema === undefined || (field === undefined && place === undefined)) return [];
  const set = field === undefined ? undefined : setterOf(field);
  const run: Run = (given, _raw, draft, placeOf) => {
    if (set !== undefined) {
      const value = read === undefined ? given : read(given, draft);
      if (value === undefined) return;
      set(draft.out, value);
    }
    if (place !== undefined) draft.at[place] = placeOf === undefined ? path : placeOf(key);
  };
  return [{ key, run }];
}

function setterOf(field: RequestField): (out: JsonObject, value: unknown) => void {
  const [outer = '', leaf] = field.split('.');
  if (leaf === undefined)
    return (out, value) => {
      out[outer] = value;
    };
  return (out, value) => {
    objectAt(out, outer)[leaf] = value;
  };
}

/** A member of a table, or of an object in it, with the field that it holds. */
interface Step {
  readonly key: string;
  /** The key of the object that it is in. */
  readonly holder?: string;
  readonly member: Member;
  readonly feature: Feature;
  get(request: Fields): unknown;
}

function stepsOf(members: Members, holder?: string): Step[] {
  return Object.entries(members).flatMap(([key, one]) => {
    if (one.members !== undefined) return stepsOf(one.members, key);
    const { field, feature = `ext.${key}` } = one;
    return field === undefined ? [] : [{ key, holder, member: one, feature, get: getterOf(field) }];
  });
}

/** Writes the members of a request of the same dialect as they came, the bag left out. */
export function writerOf(members: Members): (out: JsonObject, request: CanonicalRequest) => void {
  const steps = stepsOf(members).filter(({ member: { schema } }) => schema !== undefined);
  const groups = Object.entries(members).filter(([, one]) => one.members !== undefined);
  return (out, request) => {
    for (const [key, { place }] of groups) if (place !== undefined && request.at?.[place] !== undefined) out[key] = {};
    for (const { key, holder, member: one, get } of steps) {
      const value = get(request);
      if (value !== undefined) put(out, holder, key, one.write === undefined ? value : one.write(value, request));
    }
  };
}

/** Writes the members of a request of another dialect, and reports the losses. */
export function senderOf<C>(
  members: Members,
): (out: JsonObject, request: CanonicalRequest, context: C & Telling) => void {
  const steps = stepsOf(members).filter(({ member: one }) => one.home !== true);
  return (out, request, context) => {
    const sending: Sending<C & Telling> = { request, context, out };
    for (const { key, holder, member: one, feature, get } of steps) {
      const value = get(request);
      if (value === undefined) put(out, holder, key, one.absent?.(sending, feature));
      else put(out, holder, key, one.send === undefined ? value : one.send(value, sending, feature));
    }
  };
}

function put(out: JsonObject, holder: string | undefined, key: string, value: unknown): void {
  if (value !== undefined) (holder === undefined ? out : objectAt(out, holder))[key] = value;
}

/** The object under a key, which is made where there is none. */
function objectAt(out: JsonObject, key: string): JsonObject {
  const held = out[key];
  if (isObject(held)) return held;
  const made: JsonObject = {};
  out[key] = made;
  return made;
}

/**
 * A body with the bag of its request. Of objects that the model has taken apart, the bag keeps under their own name the keys that
 * it has no field for.
 */
export function withBag(out: JsonObject, bag: Readonly<JsonObject> | undefined): JsonObject {
  const rest = { ...bag };
  for (const key of Object.keys(rest)) {
    // What a key called `__proto__` would find is nothing of ours.
    const encoded = Object.hasOwn(out, key) ? out[key] : undefined;
    if (!isObject(rest[key]) || !isObject(encoded)) continue;
    out[key] = { ...encoded, ...rest[key] };
    delete rest[key];
  }
  return { ...out, ...rest };
}
