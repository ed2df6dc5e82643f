import fc from 'fast-check';
import { argumentText, type Fragments, inFragments, maybe, objectIn, opaque, riffle, type Wire } from './values.js';

/** The calls of one answer: the `tool_calls` of its chunks, and what they are in a whole answer. */
export interface Called {
  readonly chunks: readonly (readonly Wire[])[];
  readonly whole: readonly Wire[];
  /** Deltas of several calls come in turn. */
  readonly interleaved: boolean;
}

interface Call {
  readonly name: string;
  readonly args: Fragments;
}

/** A call on its way: how a host opens it, and the deltas that follow. */
interface Deltas {
  readonly first: readonly Wire[];
  readonly rest: readonly (readonly Wire[])[];
}

type Style = (call: Call, place: number) => Deltas;

const idOf = (place: number): string => `call_${place}`;

/** A call at its index, with everything but its arguments. */
function head(place: number, name: string, more: Wire = {}): Wire {
  return { index: place, id: idOf(place), type: 'function', function: { name, ...more } };
}

function pieces({ args }: Call, wrap: (piece: string) => Wire): Wire[][] {
  return args.pieces.map((piece) => [wrap(piece)]);
}

/** How hosts write a call in deltas, by the rows of [H §7.3]. */
const STYLES = {
  opened: (call, place) => ({
    first: [head(place, call.name, { arguments: '' })],
    rest: pieces(call, (piece) => ({ index: place, function: { arguments: piece } })),
  }),
  whole: (call, place) => ({ first: [head(place, call.name, { arguments: call.args.whole })], rest: [] }),
  repeated: (call, place) => ({
    first: [head(place, call.name, { arguments: '' })],
    rest: pieces(call, (piece) => head(place, call.name, { arguments: piece })),
  }),
  blankIds: (call, place) => ({
    first: [head(place, call.name, { arguments: '' })],
    rest: pieces(call, (piece) => ({ index: place, id: '', type: 'function', function: { arguments: piece } })),
  }),
  nameless: (call, place) => ({
    first: [head(place, call.name, { arguments: '' })],
    rest: pieces(call, (piece) => ({ type: 'function', function: { name: '', arguments: piece } })),
  }),
  bare: (call, place) => ({
    first: [head(place, call.name)],
    rest: pieces(call, (piece) => ({ index: place, function: { arguments: piece } })),
  }),
  nulls: (call, place) => ({
    first: [head(place, call.name, { arguments: null })],
    rest: pieces(call, (piece) => ({ index: place, function: { arguments: piece === '' ? null : piece } })),
  }),
  fromOne: (call, place) => ({
    first: [{ ...head(place, call.name, { arguments: '' }), index: place + 1 }],
    rest: pieces(call, (piece) => ({ index: place + 1, function: { arguments: piece } })),
  }),
  oneIndex: (call, place) => ({
    first: [{ ...head(place, call.name, { arguments: '' }), index: 0 }],
    rest: pieces(call, (piece) => ({ index: 0, function: { arguments: piece } })),
  }),
  unnumbered: (call, place) => ({
    first: [{ id: idOf(place), type: 'function', function: { name: call.name, arguments: '' } }],
    rest: pieces(call, (piece) => ({ function: { arguments: piece } })),
  }),
  twoEntries: (call, place) => ({
    first: [head(place, call.name), { index: place, function: { arguments: call.args.pieces[0] ?? '' } }],
    rest: call.args.pieces.slice(1).map((piece) => [{ index: place, function: { arguments: piece } }]),
  }),
  newIndex: (call, place) => ({
    first: [{ ...head(place, call.name, { arguments: '' }), index: place * 2 }],
    rest: pieces(call, (piece) => ({ index: place * 2 + 1, function: { arguments: piece } })),
  }),
  growingName: (call, place) => ({
    first: [{ index: place, id: idOf(place), type: 'function', function: { name: call.name.slice(0, 2) } }],
    rest: [
      [{ index: place, function: { name: call.name } }],
      ...pieces(call, (piece) => ({ index: place, function: { arguments: piece } })),
    ],
  }),
  asObject: (call, place) => {
    const value = objectIn(call.args.whole);
    return { first: [head(place, call.name, { arguments: value ?? call.args.whole })], rest: [] };
  },
  besideCustom: (call, place) => ({
    first: [{ ...head(place, call.name, { arguments: '' }), custom: { name: '', input: '' } }],
    rest: pieces(call, (piece) => ({
      index: place,
      function: { arguments: piece },
      custom: { name: '', input: '' },
    })),
  }),
  withoutIds: (call, place) => ({
    first: [{ ...head(place, call.name, { arguments: call.args.whole }), id: '' }],
    rest: [],
  }),
  twice: (call, place) => {
    const whole = head(place, call.name, { arguments: call.args.whole });
    // What is no object may as well go on.
    return { first: [whole], rest: objectIn(call.args.whole) === undefined ? [] : [[whole]] };
  },
  freeform: (call, place) => ({
    first: [{ index: place, id: idOf(place), type: 'custom', custom: { name: call.name, input: '' } }],
    rest: pieces(call, (piece) => ({ index: place, custom: { input: piece } })),
  }),
} as const satisfies Readonly<Record<string, Style>>;

type StyleName = keyof typeof STYLES;

const NAMES = Object.keys(STYLES) as readonly StyleName[];

/** Styles whose deltas name the call that they belong to, so that calls may come in turn. */
const NAMING: ReadonlySet<StyleName> = new Set(['opened', 'repeated', 'blankIds', 'bare', 'nulls', 'fromOne']);

function wholeOf(style: StyleName, { name, args }: Call, place: number): Wire {
  if (style === 'freeform') return { id: idOf(place), type: 'custom', custom: { name, input: args.whole } };
  const id = style === 'withoutIds' ? '' : idOf(place);
  return { id, type: 'function', function: { name, arguments: args.whole } };
}

/** A signature of the service behind a call ([H §3.3], `extra_content`). */
function signed(call: Wire, signature: string | undefined): Wire {
  if (signature === undefined) return call;
  return { ...call, extra_content: { google: { thought_signature: signature } } };
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('look', 'get_weather', 'parallel', 'write'),
  args: inFragments(fc.oneof({ weight: 9, arbitrary: argumentText }, fc.constantFrom('', '{"cut": "of', '[1]'))),
});

/** Calls of an answer as one host writes them. */
export const called: fc.Arbitrary<Called> = fc
  .record({
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    style: fc.constantFrom(...NAMES),
    picks: maybe(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 })),
    together: fc.boolean(),
    signature: maybe(opaque),
  })
  .map(({ calls, style, picks, together, signature }) => {
    const sign = (wire: Wire, place: number): Wire => signed(wire, place === 0 ? signature : undefined);
    const whole = calls.map((one, place) => sign(wholeOf(style, one, place), place));
    const deltas = calls.map((one, place): Deltas => {
      const { first, rest } = STYLES[style](one, place);
      return { first: first.map((wire, index) => (index === 0 ? sign(wire, place) : wire)), rest };
    });
    const inTurn = picks !== undefined && NAMING.has(style) && calls.length > 1;
    const serial = deltas.map(({ first, rest }) => [first, ...rest]);
    if (!inTurn) {
      const chunks = serial.flat();
      const single = serial.every((list) => list.length === 1);
      return { chunks: together && single ? [chunks.flat()] : chunks, whole, interleaved: false };
    }
    const rest = riffle(
      deltas.map(({ rest: list }) => list),
      picks,
    );
    return { chunks: [...deltas.map(({ first }) => first), ...rest], whole, interleaved: true };
  });

/** The one call of an answer to a request with `functions` [H §4.5]. */
export const legacyCall: fc.Arbitrary<{ readonly deltas: readonly Wire[]; readonly whole: Wire }> = call.map(
  ({ name, args }) => ({
    deltas: [{ name, arguments: '' }, ...args.pieces.map((piece) => ({ arguments: piece }))],
    whole: { name, arguments: args.whole },
  }),
);
