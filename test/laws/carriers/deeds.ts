import fc from 'fast-check';

/** What a model does in one answer, in no dialect; an issuer says it in its own nodes and leaves out what it cannot do. */
export type Deed =
  | { readonly kind: 'thought'; readonly text: string; readonly form: 'shown' | 'hidden' }
  | { readonly kind: 'text'; readonly text: string; readonly signed: boolean }
  | { readonly kind: 'call'; readonly path: string; readonly signed: boolean }
  | { readonly kind: 'hosted'; readonly of: 'code' | 'search' | 'server' }
  | { readonly kind: 'picture' }
  /** Only one service does that: a signature on nothing. */
  | { readonly kind: 'sign' };

const text = fc.constantFrom('Well.', 'The file is empty.', 'ünïcode — "quoted" \\ end', 'a\n\nb', '😀');
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('thought' as const),
      text,
      form: fc.constantFrom('shown', 'shown', 'hidden'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('text' as const), text, signed: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      path: fc.constantFrom('a', 'b/c'),
      signed: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('hosted' as const), of: fc.constantFrom('code', 'search', 'server') }),
  },
  { weight: 1, arbitrary: fc.constant<Deed>({ kind: 'picture' }) },
  { weight: 1, arbitrary: fc.constant<Deed>({ kind: 'sign' }) },
);

/** An answer that ends in words or calls, as most do; calls come last. */
export const deeds: fc.Arbitrary<readonly Deed[]> = fc
  .record({ first: fc.array(deed, { maxLength: 5 }), last: text })
  .map(({ first, last }) => ended(ordered(first), last));

/** An answer that may also end in what the service ran or made. */
export const anyDeeds: fc.Arbitrary<readonly Deed[]> = fc
  .record({ first: fc.array(deed, { maxLength: 5 }), last: fc.option(text, { freq: 3 }) })
  .map(({ first, last }) => {
    const all = ordered(first);
    const ending = all.at(-1)?.kind;
    return last === null && (ending === 'hosted' || ending === 'picture') ? all : ended(all, last ?? 'So it is.');
  });

/** Thoughts stand where they were drawn, between the calls too. */
function ordered(first: readonly Deed[]): readonly Deed[] {
  if (!first.some(({ kind }) => kind === 'call')) return first;
  return [
    ...first.filter(({ kind }) => kind !== 'call' && kind !== 'thought'),
    ...first.filter(({ kind }) => kind === 'thought' || kind === 'call'),
  ];
}

function ended(all: readonly Deed[], text: string): readonly Deed[] {
  if (all.at(-1)?.kind === 'call') return all;
  const calls = all.filter(({ kind }) => kind === 'call');
  return [...all, ...(calls.length === 0 ? [{ kind: 'text' as const, text, signed: true }] : calls.slice(-1))];
}
