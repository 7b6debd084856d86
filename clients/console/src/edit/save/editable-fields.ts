import { isEqual } from '../json/is-equal.ts'
import type { JsonObject } from '../yaml/parse-yaml.ts'

/** The fields of a resource that can change. */
const FIELDS = ['labels', 'annotations', 'references', 'spec'] as const

/** The part of a resource that the editor shows. Fields that the resource does not have are absent. */
export function editableFields(resource: object): JsonObject {
  const entries = FIELDS.map((field): [string, unknown] => [field, Reflect.get(resource, field)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Values that remove a field: a spec cannot be removed. */
const EMPTY: Readonly<Record<string, unknown>> = { labels: {}, annotations: {}, references: [] }

/**
 * The body of the PATCH that turns one version into another: changed fields with their whole values.
 * Null if nothing differs.
 */
export function patchOf(base: JsonObject, value: JsonObject): JsonObject | null {
  const names = new Set([...Object.keys(base), ...Object.keys(value)])
  const changed = [...names]
    .map((name) => [name, normal(name, base[name]), normal(name, value[name])] as const)
    .filter(([, before, after]) => !isEqual(before, after))
  if (changed.length === 0) return null
  return Object.fromEntries(changed.map(([name, , after]) => [name, after]))
}

/** An absent or empty field of a text, such as `labels:`, means that the field is empty. */
function normal(name: string, value: unknown): unknown {
  if (value !== undefined && value !== null) return value
  return name in EMPTY ? EMPTY[name] : null
}
