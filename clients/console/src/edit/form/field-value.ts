import type { FieldInput } from './form-fields.ts'

/** The text that an input shows for a value. */
export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOfValue).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The value of a text that was typed into an input; undefined removes the field. */
export function valueOfText(text: string, { type }: FieldInput): unknown {
  if (text.trim() === '') return undefined
  if (type === 'list') {
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }
  // The server rejects a text in place of a number and names the field.
  if (type === 'number' && Number.isFinite(Number(text))) return Number(text)
  return text
}
