import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import { sameValue } from './same-value.ts'

/** Three versions of an object: the one that was edited, the edit, and the current one. */
export interface Versions<T = JsonObject> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

export interface MergedEdit {
  /** The current version with the edit applied to it. */
  readonly merged: JsonObject
  /** The fields that both changed, to different values. The edit has precedence. */
  readonly conflicts: readonly string[]
}

/** Applies an edit to a version that has changed since. Lists are replaced as a whole. */
export function mergeEdits({ base, mine, theirs }: Versions, path = ''): MergedEdit {
  const merged: Record<string, unknown> = {}
  const conflicts: string[] = []
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const versions = { base: base[key], mine: mine[key], theirs: theirs[key] }
    const field = mergeField(versions, path === '' ? key : `${path}.${key}`)
    conflicts.push(...field.conflicts)
    if (field.value !== undefined) merged[key] = field.value
  }
  return { merged, conflicts }
}

interface MergedField {
  readonly value: unknown
  readonly conflicts: readonly string[]
}

/** Undefined is the value of a field that is absent. */
function mergeField({ base, mine, theirs }: Versions<unknown>, path: string): MergedField {
  if (sameValue(mine, theirs) || sameValue(base, theirs)) return { value: mine, conflicts: [] }
  if (sameValue(base, mine)) return { value: theirs, conflicts: [] }
  if (isJsonObject(mine) && isJsonObject(theirs)) {
    const inside = mergeEdits({ base: isJsonObject(base) ? base : {}, mine, theirs }, path)
    return { value: inside.merged, conflicts: inside.conflicts }
  }
  return { value: mine, conflicts: [path] }
}
