/** In characters. */
const MAX_LENGTH = 1024 * 1024

/** A CEL value as JSON text. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, plain) ?? 'null'
  if (text.length > MAX_LENGTH) throw new Error(`toJson makes more than ${MAX_LENGTH} characters`)
  return text
}

function plain(_name: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value)
  return typeof value === 'bigint' ? Number(value) : value
}
