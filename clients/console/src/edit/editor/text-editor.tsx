import { useLayoutEffect, useRef } from 'react'
import css from './editor.module.css'
import type { EditorProps } from './editor-props.ts'

/** A plain editor for the time until the rich one is loaded, and if it cannot be loaded. */
export function TextEditor(props: EditorProps) {
  const { label, value, onChange, onSave, isReadOnly, problems, handover } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const { current } = area
    return () => {
      if (current === null || document.activeElement !== current) return
      handover.selection = { from: current.selectionStart, to: current.selectionEnd }
    }
  }, [handover])
  return (
    <textarea
      ref={area}
      className={css['plain']}
      aria-label={label}
      aria-invalid={problems.length > 0}
      spellCheck={false}
      readOnly={isReadOnly === true}
      value={value}
      onChange={(event) => onChange?.(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        onSave?.()
      }}
    />
  )
}
