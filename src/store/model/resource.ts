import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceCondition } from './condition.ts'

/** The owner ID of a root. It is not null, so that unique names and ordered indexes work. */
export const NO_OWNER = ''

/** The version of a new resource. */
export const FIRST_VERSION = 1n

/** IDs of the targets of references, by type. Types without targets are absent. */
export type Refs = Readonly<Record<string, readonly string[]>>

/** A declared object of any kind. Times come from the server, in microseconds. */
export interface Resource {
  readonly id: string
  /** The encoded tenant, or NO_TENANT. Never changes. A child has the tenant of its parent. */
  readonly tenant: string
  readonly kind: string
  readonly name: string
  /** ID of the parent, or NO_OWNER for a root. */
  readonly ownerId: string
  /** Counts changes of the spec, from 1. */
  readonly generation: number
  /** Increases with every change except of report times alone. Optimistic writes compare it. */
  readonly version: bigint
  readonly spec: JsonObject
  readonly labels: Readonly<Record<string, string>>
  /** Notes of tools and people. Searches cannot select by them. */
  readonly annotations: Readonly<Record<string, string>>
  /** Empty for a kind without references. */
  readonly refs: Refs
  readonly conditions: readonly ResourceCondition[]
  /** The adapters that this resource requires; null for those of its kind. */
  readonly requiredAdapters: readonly string[] | null
  readonly createdTime: Date
  readonly updatedTime: Date
  readonly createdBy: string
  readonly updatedBy: string
  /** Time of the deletion request; null for a live resource. */
  readonly deletedTime: Date | null
  readonly deletedBy: string | null
}

/** The IDs of one type. A type may have the name of an inherited property. */
export function refsOfType(refs: Refs, type: string): readonly string[] {
  return Object.hasOwn(refs, type) ? (refs[type] ?? []) : []
}

/** The part of a resource that the processing of reports needs. */
export type ReportedResource = Pick<
  Resource,
  | 'id'
  | 'tenant'
  | 'kind'
  | 'ownerId'
  | 'generation'
  | 'version'
  | 'conditions'
  | 'requiredAdapters'
  | 'deletedTime'
>

/** A resource as reads return it. Documents that reads only pass on stay JSON text. */
export interface ReadResource extends Omit<Resource, 'spec' | 'labels' | 'annotations'> {
  readonly spec: string
  readonly labels: string
  readonly annotations: string
}

/** The number of characters in the JSON texts, which make up most of a large resource. */
export function textLength({ spec, labels, annotations }: ReadResource): number {
  return spec.length + labels.length + annotations.length
}
