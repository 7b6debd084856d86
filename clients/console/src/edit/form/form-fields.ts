import { describeSchema } from '../schema/describe-schema.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type SchemaSource, schemasAt } from '../schema/schemas-at.ts'

/** An input of a form that a schema describes. */
export interface FormField {
  readonly path: readonly string[]
  readonly label: string
  readonly hint: string
  readonly isRequired: boolean
  readonly input: FieldInput
}

export type FieldInput =
  | { readonly type: 'text' | 'number' | 'boolean' | 'list' }
  | { readonly type: 'choice'; readonly options: readonly string[] }
  | { readonly type: 'group'; readonly fields: readonly FormField[] }
  /** The form has no input for such values: they are written in the YAML. */
  | { readonly type: 'yaml' }

const MAX_DEPTH = 4

/** The inputs for the fields of an object. Required fields come first. */
export function formFields(source: SchemaSource, path: readonly string[]): readonly FormField[] {
  const [schema = {}, ...alternatives] = schemasAt(source, path)
  if (alternatives.length > 0) return []
  const { properties = {}, required = [] } = schema
  const fields = Object.keys(properties).map((name) =>
    formField(source, [...path, name], required.includes(name)),
  )
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

function formField(source: SchemaSource, path: readonly string[], isRequired: boolean): FormField {
  const schemas = schemasAt(source, path)
  const [schema = {}] = schemas
  const input = schemas.length > 1 ? YAML : inputOf(source, schema, path)
  return {
    path,
    label: path.at(-1) ?? '',
    hint: [schema.description, limitsOf(schema, input)].filter(Boolean).join(' '),
    isRequired,
    input,
  }
}

const YAML: FieldInput = { type: 'yaml' }

function inputOf(source: SchemaSource, schema: JsonSchema, path: readonly string[]): FieldInput {
  const { type, enum: values, items, properties } = schema
  if (values?.every((value) => typeof value === 'string') === true) {
    return { type: 'choice', options: values.map(String) }
  }
  if (type === 'string') return { type: 'text' }
  if (type === 'integer' || type === 'number') return { type: 'number' }
  if (type === 'boolean') return { type: 'boolean' }
  if (type === 'array' && items?.type === 'string' && items.enum === undefined)
    return { type: 'list' }
  if (properties === undefined || path.length > MAX_DEPTH) return YAML
  return { type: 'group', fields: formFields(source, path) }
}

/** The type of the input says the type of the value, so only its limits are left. */
function limitsOf(schema: JsonSchema, { type }: FieldInput): string {
  if (type === 'group' || type === 'choice' || type === 'boolean') return ''
  const text = describeSchema(schema)
  return text === 'string' || text === 'list of string' ? '' : `(${text})`
}
