import fc from 'fast-check';
import { isObject } from '../../../translators/wire/json.js';
import { jsonValues } from '../values.js';

/** A key nobody knows, with a value, for one of the objects of a body. */
export interface Sprinkle {
  /** Chooses the object: any number, counted round. */
  readonly place: number;
  readonly key: string;
  readonly value: unknown;
}

const keys = fc.constantFrom('x_new', 'xNew', 'zz', 'x/y', 'x~y', '__proto__', 'constructor');

/** A handful of unknown keys. */
export const sprinkles: fc.Arbitrary<Sprinkle[]> = fc.array(
  fc.record({ place: fc.nat({ max: 10_000 }), key: keys, value: jsonValues }),
  { minLength: 1, maxLength: 3 },
);

/** A copy of a body with the keys put in. `closed` tells objects that take none, by their pointer. */
export function sprinkled(body: unknown, list: readonly Sprinkle[], closed: (pointer: string) => boolean): unknown {
  const copy = structuredClone(body);
  const places = objectsIn(copy, '').filter(({ pointer }) => !closed(pointer));
  for (const { place, key, value } of list) {
    const target = places[place % places.length]?.node;
    if (target === undefined || Object.hasOwn(target, key)) continue;
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

interface Place {
  readonly pointer: string;
  readonly node: object;
}

function objectsIn(value: unknown, pointer: string): Place[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => objectsIn(entry, `${pointer}/${index}`));
  if (!isObject(value)) return [];
  return [
    { pointer, node: value },
    ...Object.entries(value).flatMap(([key, entry]) => objectsIn(entry, `${pointer}/${key}`)),
  ];
}
