import { type ComponentProps, useId } from 'react'
import css from './field.module.css'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string | undefined
  readonly error?: string | null | undefined
}

/** A text input with its label, a hint and an error. */
export function TextField({ label, value, onChange, hint, error, ...input }: TextFieldProps) {
  const id = useId()
  const hasError = error !== null && error !== undefined && error !== ''
  return (
    <div className={css['field']}>
      <label className={css['label']} htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className={css['input']}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={hasError}
        aria-describedby={`${id}-note`}
      />
      <div id={`${id}-note`} className={hasError ? css['error'] : css['hint']}>
        {hasError ? error : hint}
      </div>
    </div>
  )
}
