import type { Registry } from '../store/registry/registry.ts'
import type { CountedFields } from './storage/scan-states.ts'

/** The status and reason of a condition. */
export interface CountedCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
}

/** The fields of a resource that the overview counts. Many resources have the same state. */
export interface ResourceState {
  readonly kind: string
  readonly tenant: string
  /** Null if the resource has no conditions. */
  readonly isReady: boolean | null
  readonly isDeleting: boolean
  readonly conditions: readonly CountedCondition[]
  /** The adapters that keep the resource from being ready. */
  readonly waitingFor: readonly string[]
}

/** The server chooses the reasons of these conditions, so there are few. */
const COUNTED_TYPES = ['Ready', 'Reconciled', 'Available']

/** The state of a resource. */
export function stateOf(registry: Registry, fields: CountedFields): ResourceState {
  const { kind, tenant, isDeleting } = fields
  const conditions = fields.conditions
    .filter(({ type }) => COUNTED_TYPES.includes(type))
    .map(({ type, status, reason = '' }) => ({ type, status, reason }))
  const ready = conditions.find(({ type }) => type === 'Ready')
  const hooks = registry.find(kind)?.statusHooks
  const isWaiting = ready !== undefined && ready.status !== 'True'
  return {
    kind,
    tenant,
    isReady: ready === undefined ? null : ready.status === 'True',
    isDeleting,
    conditions,
    waitingFor: isWaiting ? (hooks?.unmetAdapters(fields) ?? []) : [],
  }
}
