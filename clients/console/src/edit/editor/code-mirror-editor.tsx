import { completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { YamlProblem } from '../yaml/parse-yaml.ts'
import { cspNonce } from '../../design/csp-nonce.ts'
import type { EditorProps } from './editor-props.ts'
import type { FocusHandover } from './focus-handover.ts'
import { editorTheme } from './editor-theme.ts'
import { schemaCompletion } from './schema-completion.ts'
import { schemaHover } from './schema-hover.ts'

/** The editor itself. It is loaded when a page first shows a text. */
export default function CodeMirrorEditor(props: EditorProps) {
  const { label, value, onChange, onSave, isReadOnly = false, problems, schema, handover } = props
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView | null>(null)
  const [parts] = useState(() => ({ schema: new Compartment(), access: new Compartment() }))
  const change = useEffectEvent((text: string) => onChange?.(text))
  const save = useEffectEvent(() => {
    onSave?.()
    return true
  })
  const start = useEffectEvent((parent: HTMLElement) => {
    const extensions = [
      keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => save() }]),
      BASICS,
      nonceOfPage(),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) change(update.state.doc.toString())
      }),
      parts.schema.of([]),
      parts.access.of([]),
    ]
    const created = new EditorView({
      parent,
      state: EditorState.create({ doc: value, extensions }),
    })
    takeFocus(created, handover)
    return created
  })

  useEffect(() => {
    if (host.current === null) return
    const created = start(host.current)
    setView(created)
    return () => created.destroy()
  }, [])
  useEffect(() => {
    if (view !== null) replaceText(view, value)
  }, [view, value])
  useEffect(() => {
    const extensions = [schemaCompletion(schema), schemaHover(schema)]
    view?.dispatch({ effects: parts.schema.reconfigure(extensions) })
  }, [view, parts, schema])
  useEffect(() => {
    view?.dispatch({ effects: parts.access.reconfigure(accessOf(isReadOnly)) })
  }, [view, parts, isReadOnly])
  useEffect(() => {
    view?.dispatch(setDiagnostics(view.state, diagnosticsOf(problems, view.state.doc.length)))
  }, [view, problems])
  return <div ref={host} style={{ height: '100%' }} />
}

const BASICS: Extension = [
  lineNumbers(),
  foldGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of('  '),
  bracketMatching(),
  highlightActiveLine(),
  EditorView.lineWrapping,
  yaml(),
  editorTheme,
  keymap.of([
    ...completionKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
]

/** The editor creates a style element, which the Content-Security-Policy allows by this nonce. */
function nonceOfPage(): Extension {
  const nonce = cspNonce()
  return nonce === '' ? [] : EditorView.cspNonce.of(nonce)
}

/** Continues at the cursor of the plain editor if the user has started there. */
function takeFocus(view: EditorView, handover: FocusHandover): void {
  const { selection } = handover
  if (selection === null) return
  handover.selection = null
  const { length } = view.state.doc
  const [anchor, head] = [Math.min(selection.from, length), Math.min(selection.to, length)]
  view.dispatch({ selection: { anchor, head } })
  view.focus()
}

function accessOf(isReadOnly: boolean): Extension {
  return isReadOnly ? [EditorState.readOnly.of(true)] : []
}

/** Replaces the text if it differs, such as after a merge. Typing does not reach this. */
function replaceText(view: EditorView, text: string): void {
  const current = view.state.doc.toString()
  if (current === text) return
  view.dispatch({ changes: { from: 0, to: current.length, insert: text } })
}

function diagnosticsOf(problems: readonly YamlProblem[], length: number): readonly Diagnostic[] {
  return problems.map(({ from, to, severity, message }) => ({
    from: Math.min(from, length),
    to: Math.min(Math.max(to, from), length),
    severity,
    message,
  }))
}
