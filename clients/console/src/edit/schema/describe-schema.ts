import type { JsonSchema } from './json-schema.ts'

/** The type and the limits of a value in a few words, such as `integer, at least 1`. */
export function describeSchema(schema: JsonSchema): string {
  const { enum: values, minimum, maximum, minLength, maxLength, pattern, default: initial } = schema
  return [
    typeOf(schema),
    values !== undefined && `one of ${values.map(shown).join(', ')}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    pattern !== undefined && `matches ${pattern}`,
    initial !== undefined && `default ${shown(initial)}`,
  ]
    .filter((part) => part !== false && part !== '')
    .join(', ')
}

function typeOf({ type, format, items, enum: values, const: only }: JsonSchema): string {
  if (only !== undefined) return shown(only)
  const name = Array.isArray(type) ? type.join(' or ') : type
  if (values !== undefined && name === 'string') return ''
  if (name === 'array') return items?.type === undefined ? 'list' : `list of ${String(items.type)}`
  if (name === undefined) return ''
  return format === undefined ? String(name) : `${String(name)} (${format})`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
