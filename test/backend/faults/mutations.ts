import fc from 'fast-check';

/** Values that no field expects, or that only some do. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_992,
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  '__proto__',
  'x'.repeat(5000),
  'data:image/png;base64,!!!',
  'http://127.0.0.1:1/x',
  [],
  {},
  [[]],
  [null],
  [{}],
  { type: 'x' },
  { type: null },
  { type: 'text' },
  { type: 'function' },
  { text: 7 },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  { $ref: '#' },
  { toString: 1, valueOf: null, length: -1 },
  deep(100),
];

function deep(levels: number): unknown {
  return levels === 0 ? [] : { items: deep(levels - 1), a: [1] };
}

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

/** Every value inside a body, by what holds it. */
function placesIn(node: unknown): Place[] {
  if (typeof node !== 'object' || node === null) return [];
  const holder = node as Place['holder'];
  return Object.entries(holder).flatMap(([key, child]) => [{ holder, key }, ...placesIn(child)]);
}

/** One change. Numbers choose: places by their share of the way through the body. */
interface Change {
  readonly kind: 'replace' | 'delete' | 'repeat' | 'rename' | 'wrap' | 'unwrap' | 'copy' | 'add';
  readonly at: number;
  readonly from: number;
  readonly odd: unknown;
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'delete', 'repeat', 'rename', 'wrap', 'unwrap', 'copy', 'add'),
  at: share,
  from: share,
  odd: fc.constantFrom(...ODD),
});

/** Changes a body in place. */
function apply(body: unknown, { kind, at, from, odd }: Change): void {
  const places = placesIn(body);
  const place = places[Math.floor(at * places.length)];
  const other = places[Math.floor(from * places.length)];
  if (place === undefined || other === undefined) return;
  const { holder, key } = place;
  const values = holder as Record<string, unknown>;
  const value = values[key];
  switch (kind) {
    case 'replace':
      values[key] = structuredClone(odd);
      return;
    case 'delete':
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete values[key];
      return;
    case 'repeat':
      if (Array.isArray(holder)) holder.push(structuredClone(value), structuredClone(value));
      else values[`${key}_`] = structuredClone(value);
      return;
    case 'rename':
      if (Array.isArray(holder)) return;
      delete values[key];
      values[other.key] = value;
      return;
    case 'wrap':
      values[key] = [value];
      return;
    case 'unwrap':
      if (Array.isArray(value)) values[key] = value[0];
      return;
    case 'copy':
      values[key] = structuredClone((other.holder as Record<string, unknown>)[other.key]);
      return;
    case 'add':
      values[other.key] = structuredClone(odd);
  }
}

/** Faults of the text itself, of which one in ten bodies has one. */
const spoil: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { arbitrary: fc.constant((text: string) => text), weight: 9 },
  {
    arbitrary: fc.tuple(share, fc.constantFrom('', '{', '"', '\\', ',', '\u0000', '[', 'NaN', '\ufeff')).map(
      ([at, more]) =>
        (text: string) =>
          text.slice(0, Math.floor(at * text.length)) + more,
    ),
    weight: 1,
  },
);

/** Values made from valid ones by up to three changes. */
export function changed<T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    for (const one of changes) apply(copy, one);
    return copy;
  });
}

/** The same as JSON, some of which is none. */
export function malformed(valid: fc.Arbitrary<object>): fc.Arbitrary<string> {
  return fc.tuple(changed(valid), spoil).map(([body, spoiled]) => spoiled(JSON.stringify(body) ?? ''));
}
