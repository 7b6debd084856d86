import type { Schema } from '../../model/schema.ts'

/** A path that refers to a declared field, in the form of errors, or the problem. */
export type ParsedFieldPath =
  | { readonly path: string; readonly schema: Schema }
  | { readonly problem: string }

const STEP = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y

/** Parses a path such as `.spec.name` or `.labels['a.b']` of a value with this schema. */
export function parseFieldPath(text: string, schema: Schema): ParsedFieldPath {
  let at = 0
  let path = ''
  let current = schema
  while (at < text.length) {
    STEP.lastIndex = at
    const match = STEP.exec(text)
    if (!match) return { problem: `expected [ or . but got: ${text.slice(at)}` }
    const name = match[1] ?? (match[2] ?? '').replaceAll(/\\(.)/g, '$1')
    const { properties, additionalProperties } = current
    if (properties) {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!declared) return { problem: 'does not refer to a valid field' }
      path += `.${name}`
      current = declared
    } else if (typeof additionalProperties === 'object') {
      path += `[${name}]`
      current = additionalProperties
    } else {
      return { problem: 'does not refer to a valid field' }
    }
    at = STEP.lastIndex
  }
  return { path, schema: current }
}
