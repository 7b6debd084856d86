import type { Shown } from './shown.ts'

/**
 * What a heartbeat moves. It is no change, so that watches show these as of the last change and
 * lists show them exactly (docs/watch.md): when an adapter last reported, and when a condition was
 * last confirmed.
 */
const REPORT_TIMES = new Set(['last_report_time', 'last_updated_time'])

/** Compares what was rebuilt with what there is, times of reports aside: one line for each. */
export function differences(
  rebuilt: ReadonlyMap<string, Shown>,
  actual: ReadonlyMap<string, Shown>,
): readonly string[] {
  const missing = [...actual.keys()].filter((key) => !rebuilt.has(key))
  const extra = [...rebuilt.keys()].filter((key) => !actual.has(key))
  const different = [...actual].flatMap(([key, item]) => {
    const own = rebuilt.get(key)
    return own === undefined || textOf(own) === textOf(item) ? [] : [difference(key, own, item)]
  })
  return [
    ...missing.map((key) => `${key} is missing`),
    ...extra.map((key) => `${key} is there no more`),
    ...different,
  ]
}

function difference(key: string, own: Shown, item: Shown): string {
  const [ours, theirs] = [new Map(Object.entries(own)), new Map(Object.entries(item))]
  const members = [...new Set([...ours.keys(), ...theirs.keys()])].filter(
    (name) => textOf(ours.get(name)) !== textOf(theirs.get(name)),
  )
  const shown = members.map(
    (name) => `${name} ${textOf(ours.get(name))} instead of ${textOf(theirs.get(name))}`,
  )
  return `${key} differs: ${shown.join('; ') || 'order of members'}`
}

/** The order of members counts: both are to be shown in the same way. */
function textOf(value: unknown): string {
  const text = JSON.stringify(value, (name, member: unknown) =>
    REPORT_TIMES.has(name) ? undefined : member,
  )
  return text ?? 'nothing'
}
