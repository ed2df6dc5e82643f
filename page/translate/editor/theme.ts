import { EditorView } from '@codemirror/view';

const kinds = ['dropped', 'approximated', 'moved', 'invented'] as const;

/** The look of an editor, of the page's colours. */
export const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', background: 'var(--panel)', fontSize: 'var(--code-size)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.25rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection)',
  },
  '.cm-activeLine': { background: 'none' },
  '&.cm-focused .cm-activeLine': { background: 'var(--active-line)' },
  '.cm-selectionMatch': { background: 'var(--selection)' },
  '.cm-gutters': { color: 'var(--soft)', background: 'var(--panel)', border: '0' },
  '.cm-foldPlaceholder': { color: 'var(--soft)', background: 'none', border: '1px solid var(--line)' },
  '.cm-panels': { color: 'var(--ink)', background: 'var(--paper)', borderColor: 'var(--line)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield, .cm-button': {
    color: 'inherit',
    background: 'var(--panel)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--round)',
  },
  '.cm-searchMatch': { background: 'var(--approximated)' },
  '.cm-tooltip': { color: 'var(--ink)', background: 'var(--panel)', border: '1px solid var(--line)' },
  '.mark': { borderRadius: '2px' },
  '.mark.around': { background: 'none', outline: '1px dashed var(--line)' },
  '.mark.current': { background: 'var(--current)' },
  '.mark.fault': { textDecoration: 'underline wavy var(--dropped-line)', textUnderlineOffset: '0.2em' },
  ...Object.fromEntries(
    kinds.flatMap((kind) => [
      [`.mark.${kind}`, { background: `var(--${kind})`, boxShadow: `0 1px 0 var(--${kind}-line)` }],
      [`.mark.${kind}.around`, { background: 'none', outline: `1px dashed var(--${kind}-line)`, boxShadow: 'none' }],
      [`.sign.${kind}`, { color: `var(--${kind}-line)` }],
    ]),
  ),
  '.signs': { minWidth: '1.1em' },
  '.sign': { fontWeight: '700', cursor: 'help', padding: '0 0.15em' },
  '.sign.nowhere': { color: 'var(--soft)' },
  '.followed': { background: 'var(--followed)', outline: '1px solid var(--accent)', borderRadius: '2px' },
});
