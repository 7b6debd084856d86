import type { JsonObject } from '../../lib/json/json.ts'

/** The object with defaults for members that are absent, null, or zero as Go clients send them. */
export function withDefaults(
  object: JsonObject,
  defaults: Readonly<Record<string, number>>,
  { replacesZero }: { replacesZero: boolean },
): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => {
    const value = object[name] ?? null
    return value === null || (replacesZero && value === 0)
  })
  return { ...object, ...Object.fromEntries(missing) }
}
