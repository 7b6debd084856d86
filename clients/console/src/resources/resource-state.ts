import type {
  KindDescription,
  ResourceCondition,
} from '../../../typescript/src/generated/hyperfleet.ts'
import { conditionType } from '../../../typescript/src/readiness/condition-type.ts'
import type { Tone } from '../design/tone.ts'
import type { IconName } from '../design/icon.tsx'
import type { ListedResource } from './listed-resource.ts'
import { type AdapterState, adapterState } from './adapter-state.ts'
import { requiredAdapters } from './required-adapters.ts'

/** The state of a resource, with the same word and colour on every page. */
export interface ResourceState {
  readonly label: 'Ready' | 'Failing' | 'Waiting' | 'Deleting' | 'No status'
  readonly tone: Tone
  readonly icon: IconName
  /** Why the resource is not ready; empty if it is. */
  readonly reason: string
}

/** The reason of conditions that are False because adapters have not reported yet. */
export const AWAITING_ADAPTERS = 'AwaitingAdapters'

/** The fields of a resource that decide its state. */
export type Stateful = Pick<
  ListedResource,
  'generation' | 'deleted_time' | 'required_adapters' | 'status'
>

/** The state of a resource, with the adapters that keep it from being ready. */
export function resourceState(
  resource: Stateful,
  kind: Pick<KindDescription, 'required_adapters'>,
): ResourceState {
  const adapters = requiredAdapters(resource, kind)
  const { conditions } = resource.status
  const ready = find(conditions, 'Ready') ?? find(conditions, 'Reconciled')
  if (resource.deleted_time !== undefined) {
    const reason = unmet(resource, adapters).texts.join(', ')
    return { label: 'Deleting', tone: 'neutral', icon: 'trash', reason }
  }
  if (ready === undefined) return { label: 'No status', tone: 'neutral', icon: 'minus', reason: '' }
  if (ready.status === 'True') return { label: 'Ready', tone: 'good', icon: 'check', reason: '' }
  const { hasFailure, texts } = unmet(resource, adapters)
  const reason = texts.length > 0 ? texts.join(', ') : (ready.message ?? ready.reason ?? '')
  return hasFailure
    ? { label: 'Failing', tone: 'bad', icon: 'alert', reason }
    : { label: 'Waiting', tone: 'warn', icon: 'clock', reason }
}

function find(conditions: readonly ResourceCondition[], type: string) {
  return conditions.find((condition) => condition.type === type)
}

interface Unmet {
  readonly hasFailure: boolean
  /** Failures first, then late and missing reports. */
  readonly texts: readonly string[]
}

/** The unmet requirements in words. */
function unmet(resource: Stateful, adapters: readonly string[]): Unmet {
  const groups: Record<AdapterState, string[]> = {
    false: [],
    behind: [],
    ahead: [],
    missing: [],
    satisfied: [],
  }
  for (const adapter of adapters) groups[adapterState(resource, adapter)].push(adapter)
  const { false: failed, behind, ahead, missing } = groups
  const { conditions } = resource.status
  const texts = [
    ...failed.map((name) => `${name}: ${textOf(find(conditions, conditionType(name)))}`),
    ...(behind.length > 0 ? [`${behind.join(', ')} behind`] : []),
    ...(ahead.length > 0 ? [`${ahead.join(', ')} at a generation that does not exist`] : []),
    ...(missing.length > 0 ? [`waits for ${missing.join(', ')}`] : []),
  ]
  return { hasFailure: failed.length > 0, texts }
}

function textOf(condition: ResourceCondition | undefined): string {
  const { message = '', reason = 'failed' } = condition ?? {}
  return message === '' ? reason : message
}
