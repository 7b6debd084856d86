import { endsStep, type Steps } from '../lib/async/steps.ts'
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
export function* changedPaths(
  before: JsonObject | null,
  after: JsonObject | null,
): Steps<readonly ChangedPath[]> {
  const changes: ChangedPath[] = []

  function* compare(
    path: string,
    old: JsonValue | undefined,
    next: JsonValue | undefined,
  ): Steps<void> {
    if (!isJsonObject(old) || !isJsonObject(next)) {
      if (!isSameJson(old, next)) changes.push({ path, old, new: next })
      return
    }
    for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
      if (endsStep()) yield
      const [one, other] = [memberOf(old, name), memberOf(next, name)]
      if (one !== other) yield* compare(path + formatPointer([name]), one, other)
    }
  }

  yield* compare('', before ?? {}, after ?? {})
  return changes
}
