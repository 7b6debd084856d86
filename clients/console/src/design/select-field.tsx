import { useId } from 'react'
import css from './field.module.css'

interface SelectFieldProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
  readonly hint?: string | undefined
}

/** A choice between a few values. The browser's own control works with any input device. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, value, options, onChange, hint } = props
  const id = useId()
  return (
    <div className={css['field']}>
      <label className={css['label']} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={css['input']}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
        aria-describedby={`${id}-note`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <div id={`${id}-note`} className={css['hint']}>
        {hint}
      </div>
    </div>
  )
}
