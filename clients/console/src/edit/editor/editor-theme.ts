import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Colours from the tokens of the design, which change with the theme of the page. */
const theme = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '12.5px',
    height: '100%',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    color: 'var(--text-3)',
    backgroundColor: 'var(--surface)',
    borderRight: '1px solid var(--border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)' },
  '.cm-matchingBracket': {
    backgroundColor: 'var(--active)',
    outline: '1px solid var(--border-strong)',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow-2)',
    maxWidth: 'min(440px, 90vw)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', color: 'var(--text)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-accent)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionDetail': { marginLeft: '12px', fontStyle: 'normal', opacity: '1' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 10px', fontFamily: 'var(--font)' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font)', borderLeft: 'none' },
  '.cm-diagnostic-error': { boxShadow: 'inset 3px 0 0 var(--bad-mark)' },
  '.cm-diagnostic-warning': { boxShadow: 'inset 3px 0 0 var(--warn-mark)' },
  '.cm-lintRange': { backgroundImage: 'none' },
  '.cm-lintRange-error': {
    borderBottom: '2px solid var(--bad-mark)',
    backgroundColor: 'var(--bad-soft)',
  },
  '.cm-lintRange-warning': { borderBottom: '2px dotted var(--warn-mark)' },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--bad-mark)' },
  '.cm-foldGutter span': { color: 'var(--text-3)' },
  '.cm-foldPlaceholder': {
    color: 'var(--text-2)',
    backgroundColor: 'var(--active)',
    border: 'none',
  },
  '.cm-placeholder': { color: 'var(--text-3)' },
})

const highlighting = HighlightStyle.define([
  {
    tag: [tags.definition(tags.propertyName), tags.propertyName],
    color: 'light-dark(#7a2f9c, #c9a6ff)',
  },
  { tag: [tags.string, tags.attributeValue], color: 'light-dark(#14713f, #7fd6a8)' },
  { tag: [tags.content, tags.number, tags.bool, tags.null], color: 'var(--text)' },
  { tag: [tags.lineComment, tags.comment], color: 'var(--text-3)', fontStyle: 'italic' },
  {
    tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace],
    color: 'var(--text-2)',
  },
  { tag: [tags.labelName, tags.typeName, tags.keyword], color: 'light-dark(#8a5300, #f0b557)' },
])

/** The look of the editor in both themes. */
export const editorTheme: Extension = [theme, syntaxHighlighting(highlighting)]
