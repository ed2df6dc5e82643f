/** An editor of CodeMirror, in a shadow root: its styles are adopted there, which a policy without inline styles allows. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Range } from '../spans.js';
import type { Fault, Followed, Mark, Side } from '../work/messages.js';
import { markField, setFault, setFollowed, setMarks, signGutter } from './marks.js';
import { theme } from './theme.js';

/** What an editor tells. */
export interface EditorEvents {
  /** The text was changed by whoever types; `anew` = nothing of the one before is left. */
  typed(text: string, anew: boolean): void;
  /** The caret or the pointer is at an offset. */
  pointed(offset: number): void;
}

/** An editor as the page works with it. */
export interface Editor {
  setText(text: string): void;
  setMarks(marks: readonly Mark[]): void;
  setFault(fault: Fault | undefined): void;
  setFollowed(followed: Followed | undefined): void;
  /** Moves the caret to a place and brings it into sight; `focus` takes the keyboard there too. */
  reveal(range: Range, focus: boolean): void;
  destroy(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-name)' },
  { tag: tags.string, color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-value)' },
  { tag: tags.punctuation, color: 'var(--soft)' },
]);

/** How long the pointer rests on a place before its counterpart is looked for, in ms. */
const REST_MS = 80;

/** Puts an editor into an element. `side` says which of both it is: the target cannot be changed. */
export function createEditor(place: HTMLElement, side: Side, label: string, events: EditorEvents): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
  const isSource = side === 'source';
  const writable = new Compartment();
  let resting: ReturnType<typeof setTimeout> | undefined;
  let own = 0;
  const point = (offset: number | null): void => {
    clearTimeout(resting);
    if (offset !== null) resting = setTimeout(() => events.pointed(offset), REST_MS);
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        signGutter(side),
        foldGutter(),
        codeFolding(),
        markField,
        json(),
        syntaxHighlighting(colours),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        drawSelection(),
        search({ top: true }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
        EditorState.tabSize.of(2),
        ...(isSource ? [history()] : [EditorState.readOnly.of(true)]),
        writable.of([]),
        // Tab leads on, as everywhere on the page.
        keymap.of([...searchKeymap, ...foldKeymap, ...historyKeymap, ...defaultKeymap]),
        theme,
        EditorView.updateListener.of((update) => {
          if (own > 0) return;
          if (update.docChanged) events.typed(update.state.doc.toString(), isAnew(update));
          else if (update.selectionSet) point(update.state.selection.main.head);
        }),
        EditorView.domEventHandlers({
          mousemove: ({ clientX: x, clientY: y }) => point(view.posAtCoords({ x, y })),
          beforeinput: typedOver,
        }),
      ],
    }),
  });
  // What scrolls is reached by the keyboard.
  view.scrollDOM.tabIndex = 0;
  /** What the page does itself is no news to it. */
  const quietly = (change: () => void): void => {
    own += 1;
    try {
      change();
    } finally {
      own -= 1;
    }
  };
  /** What is shown: each update has the browser lay out the page, so that none is made for nothing. */
  const has = { marks: false, fault: false, followed: false };
  const clipped = ({ start, end }: Range) => {
    const { length } = view.state.doc;
    return { anchor: Math.min(start, length), head: Math.min(end, length) };
  };
  return {
    setText(text) {
      const changes = difference(view.state.doc.toString(), text);
      if (changes !== undefined) quietly(() => view.dispatch({ changes }));
    },
    setMarks(marks) {
      if (marks.length > 0 || has.marks) quietly(() => view.dispatch({ effects: setMarks.of(marks) }));
      has.marks = marks.length > 0;
    },
    setFault(fault) {
      if (fault !== undefined || has.fault) quietly(() => view.dispatch({ effects: setFault.of(fault) }));
      has.fault = fault !== undefined;
    },
    setFollowed(followed) {
      if (followed !== undefined || has.followed)
        quietly(() => view.dispatch({ effects: setFollowed.of({ followed, side }) }));
      has.followed = followed !== undefined;
    },
    reveal(range, focus) {
      const { anchor, head } = clipped(range);
      quietly(() =>
        view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) }),
      );
      if (focus) view.focus();
    },
    destroy() {
      clearTimeout(resting);
      view.destroy();
    },
  };
}

/**
 * Puts what is typed in the place of a selection. Chromium would keep its colours in an attribute for style, of which the policy reports each.
 */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event;
  const { state } = view;
  if (inputType !== 'insertText' || data === null || isComposing || state.readOnly || state.selection.main.empty)
    return false;
  event.preventDefault();
  view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

/** Whether a change left nothing of a text. */
function isAnew({ changes, startState }: ViewUpdate): boolean {
  let whole = false;
  changes.iterChanges((from, to) => {
    whole ||= from === 0 && to === startState.doc.length;
  });
  return whole;
}

/** The smallest change that makes a text another one: folds, marks and what is in sight stay elsewhere. */
function difference(before: string, after: string) {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let tail = 0;
  while (
    tail < most - from &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
