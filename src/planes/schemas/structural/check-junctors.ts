import { forbiddenValue, requiredValue } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { checkPattern } from './check-pattern.ts'
import type { ErrorList } from './structural-run.ts'

/** Members that only the structural part may have, with the rule that messages state. */
const FORBIDDEN = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
] as const

/** A schema within a junctor, and the structural schema of the same value. */
interface Nested {
  readonly nested: Schema
  readonly path: string
  readonly structural: Schema | undefined
  readonly structuralPath: string
}

/** Checks that the junctors of a schema restrict values and do not declare fields. */
export function checkJunctors(schema: Schema, path: string, list: ErrorList): void {
  const [first] = schema.allOf ?? []
  const isFirstAny = first !== undefined && isIntOrStringPattern(first)
  for (const { nested, path: nestedPath } of junctorsOf(schema, path)) {
    const isPattern = isIntOrStringPattern(schema) && nestedPath.startsWith(`${path}.anyOf[`)
    if (isPattern) continue
    // The first schema of allOf may also state the types of int-or-string.
    const restricted = isFirstAny && nested === first ? { ...nested, anyOf: [] } : nested
    checkNested(
      { nested: restricted, path: nestedPath, structural: schema, structuralPath: path },
      list,
    )
  }
}

/** Whether anyOf lists exactly integer and string. */
function isIntOrStringPattern({ anyOf = [] }: Schema): boolean {
  const [one, other] = anyOf
  return (
    anyOf.length === 2 &&
    [one, other].every((schema) => schema !== undefined && Object.keys(schema).length === 1) &&
    one?.type === 'integer' &&
    other?.type === 'string'
  )
}

function junctorsOf(schema: Schema, path: string): readonly { nested: Schema; path: string }[] {
  const lists = (['anyOf', 'allOf', 'oneOf'] as const).flatMap((name) => {
    return (schema[name] ?? []).map((nested, at) => ({ nested, path: `${path}.${name}[${at}]` }))
  })
  return schema.not ? [...lists, { nested: schema.not, path: `${path}.not` }] : lists
}

function checkNested({ nested, path, structural, structuralPath }: Nested, list: ErrorList): void {
  if (structural === undefined) {
    list.add(requiredValue(structuralPath, `because it is defined in ${path}`))
    return
  }
  for (const [name, detail] of FORBIDDEN) {
    if (isSet(nested[name])) list.add(forbiddenValue(`${path}.${name}`, detail))
  }
  checkPattern(nested, path, list)
  const { items, properties = {} } = nested
  for (const { nested: inner, path: innerPath } of junctorsOf(nested, path)) {
    checkNested({ nested: inner, path: innerPath, structural, structuralPath }, list)
  }
  if (items) {
    const position = { path: `${path}.items`, structuralPath: `${structuralPath}.items` }
    checkNested({ nested: items, structural: structural.items, ...position }, list)
  }
  for (const [name, property] of Object.entries(properties)) {
    const suffix = `.properties[${name}]`
    if (name === 'metadata') {
      list.add(forbiddenValue(`${path}${suffix}`, 'must not be specified in a nested context'))
    }
    const { properties: declared = {} } = structural
    const counterpart = Object.hasOwn(declared, name) ? declared[name] : undefined
    const position = { path: `${path}${suffix}`, structuralPath: `${structuralPath}${suffix}` }
    checkNested({ nested: property, structural: counterpart, ...position }, list)
  }
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}
