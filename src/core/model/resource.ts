import type { JsonObject } from '../../lib/json.ts'
import type { ResourceCondition } from './condition.ts'

/** The owner of a resource of a root kind: not null, so that names are unique and indexes ordered. */
export const NO_OWNER = ''

/** One declared object of any kind. Times are the server's, in milliseconds. */
export interface Resource {
  readonly id: string
  readonly kind: string
  readonly name: string
  /** Id of the parent, NO_OWNER for a root kind. */
  readonly ownerId: string
  /** The spec's version counter, from 1. */
  readonly generation: number
  /** Moves with every change but one of report times alone; what optimistic writes compare. */
  readonly version: bigint
  readonly spec: JsonObject
  readonly labels: Readonly<Record<string, string>>
  readonly conditions: readonly ResourceCondition[]
  readonly createdTime: Date
  readonly updatedTime: Date
  readonly createdBy: string
  readonly updatedBy: string
}
