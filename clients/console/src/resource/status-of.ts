import type { Tone } from '../design/tone.ts'
import type { KindResource } from './data/kind-resource.ts'

/** The state of a resource in one word. */
export interface StatusLook {
  readonly label: 'Ready' | 'Not ready' | 'Deleting' | 'Waiting' | 'No status'
  readonly tone: Tone
}

/** The state of a resource by its deletion and its conditions. */
export function statusOf({
  deleted_time: deleted,
  status,
}: Pick<KindResource, 'deleted_time' | 'status'>): StatusLook {
  if (deleted !== undefined) return { label: 'Deleting', tone: 'warn' }
  const { conditions } = status
  const found =
    conditions.find(({ type }) => type === 'Ready') ??
    conditions.find(({ type }) => type === 'Reconciled')
  if (found === undefined) return { label: 'No status', tone: 'neutral' }
  if (found.status === 'True') return { label: 'Ready', tone: 'good' }
  return found.reason === 'AwaitingAdapters'
    ? { label: 'Waiting', tone: 'neutral' }
    : { label: 'Not ready', tone: 'bad' }
}
