import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceCondition } from './condition.ts'

/** The owner of a resource of a root kind: not null, so that names are unique and indexes ordered. */
export const NO_OWNER = ''

/** The version at which every resource begins. */
export const FIRST_VERSION = 1n

/** Ids of what a resource refers to, by type; a type without any is left out. */
export type Refs = Readonly<Record<string, readonly string[]>>

/** One declared object of any kind. Times are the server's, in milliseconds. */
export interface Resource {
  readonly id: string
  /** The tenant's encoding, NO_TENANT without one; never changes. A child has its parent's. */
  readonly tenant: string
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
  /** Notes of tools and people, which nothing selects by. */
  readonly annotations: Readonly<Record<string, string>>
  /** `{}` for a kind that declares no references. */
  readonly refs: Refs
  readonly conditions: readonly ResourceCondition[]
  readonly createdTime: Date
  readonly updatedTime: Date
  readonly createdBy: string
  readonly updatedBy: string
  /** When deletion was asked for; null for a live resource. */
  readonly deletedTime: Date | null
  readonly deletedBy: string | null
}

/** The ids under one type, which can have the name of a member that every object has. */
export function refsOfType(refs: Refs, type: string): readonly string[] {
  return Object.hasOwn(refs, type) ? (refs[type] ?? []) : []
}

/** What a report needs to know of its resource. */
export type ReportedResource = Pick<
  Resource,
  'id' | 'tenant' | 'kind' | 'ownerId' | 'generation' | 'version' | 'conditions' | 'deletedTime'
>

/** A resource as reads pass it on: what only goes out again stays the JSON text that it is stored as. */
export interface ReadResource extends Omit<Resource, 'spec' | 'labels' | 'annotations'> {
  readonly spec: string
  readonly labels: string
  readonly annotations: string
}

/** The characters of what stays JSON text: nearly all of a large resource. */
export function textLength({ spec, labels, annotations }: ReadResource): number {
  return spec.length + labels.length + annotations.length
}
