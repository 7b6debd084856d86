import { forbiddenValue, invalidValue, requiredValue } from '../../errors/field-errors.ts'
import { checkJunctors } from './check-junctors.ts'
import { checkPattern } from './check-pattern.ts'
import { type ErrorList, type Level, type SchemaPart, structuralParts } from './structural-run.ts'

const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const EMBEDDED = 'x-kubernetes-embedded-resource'
const INT_OR_STRING = 'x-kubernetes-int-or-string'

type Part = Pick<SchemaPart, 'schema' | 'level' | 'path'>

/** Checks that every value has a declared type and that junctors declare nothing. */
export function checkStructure(part: Part, list: ErrorList): void {
  const { schema, path } = part
  checkType(part, list)
  checkResource(part, list)
  checkPattern(schema, path, list)
  checkJunctors(schema, path, list)
  for (const nested of structuralParts(schema, path)) checkStructure(nested, list)
}

function checkType({ schema, level, path }: Part, list: ErrorList): void {
  const { type, items, additionalProperties } = schema
  const isIntOrString = schema[INT_OR_STRING] === true
  if (type === 'array' && !items) list.add(requiredValue(`${path}.items`, 'must be specified'))
  if (level === 'root' && additionalProperties !== undefined) {
    list.add(forbiddenValue(`${path}.additionalProperties`, 'must not be used at the root'))
  }
  if (isIntOrString && schema[PRESERVE] === true) {
    const detail = 'must be false if x-kubernetes-int-or-string is true'
    list.add(invalidValue(`${path}.${PRESERVE}`, true, detail))
  }
  if (isIntOrString && schema[EMBEDDED] === true) {
    const detail = 'must be false if x-kubernetes-int-or-string is true'
    list.add(invalidValue(`${path}.${EMBEDDED}`, true, detail))
  }
  if (schema[EMBEDDED] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    const field = `${path}.type`
    list.add(type === undefined ? requiredValue(field, detail) : invalidValue(field, type, detail))
  } else if (!type && !isIntOrString && schema[PRESERVE] !== true) {
    list.add(requiredValue(`${path}.type`, MISSING_TYPE[level]))
  } else if (level === 'root' && type !== undefined && type !== 'object') {
    list.add(invalidValue(`${path}.type`, type, 'must be object at the root'))
  }
}

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function checkResource({ schema, level, path }: Part, list: ErrorList): void {
  const isEmbedded = schema[EMBEDDED] === true
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set'
    list.add(forbiddenValue(`${path}.additionalProperties`, detail))
  }
  const { properties = {} } = schema
  if (isEmbedded && schema[PRESERVE] !== true && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    list.add(requiredValue(`${path}.properties`, detail))
  }
  if (level !== 'root' && !isEmbedded) return
  for (const name of ['kind', 'apiVersion'] as const) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property && property.type !== 'string') {
      const field = `${path}.properties[${name}].type`
      list.add(invalidValue(field, property.type ?? '', 'must be string'))
    }
  }
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined
  if (!metadata) return
  checkMetadata({ schema: metadata, level, path: `${path}.properties[metadata]` }, list)
}

function checkMetadata({ schema: metadata, level, path }: Part, list: ErrorList): void {
  if (metadata.type !== 'object') {
    list.add(invalidValue(`${path}.type`, metadata.type ?? '', 'must be object'))
  }
  if (level !== 'root') return
  const { type: _type, description: _text, title: _title, properties, ...rest } = metadata
  const names = Object.keys(properties ?? {})
  const isRestricted = names.every((name) => name === 'name' || name === 'generateName')
  if (isRestricted && Object.keys(rest).length === 0) return
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified'
  list.add(forbiddenValue(path, detail))
}
