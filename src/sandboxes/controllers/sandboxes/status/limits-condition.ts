import type { DecidedCondition } from 'flotilla/controllers'
import type { Workload } from '../../../model/workload.ts'
import type { RuntimeLimit } from '../runtimes/runtime-entry.ts'

interface LimitFacts {
  /** The names of the limits of the workload. */
  readonly limits: readonly string[]
  /** How its runtime enforces limits; empty if the runtime does not say. */
  readonly runtimeLimits: readonly RuntimeLimit[]
}

/** The resources whose limits a workload sets, by their names in `resources.limits`. */
export function limitNames({ cpuMillis, memoryBytes, diskBytes }: Workload): readonly string[] {
  const values = { cpu: cpuMillis, memory: memoryBytes, 'ephemeral-storage': diskBytes }
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [name]))
}

/** Whether all limits of the workload hold; null if there is nothing to say. */
export function limitsEnforced(facts: LimitFacts): Omit<DecidedCondition, 'type'> | null {
  const { limits, runtimeLimits } = facts
  if (limits.length === 0 || runtimeLimits.length === 0) return null
  const weak = limits.flatMap((name) => {
    const { scope, reason } = runtimeLimits.find((each) => each.name === name) ?? MISSING
    if (scope === 'sandbox') return []
    const extent = scope === 'process' ? 'limited for each process only' : 'not limited'
    return [`${name} is ${extent}: ${reason}`]
  })
  return weak.length === 0
    ? { status: 'True', reason: 'Enforced', message: `Limited: ${limits.join(', ')}` }
    : { status: 'False', reason: 'NotEnforced', message: weak.join('; ') }
}

const MISSING = { scope: 'none', reason: 'the runtime does not know this limit' }
