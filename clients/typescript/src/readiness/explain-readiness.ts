import type { AdapterStatus } from '../generated/hyperfleet.ts'
import { conditionType } from './condition-type.ts'
import {
  type ReadinessRequirement,
  readinessRequirement,
  type ReadinessResource,
} from './readiness-requirement.ts'
import { readinessSentence } from './readiness-sentence.ts'

/** A resource with everything that its readiness depends on. */
export interface ReadinessInput {
  readonly resource: ReadinessResource
  /** The reports on the resource, from `client.statuses.list`. */
  readonly statuses: readonly AdapterStatus[]
  /** The required adapters of the kind, from `client.kinds`. */
  readonly requiredAdapters: readonly string[]
  /** The server's time, from `client.serverTime`. */
  readonly now: Date
}

/** Why a resource is ready or not. */
export interface ReadinessExplanation {
  /** Whether the condition Ready is True, or Reconciled if the server hides Ready. */
  readonly ready: boolean
  /** The explanation in one sentence. */
  readonly sentence: string
  /** The state of each required adapter, in the order of `requiredAdapters`. */
  readonly requirements: readonly ReadinessRequirement[]
}

/** Explains whether a resource is ready, and which adapters it waits for. Sends no request. */
export function explainReadiness(input: ReadinessInput): ReadinessExplanation {
  const { resource, statuses, requiredAdapters, now } = input
  const types = requiredAdapters.map(conditionType)
  const requirements = requiredAdapters.map((adapter) =>
    readinessRequirement({
      resource,
      adapter,
      report: statuses.find((report) => report.adapter === adapter) ?? null,
      isAmbiguous: types.filter((type) => type === conditionType(adapter)).length > 1,
    }),
  )
  const ready = isReady(resource)
  const sentence = readinessSentence({ resource, ready, requirements, now })
  return { ready: ready === true, sentence, requirements }
}

function isReady({ status }: ReadinessResource): boolean | null {
  const { conditions } = status
  const found =
    conditions.find(({ type }) => type === 'Ready') ??
    conditions.find(({ type }) => type === 'Reconciled')
  return found === undefined ? null : found.status === 'True'
}
