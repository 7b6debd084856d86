import type { JsonObject, JsonValue } from '../../lib/json/json.ts'

/** A text of a validated body; empty if it is absent. */
export function textIn(body: JsonObject, name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}

/** A number of a validated body. */
export function numberIn(body: JsonObject, name: string, absent: number): number {
  const value = body[name]
  return typeof value === 'number' ? value : absent
}

/** The texts of a list of a validated body. */
export function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
