import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { malformedPatch } from './patch-failure.ts'

/** The member of a patch that says how its object applies. */
export const DIRECTIVE = '$patch'

/** Lists the only fields that the patched object keeps. */
export const RETAIN_KEYS = '$retainKeys'

/** Lists items to remove from the list of primitives whose name follows. */
export const DELETE_ITEMS = '$deleteFromPrimitiveList/'

/** Lists the order of the items of the list whose name follows. */
export const ELEMENT_ORDER = '$setElementOrder/'

/** Whether the value is an object with a `$patch` member. */
export function hasDirective(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, DIRECTIVE)
}

/**
 * The value of a patch that has no counterpart in the object: without directives, and without the
 * fields that are null. Undefined if the value itself is a directive.
 */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined)
  }
  if (!isJsonObject(value)) return value
  return hasDirective(value) ? undefined : plainFields(value)
}

/** The fields of an object of a patch that are neither directives nor null. */
export function plainFields(patch: JsonObject): JsonObject {
  const fields: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || isDirectiveName(name)) continue
    const plain = withoutDirectives(value)
    if (plain !== undefined) fields.push([name, plain])
  }
  return Object.fromEntries(fields)
}

/** The fields of the object that `$retainKeys` of the patch keeps. */
export function retainedFields(object: JsonObject, patch: JsonObject): [string, JsonValue][] {
  const fields = Object.entries(object)
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return fields
  const names = patch[RETAIN_KEYS]
  if (!Array.isArray(names)) throw badRetainKeys()
  const retained = new Set<JsonValue>(names)
  const violates = ([name, value]: [string, JsonValue]) =>
    value !== null && !isDirectiveName(name) && !retained.has(name)
  if (Object.entries(patch).some(violates)) throw badRetainKeys()
  return fields.filter(([name]) => retained.has(name))
}

function isDirectiveName(name: string): boolean {
  if (name === DIRECTIVE || name === RETAIN_KEYS) return true
  return name.startsWith(DELETE_ITEMS) || name.startsWith(ELEMENT_ORDER)
}

function badRetainKeys(): Error {
  return malformedPatch('invalid patch format of retainKeys')
}
