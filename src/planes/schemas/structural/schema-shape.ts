import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../lib/json/json.ts'
import { forbiddenValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { validateAgainstSchema } from '../validate-object.ts'
import { MAX_FIELD_ERRORS } from '../validation/validation-run.ts'

/** The deepest nesting of a schema. */
const MAX_DEPTH = 60
/** The largest schema, in nested schemas. */
const MAX_NODES = 50_000

const TEXT: Schema = { type: 'string' }
const NUMBER: Schema = { type: 'number' }
const COUNT: Schema = { type: 'integer' }
const FLAG: Schema = { type: 'boolean' }
const TEXTS: Schema = { type: 'array', items: TEXT }

const LIST: Schema = { type: 'array', items: {} }

/** The types of the members of a schema; nested schemas are checked separately. */
const MEMBERS: Readonly<Record<string, Schema>> = {
  type: TEXT,
  description: TEXT,
  title: TEXT,
  format: TEXT,
  pattern: TEXT,
  nullable: FLAG,
  uniqueItems: FLAG,
  exclusiveMinimum: FLAG,
  exclusiveMaximum: FLAG,
  minimum: NUMBER,
  maximum: NUMBER,
  multipleOf: NUMBER,
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minProperties: COUNT,
  maxProperties: COUNT,
  required: TEXTS,
  enum: LIST,
  allOf: LIST,
  anyOf: LIST,
  oneOf: LIST,
  properties: { type: 'object' },
  'x-kubernetes-preserve-unknown-fields': FLAG,
  'x-kubernetes-embedded-resource': FLAG,
  'x-kubernetes-int-or-string': FLAG,
  'x-kubernetes-list-type': TEXT,
  'x-kubernetes-map-type': TEXT,
  'x-kubernetes-list-map-keys': TEXTS,
  'x-kubernetes-validations': {
    type: 'array',
    items: {
      type: 'object',
      required: ['rule'],
      properties: {
        rule: TEXT,
        message: TEXT,
        messageExpression: TEXT,
        reason: TEXT,
        fieldPath: TEXT,
        optionalOldSelf: FLAG,
      },
    },
  },
}

const NODE: Schema = { type: 'object', properties: MEMBERS }
const UNSUPPORTED = [
  '$ref',
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
]

/** The state of the check of one schema. */
interface ShapeRun {
  readonly errors: FieldError[]
  nodes: number
}

/**
 * The violations of the form of a schema: members of the wrong type, unsupported members, and
 * excessive size. A value without violations is a Schema.
 */
export function schemaShapeErrors(value: JsonValue, path: string): readonly FieldError[] {
  const run: ShapeRun = { errors: [], nodes: 0 }
  checkNode(value, { path, depth: 1 }, run)
  return run.errors.slice(0, MAX_FIELD_ERRORS)
}

/** Whether a value with these violations of the form is a schema: it is one if there are none. */
export function isSchema(
  value: JsonValue,
  shapeErrors: readonly FieldError[],
): value is JsonObject & Schema {
  return shapeErrors.length === 0 && isJsonObject(value)
}

interface NodePlace {
  readonly path: string
  readonly depth: number
}

function checkNode(value: JsonValue, { path, depth }: NodePlace, run: ShapeRun): void {
  run.nodes += 1
  if (run.errors.length >= MAX_FIELD_ERRORS) return
  if (depth > MAX_DEPTH) {
    run.errors.push(forbiddenValue(path, `schemas must not be nested over ${MAX_DEPTH} levels`))
    return
  }
  if (run.nodes > MAX_NODES) {
    if (run.nodes === MAX_NODES + 1) {
      run.errors.push(forbiddenValue(path, `a schema must have at most ${MAX_NODES} parts`))
    }
    return
  }
  for (const { field, ...error } of validateAgainstSchema(value, NODE)) {
    run.errors.push({ ...error, field: field === '' ? path : `${path}.${field}` })
  }
  if (!isJsonObject(value)) return
  for (const name of UNSUPPORTED) {
    if (Object.hasOwn(value, name)) {
      run.errors.push(forbiddenValue(`${path}.${name}`, `${name} is not supported`))
    }
  }
  for (const [childPath, child] of childrenOf(value, path)) {
    checkNode(child, { path: childPath, depth: depth + 1 }, run)
  }
}

/** The values that must be schemas, with their paths. */
function childrenOf(value: JsonObject, path: string): readonly [string, JsonValue][] {
  const children: [string, JsonValue][] = []
  const add = (name: string) => {
    const member = value[name]
    if (Object.hasOwn(value, name) && member !== undefined)
      children.push([`${path}.${name}`, member])
  }
  const { properties, additionalProperties } = value
  if (isJsonObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      children.push([`${path}.properties[${name}]`, property])
    }
  }
  if (typeof additionalProperties !== 'boolean') add('additionalProperties')
  add('items')
  add('not')
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list = value[name]
    if (!isJsonArray(list)) continue
    for (const [at, item] of list.entries()) children.push([`${path}.${name}[${at}]`, item])
  }
  return children
}
