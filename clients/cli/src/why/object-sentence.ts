import { age } from '../output/age.ts'
import type { PlaneObject } from '../planes/plane-object.ts'

/** Conditions that say whether an object works, most important first. */
const READINESS = ['Ready', 'Available', 'Established', 'Succeeded']

/** Explains in one sentence whether an object of a plane is ready. */
export function objectSentence({ metadata, status }: PlaneObject, now: Date): string {
  const { name, deletionTimestamp, finalizers = [] } = metadata
  if (typeof deletionTimestamp === 'string') {
    const waits = finalizers.length > 0 ? `: it waits for ${finalizers.join(', ')}` : ''
    return `${name} is being deleted, as requested ${age(deletionTimestamp, now)} ago${waits}.`
  }
  const conditions = status?.conditions ?? []
  const readiness = READINESS.flatMap((type) => conditions.filter((one) => one.type === type))[0]
  if (readiness === undefined) return `${name} has no condition that says whether it is ready.`
  const { type, reason, message, lastTransitionTime } = readiness
  if (readiness.status === 'True') return `${name} is ready: ${type} is True.`
  const details = [message, reason === undefined ? undefined : `(${reason})`]
  const because = details.filter((text) => text !== undefined && text !== '').join(' ')
  const since = lastTransitionTime === undefined ? '' : ` for ${age(lastTransitionTime, now)}`
  const state = readiness.status === 'False' ? 'not ready' : 'in an unknown state'
  return `${name} is ${state}${since}${because === '' ? '' : `: ${because}`}.`.replace(/\.\.$/, '.')
}
