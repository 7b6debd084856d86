import { isObject } from './is-object.ts'

/** The value at a path of keys; undefined if it is absent. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, key) => (isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined),
    value,
  )
}
