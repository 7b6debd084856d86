import type { ResourceStatus } from '../generated/hyperfleet.ts'

/** The fields that the collections rely on. */
export interface AnyResource {
  readonly id: string
  readonly generation: number
  readonly status: ResourceStatus
  readonly deleted_time?: string | undefined
}
