import type { AnyResource } from '../resources/any-resource.ts'

interface Schedule {
  readonly adapter: string
  readonly heartbeat: number
  /** At least 0 and below 1. */
  readonly random: number
}

/**
 * Milliseconds until the first reconciliation of an existing resource: none unless an earlier run of
 * the adapter has finished the current generation. Those resources are spread over one heartbeat,
 * so that a restart is not a burst.
 */
export function initialDelay(
  { generation, status, deleted_time: deletedTime }: AnyResource,
  { adapter, heartbeat, random }: Schedule,
): number {
  const type = conditionOf(adapter)
  const condition = status.conditions.find((one) => one.type === type)
  const isDone = condition?.status === 'True' && condition.observed_generation === generation
  return isDone && deletedTime === undefined ? random * heartbeat : 0
}

/** The condition of an adapter: `gcp-dns` becomes `GcpDnsSuccessful`. */
function conditionOf(adapter: string): string {
  const parts = adapter.split('-').filter((part) => part !== '')
  return `${parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')}Successful`
}
