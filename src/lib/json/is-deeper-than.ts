import type { JsonValue } from './json.ts'

/** Whether objects and arrays are nested over this number of levels. Looks no deeper. */
export function isDeeperThan(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels <= 0 || Object.values(value).some((field) => isDeeperThan(field, levels - 1))
}
