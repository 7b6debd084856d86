import { describeSchema } from './describe-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { type SchemaSource, schemasAt } from './schemas-at.ts'

/** A key or a value that fits at a place. */
export interface Suggestion {
  readonly label: string
  /** The text to insert. */
  readonly insert: string
  readonly detail: string
  readonly description: string
  readonly isRequired: boolean
}

/** The fields that an object at a path can have, required ones first, without existing ones. */
export function keySuggestions(
  source: SchemaSource,
  path: readonly (string | number)[],
  existing: readonly string[],
): readonly Suggestion[] {
  const found = new Map<string, Suggestion>()
  for (const { properties = {}, required = [] } of schemasAt(source, path)) {
    for (const name of Object.keys(properties)) {
      const [schema = {}] = schemasAt(source, [...path, name])
      if (existing.includes(name) || found.has(name) || schema.readOnly === true) continue
      found.set(name, {
        label: name,
        insert: `${quoted(name)}:${opens(schema) ? '' : ' '}`,
        detail: describeSchema(schema),
        description: schema.description ?? '',
        isRequired: required.includes(name),
      })
    }
  }
  return [...found.values()].toSorted(
    (one, other) => Number(other.isRequired) - Number(one.isRequired),
  )
}

/** The values that the schema names for a path: alternatives, booleans, the default and examples. */
export function valueSuggestions(
  source: SchemaSource,
  path: readonly (string | number)[],
): readonly Suggestion[] {
  const found = new Map<string, Suggestion>()
  for (const schema of schemasAt(source, path)) {
    for (const { value, detail } of namedValues(schema)) {
      const label = typeof value === 'string' ? value : JSON.stringify(value)
      if (typeof value === 'object' || found.has(label)) continue
      const insert = typeof value === 'string' ? quoted(value) : label
      found.set(label, { label, insert, detail, description: '', isRequired: false })
    }
  }
  return [...found.values()]
}

function namedValues(schema: JsonSchema): { value: unknown; detail: string }[] {
  const { enum: values = [], const: only, default: initial, example, examples = [], type } = schema
  return [
    ...(only === undefined ? [] : [{ value: only, detail: '' }]),
    ...values.map((value) => ({ value, detail: value === initial ? 'default' : '' })),
    ...(initial === undefined ? [] : [{ value: initial, detail: 'default' }]),
    ...(type === 'boolean' ? [true, false].map((value) => ({ value, detail: '' })) : []),
    ...[...examples, ...(example === undefined ? [] : [example])].map((value) => ({
      value,
      detail: 'example',
    })),
  ]
}

/** Whether the value of a field starts on the next line. */
function opens({ type, properties }: JsonSchema): boolean {
  return type === 'object' || type === 'array' || properties !== undefined
}

/** YAML would read some plain texts as numbers, booleans or syntax. */
function quoted(text: string): string {
  const isPlain =
    /^[A-Za-z_/][\w./ -]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
  return isPlain && !text.endsWith(' ') ? text : JSON.stringify(text)
}
