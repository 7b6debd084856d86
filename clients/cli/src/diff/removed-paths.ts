import { isJsonObject } from '../documents/json-object.ts'

/** The fields that a value has and its replacement lacks. Lists count as a whole. */
export function removedPaths(before: unknown, after: unknown, path = ''): readonly string[] {
  if (!isJsonObject(before)) return []
  if (!isJsonObject(after)) return path === '' ? [] : [path]
  return Object.entries(before).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`
    return Object.hasOwn(after, key) ? removedPaths(value, after[key], place) : [place]
  })
}
