import { isEqual } from './is-equal.ts'
import { isObject } from './is-object.ts'

/** A field that differs between two values. An absent field is undefined. */
export interface Difference {
  readonly path: readonly string[]
  readonly before: unknown
  readonly after: unknown
}

/** The fields that differ, as deep as both values have objects. Lists are compared as a whole. */
export function differences(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly Difference[] {
  if (isEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => differences(own(before, key), own(after, key), [...path, key]))
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
