/** A JSON object whose content is unknown. */
export type UnknownObject = Readonly<Record<string, unknown>>

/** Whether a parsed value is an object, neither an array nor null. */
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
