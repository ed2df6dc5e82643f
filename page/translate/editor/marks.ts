import { type Range, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { Fault, Followed, Mark, Side } from '../work/messages.js';
import { SIGNS } from './signs.js';

export const setMarks = StateEffect.define<readonly Mark[]>();
export const setFault = StateEffect.define<Fault | undefined>();
export const setFollowed = StateEffect.define<{ readonly followed: Followed | undefined; readonly side: Side }>();

interface Shown {
  readonly marks: DecorationSet;
  readonly signs: RangeSet<Sign>;
  readonly followed: DecorationSet;
  readonly nowhere: RangeSet<Sign>;
  readonly fault: DecorationSet;
}

const NONE: Shown = {
  marks: Decoration.none,
  signs: RangeSet.empty,
  followed: Decoration.none,
  nowhere: RangeSet.empty,
  fault: Decoration.none,
};

/** A sign in the gutter, with its sentence. */
class Sign extends GutterMarker {
  constructor(
    readonly kind: string,
    readonly sign: string,
    readonly words: string,
  ) {
    super();
  }

  override eq(other: Sign): boolean {
    return other.kind === this.kind && other.words === this.words;
  }

  override toDOM(): Node {
    const node = document.createElement('span');
    node.className = `sign ${this.kind}`;
    node.textContent = this.sign;
    node.title = this.words;
    return node;
  }
}

/** The marks of an editor. Places that lie beyond its text are left out: they are of another one. */
export const markField = StateField.define<Shown>({
  create: () => NONE,
  update(value, transaction) {
    let shown = value;
    const { doc } = transaction.state;
    if (transaction.docChanged) {
      const { changes } = transaction;
      shown = {
        marks: shown.marks.map(changes),
        signs: shown.signs.map(changes),
        followed: Decoration.none,
        nowhere: RangeSet.empty,
        fault: shown.fault.map(changes),
      };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const marks = effect.value.filter(({ start, end }) => end > start && end <= doc.length);
        const signs = marks.filter(({ kind }) => kind in SIGNS);
        shown = {
          ...shown,
          marks: Decoration.set(
            marks.flatMap((mark) => decorationsOf(mark, doc)),
            true,
          ),
          signs: RangeSet.of(
            signs.map(({ start, kind, title }) =>
              new Sign(kind, SIGNS[kind as keyof typeof SIGNS], title).range(doc.lineAt(start).from),
            ),
            true,
          ),
        };
      }
      if (effect.is(setFault)) shown = { ...shown, fault: faultIn(effect.value, doc) };
      if (effect.is(setFollowed)) shown = { ...shown, ...followedIn(effect.value, doc) };
    }
    return shown;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ marks }) => marks),
    EditorView.decorations.from(field, ({ followed }) => followed),
    EditorView.decorations.from(field, ({ fault }) => fault),
  ],
});

/** A fault is underlined where it is, at the end of a text below its last sign. */
function faultIn(fault: Fault | undefined, { length }: Text): DecorationSet {
  if (fault === undefined || length === 0) return Decoration.none;
  const from = Math.min(fault.start, length - 1);
  const to = Math.min(Math.max(fault.end, fault.start + 1), length);
  const title = `${fault.expected} is expected here`;
  return Decoration.set([Decoration.mark({ class: 'mark fault', attributes: { title } }).range(from, to)]);
}

/** So many lines of one value are marked. */
const MOST_LINES = 200;

/** A mark line by line: the white space that begins a line is no part of what is marked. */
function decorationsOf({ start, end, kind, around, title }: Mark, doc: Text): Range<Decoration>[] {
  const decoration = Decoration.mark({
    class: `mark ${kind}${around === true ? ' around' : ''}`,
    attributes: { title },
  });
  const first = doc.lineAt(start);
  const last = Math.min(doc.lineAt(end).number, first.number + MOST_LINES);
  const found: Range<Decoration>[] = [];
  for (let number = first.number; number <= last; number++) {
    const { from, text, to } = doc.line(number);
    const begin = Math.max(start, from + (text.length - text.trimStart().length));
    const stop = Math.min(end, to);
    if (stop > begin) found.push(decoration.range(begin, stop));
  }
  return found;
}

/** How much of a followed value is lit, in UTF-16 units: of a long one where it begins. */
const MOST_LIT = 4000;

function followedIn(
  { followed, side }: { readonly followed: Followed | undefined; readonly side: Side },
  doc: Text,
): Pick<Shown, 'followed' | 'nowhere'> {
  const own = followed?.own;
  if (followed === undefined || own === undefined) return { followed: Decoration.none, nowhere: RangeSet.empty };
  const isHere = followed.side === side;
  const ranges = (isHere ? [own] : followed.others)
    .map(({ start, end }) => ({ start, end: Math.min(end, start + MOST_LIT) }))
    .filter(({ start, end }) => end > start && end <= doc.length);
  const lit = ranges.map(({ start, end }) => Decoration.mark({ class: 'followed' }).range(start, end));
  const lost = isHere && followed.nowhere !== undefined && own.start <= doc.length ? followed.nowhere : undefined;
  return {
    followed: Decoration.set(lit, true),
    nowhere:
      lost === undefined
        ? RangeSet.empty
        : RangeSet.of([new Sign('nowhere', '∅', lost).range(doc.lineAt(own.start).from)]),
  };
}

/** The gutter of the signs: what was lost on a line, and that the followed value goes nowhere. */
export function signGutter(side: Side) {
  return gutter({
    class: `signs ${side}`,
    markers: (view) => {
      const { signs, nowhere } = view.state.field(markField);
      return [signs, nowhere];
    },
    initialSpacer: () => new Sign('', ' ', ''),
  });
}
