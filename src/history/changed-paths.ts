import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
import { formatPointer, memberOf } from '../lib/json/json-pointer.ts'
import { isSameJson } from '../lib/json/same-json.ts'

/** A value that differs between two objects. */
export interface ChangedPath {
  /** A JSON Pointer (RFC 6901). */
  readonly path: string
  /** Undefined if the path did not exist before the change. */
  readonly old: JsonValue | undefined
  /** Undefined if the path does not exist after the change. */
  readonly new: JsonValue | undefined
}

/** The values that differ. Objects are compared member by member, and arrays as a whole. */
export function changedPaths(
  before: JsonObject | null,
  after: JsonObject | null,
): readonly ChangedPath[] {
  return differences('', before ?? {}, after ?? {})
}

function differences(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly ChangedPath[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => {
      const [old, next] = [memberOf(before, name), memberOf(after, name)]
      return old === next ? [] : differences(path + formatPointer([name]), old, next)
    })
  }
  return isSameJson(before, after) ? [] : [{ path, old: before, new: after }]
}
