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

/** An answer that ends in words or calls, as every answer does that a client goes on with; calls come last. */
export const deeds: fc.Arbitrary<readonly Deed[]> = fc
  .record({ first: fc.array(deed, { maxLength: 5 }), last: text })
  .map(({ first, last }) => {
    const calls = first.filter(({ kind }) => kind === 'call');
    const rest = first.filter(({ kind }) => kind !== 'call');
    // Thoughts stand where they were drawn, between the calls too.
    const mixed =
      calls.length === 0
        ? rest
        : [
            ...rest.filter(({ kind }) => kind !== 'thought'),
            ...first.filter(({ kind }) => kind === 'thought' || kind === 'call'),
          ];
    const ending = mixed.at(-1)?.kind;
    return ending === 'call'
      ? mixed
      : [...mixed, ...(calls.length === 0 ? [{ kind: 'text' as const, text: last, signed: true }] : calls.slice(-1))];
  });
