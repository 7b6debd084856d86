import { useId, useState } from 'react'
import type { FieldError } from '../../../../typescript/src/index.ts'
import { TextField } from '../../design/text-field.tsx'
import { valueAt } from '../json/value-at.ts'
import type { JsonObject } from '../yaml/parse-yaml.ts'
import { textOfValue, valueOfText } from './field-value.ts'
import type { FormField } from './form-fields.ts'
import css from './form.module.css'

interface SchemaFormProps {
  readonly fields: readonly FormField[]
  /** The object that the form shows. */
  readonly value: JsonObject
  readonly errors: readonly FieldError[]
  /** Receives the new value of a field; undefined removes it. */
  readonly onChange: (path: readonly string[], value: unknown) => void
}

/** Inputs for the fields of a schema. */
export function SchemaForm({ fields, ...props }: SchemaFormProps) {
  return fields.map((field) => <SchemaField key={field.path.join('\n')} field={field} {...props} />)
}

interface SchemaFieldProps extends Omit<SchemaFormProps, 'fields'> {
  readonly field: FormField
}

function SchemaField({ field, ...props }: SchemaFieldProps) {
  const { input, label, hint } = field
  switch (input.type) {
    case 'group':
      return (
        <fieldset className={css['group']}>
          <legend>{label}</legend>
          {hint !== '' && <p className={css['hint']}>{hint}</p>}
          <SchemaForm fields={input.fields} {...props} />
        </fieldset>
      )
    case 'boolean':
      return <BooleanField field={field} {...props} />
    case 'choice':
      return <ChoiceField field={field} options={input.options} {...props} />
    case 'yaml':
      return (
        <p className={css['hint']}>
          <strong>{label}</strong>: write it in the YAML. {hint}
        </p>
      )
    case 'text':
    case 'number':
    case 'list':
      return <TypedField field={field} {...props} />
  }
}

/** A text that becomes a value. It keeps what the user types, such as a comma at the end. */
function TypedField({ field, value, errors, onChange }: SchemaFieldProps) {
  const { path, hint, input } = field
  const current = valueAt(value, path)
  const [typed, setTyped] = useState('')
  const isTyped = JSON.stringify(valueOfText(typed, input)) === JSON.stringify(current)
  return (
    <TextField
      label={labelOf(field)}
      value={isTyped ? typed : textOfValue(current)}
      onChange={(text) => {
        setTyped(text)
        onChange(path, valueOfText(text, input))
      }}
      hint={input.type === 'list' ? [hint, 'Separate items by commas.'].join(' ').trim() : hint}
      error={errorOf(path, errors)}
      inputMode={input.type === 'number' ? 'decimal' : 'text'}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function BooleanField({ field, value, errors, onChange }: SchemaFieldProps) {
  const { path, hint } = field
  const id = useId()
  const error = errorOf(path, errors)
  return (
    <div className={css['field']}>
      <label className={css['check']}>
        <input
          type="checkbox"
          checked={valueAt(value, path) === true}
          aria-describedby={id}
          onChange={(event) => onChange(path, event.target.checked)}
        />
        {labelOf(field)}
      </label>
      <p id={id} className={error === null ? css['hint'] : css['error']}>
        {error ?? hint}
      </p>
    </div>
  )
}

interface ChoiceFieldProps extends SchemaFieldProps {
  readonly options: readonly string[]
}

function ChoiceField({ field, options, value, errors, onChange }: ChoiceFieldProps) {
  const { path, hint } = field
  const id = useId()
  const current = textOfValue(valueAt(value, path))
  const error = errorOf(path, errors)
  const all = current === '' || options.includes(current) ? options : [...options, current]
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{labelOf(field)}</label>
      <select
        id={id}
        className={css['select']}
        value={current}
        aria-invalid={error !== null}
        aria-describedby={`${id}-note`}
        onChange={(event) =>
          onChange(path, event.target.value === '' ? undefined : event.target.value)
        }
      >
        <option value="">not set</option>
        {all.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <p id={`${id}-note`} className={error === null ? css['hint'] : css['error']}>
        {error ?? hint}
      </p>
    </div>
  )
}

function labelOf({ label, isRequired }: FormField): string {
  return isRequired ? `${label} (required)` : label
}

/** The violation of a field. A missing object is reported at the object. */
export function errorOf(path: readonly string[], errors: readonly FieldError[]): string | null {
  const name = path.join('.')
  return errors.find(({ field }) => field === name || field.startsWith(`${name}[`))?.message ?? null
}
