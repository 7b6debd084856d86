import { isJsonObject } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import type { ObservedTimes } from './decide-lifetime.ts'

/** The times in the status of a sandbox, and that of its last use. */
export function observedTimes(sandbox: ApiObject, lastActivity: Date | null): ObservedTimes {
  return {
    readySince: trueSince(sandbox, 'Ready'),
    suspendedSince: trueSince(sandbox, 'Suspended'),
    lastActivity,
  }
}

function trueSince({ status }: ApiObject, type: string): Date | null {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  if (!Array.isArray(conditions)) return null
  const condition = conditions.filter(isJsonObject).find((each) => each['type'] === type)
  const { status: value, lastTransitionTime } = condition ?? {}
  if (value !== 'True' || typeof lastTransitionTime !== 'string') return null
  return new Date(lastTransitionTime)
}
