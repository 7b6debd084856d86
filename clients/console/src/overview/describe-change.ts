import type { ResourceChange } from '../../../typescript/src/generated/hyperfleet.ts'
import type { IconName } from '../design/icon.tsx'
import type { Tone } from '../design/tone.ts'

/** A change in a few words. */
export interface ChangeText {
  readonly icon: IconName
  readonly tone: Tone
  readonly text: string
}

const LOOKS: Readonly<
  Record<ResourceChange['type'], { icon: IconName; tone: Tone; text: string }>
> = {
  created: { icon: 'plus', tone: 'info', text: 'created' },
  updated: { icon: 'edit', tone: 'info', text: 'updated' },
  deleted: { icon: 'trash', tone: 'warn', text: 'deletion requested' },
  removed: { icon: 'cross', tone: 'neutral', text: 'removed' },
  reported: { icon: 'check', tone: 'neutral', text: 'reported' },
}

/** Describes a change: the transition of Ready if it has one, else the changed fields. */
export function describeChange(change: ResourceChange): ChangeText {
  const look = LOOKS[change.type]
  if (change.type === 'created') return look
  const ready = change.conditions?.find(({ type }) => type === 'Ready' || type === 'Reconciled')
  if (ready?.new && ready.old?.status !== ready.new.status) {
    const isReady = ready.new.status === 'True'
    return isReady
      ? { icon: 'check', tone: 'good', text: 'became ready' }
      : { icon: 'alert', tone: 'bad', text: notReady(ready.new.reason) }
  }
  if (change.type === 'updated' && change.fields.length > 0) {
    return { ...look, text: `changed ${change.fields.join(', ')}` }
  }
  return look
}

function notReady(reason: string | undefined): string {
  return reason === undefined || reason === '' ? 'is not ready' : `is not ready: ${reason}`
}
