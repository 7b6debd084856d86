import type { ResourceStatus } from '../../../typescript/src/generated/hyperfleet.ts'

/** A resource as lists show it, without its spec. */
export interface ListedResource {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly generation: number
  readonly labels: Readonly<Record<string, string>>
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly deleted_time?: string | undefined
  readonly status: ResourceStatus
}
