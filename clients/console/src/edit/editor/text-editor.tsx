import css from './editor.module.css'
import type { EditorProps } from './editor-props.ts'

/** A plain editor for the time until the rich one is loaded, and if it cannot be loaded. */
export function TextEditor({ label, value, onChange, onSave, isReadOnly, problems }: EditorProps) {
  return (
    <textarea
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
