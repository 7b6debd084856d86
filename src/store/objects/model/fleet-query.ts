import type { ObjectKey, StoredObject } from './stored-object.ts'

/** Conditions for objects of all planes. All given ones must match. */
export interface FleetSelection {
  readonly plane?: string
  /** Such as `configmaps` or `fleets.kplane.dev`. */
  readonly resource?: string
  readonly uid?: string
  /** Only objects that have an owner. */
  readonly isOwned?: true
  /** Only objects that have this owner, in any version of its reference. */
  readonly ownerUid?: string
  /** Only objects with a deletion time. */
  readonly isTerminating?: true
  readonly createdBefore?: Date
}

/** A page of the stored objects of all planes, in the order of their keys. */
export interface FleetQuery extends FleetSelection {
  /** The page starts after this key; null for the first page. */
  readonly after: ObjectKey | null
  readonly limit: number
}

/** Reads across planes for controllers, which serve all of them. Computed objects are absent. */
export interface FleetReader {
  read(query: FleetQuery): Promise<readonly StoredObject[]>
  /** IDs of planes that have been written to, in order, after the given one. */
  readPlanes(after: string, limit: number): Promise<readonly string[]>
}
