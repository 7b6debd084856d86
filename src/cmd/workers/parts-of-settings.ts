import type { Setting } from '../../lib/settings/setting.ts'
import type { Assignment } from './assignment.ts'

/** The least that a process works with, such as two connections. 0 turns a limit off and stays. */
const LEAST = 2

/** The values of the settings for one worker: its part of those that a server divides. */
export function partsOf<Values extends object>(
  values: Values,
  rows: object,
  { workers }: Pick<Assignment, 'workers'>,
): Values {
  const sharers = { workers, processes: workers + 1 }
  const byName = new Map<string, Pick<Setting<unknown>, 'divided'>>(Object.entries(rows))
  const parts = Object.entries(values).map(([name, value]: [string, unknown]) => {
    const divided = byName.get(name)?.divided
    if (divided === undefined || typeof value !== 'number' || value === 0) return [name, value]
    return [name, Math.max(LEAST, Math.floor(value / sharers[divided]))]
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names and types
  return Object.fromEntries(parts) as Values
}
