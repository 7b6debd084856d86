import type { WireObject } from './wire-object.ts'

/**
 * Fields that heartbeats update without an event: watches show them at the time of the last change,
 * lists show them exactly (docs/watch.md).
 */
const REPORT_TIMES = new Set(['last_report_time', 'last_updated_time'])

/** Compares a rebuilt list with the actual one, except for report times. Returns one line per difference. */
export function differences(
  rebuilt: ReadonlyMap<string, WireObject>,
  actual: ReadonlyMap<string, WireObject>,
): readonly string[] {
  const missing = [...actual.keys()].filter((key) => !rebuilt.has(key))
  const extra = [...rebuilt.keys()].filter((key) => !actual.has(key))
  const different = [...actual].flatMap(([key, item]) => {
    const copy = rebuilt.get(key)
    return copy === undefined || textOf(copy) === textOf(item) ? [] : [difference(key, copy, item)]
  })
  return [
    ...missing.map((key) => `${key} is missing`),
    ...extra.map((key) => `${key} no longer exists`),
    ...different,
  ]
}

function difference(key: string, copy: WireObject, item: WireObject): string {
  const [copied, actual] = [new Map(Object.entries(copy)), new Map(Object.entries(item))]
  const fields = [...new Set([...copied.keys(), ...actual.keys()])].filter(
    (name) => textOf(copied.get(name)) !== textOf(actual.get(name)),
  )
  const listed = fields.map(
    (name) => `${name} ${textOf(copied.get(name))} instead of ${textOf(actual.get(name))}`,
  )
  return `${key} differs: ${listed.join('; ') || 'order of fields'}`
}

/** Serializes without report times. Keeps the order of fields, which lists and watches share. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value, (name, field: unknown) =>
    REPORT_TIMES.has(name) ? undefined : field,
  )
  return text ?? 'nothing'
}
