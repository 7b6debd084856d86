import type { WriteFence } from '../../store/objects/model/write-fence.ts'
import type { MemberState } from './member-state.ts'

/** The version of a Fleet object that a decision is based on. */
export interface FleetRef {
  readonly name: string
  readonly uid: string
  /** Rises with a change of the spec and with the deletion. Writes for another one fail with 409. */
  readonly generation: number
}

/** Numbers of members, of which a comparison lists only the first ones. */
export interface MemberCounts {
  readonly members: number
  readonly ready: number
  /** Ready and unclaimed. */
  readonly available: number
  /** Made from the current content. */
  readonly updated: number
  readonly claimed: number
  /** Wanted names that belong to foreign clusters. */
  readonly failed: number
  /** Clusters of former members that wait for adapters. */
  readonly terminating: number
}

/** A member that was made from older content. */
export interface OutdatedMember {
  readonly id: string
  readonly name: string
  /** Whether it is ready and unclaimed. */
  readonly available: boolean
}

/** A surplus or removed member. */
export interface MemberName {
  /** The ID of its cluster. */
  readonly id: string
  readonly name: string
}

/**
 * The difference between a fleet and its members, from one statement. Lists have at most 1 000
 * items, in the order in which they are changed.
 */
export interface Comparison {
  /** The number of members that the fleet wants; 0 if it is being deleted. */
  readonly wanted: number
  readonly counts: MemberCounts
  /** Names of members to create or to adopt. Names of foreign clusters are not included. */
  readonly missing: readonly string[]
  /** Members to remove. They are unclaimed, unless the fleet is being deleted. */
  readonly surplus: readonly MemberName[]
  /** The number of surplus members that leave after their reset. */
  readonly awaitedSurplus: number
  /** Unclaimed members that were made from older content and are not surplus. */
  readonly outdated: readonly OutdatedMember[]
  /** IDs of the members to reset. */
  readonly recycling: readonly string[]
  /** Names of members that cannot be claimed until a client asks for their reset. */
  readonly unclean: readonly string[]
  /**
   * IDs of members that declare other required adapters than the fleet, also of deleted ones, and of
   * deleted ones that an older server has kept although they wait for no adapter.
   */
  readonly undeclared: readonly string[]
  /** The number of claims whose lease has ended. */
  readonly expired: number
  /** When the next lease of a claim ends, in RFC 3339; null if no lease has an end. */
  readonly nextExpiry: string | null
  /** The earliest recorded start of a claim, in RFC 3339; null if there is none. */
  readonly firstClaim: string | null
  /** The Scenario that the fleet names, if it does not exist: no member can be created. */
  readonly missingScenario: string | null
  /** The adapters that terminating clusters wait for. */
  readonly waitingFor: readonly string[]
  /** Names of foreign clusters that the fleet wants. */
  readonly conflicts: readonly string[]
  /** The first members in desired order. */
  readonly members: readonly MemberState[]
}

/** The result of creating one member. */
export interface CreationResult {
  readonly name: string
  readonly result: 'created' | 'adopted' | 'conflict' | 'failed'
  /** Why it failed; empty otherwise. */
  readonly message: string
}

/** The result of removing one member. `claimed`: it stays until its release or its reset. */
export interface RemovalResult {
  readonly id: string
  readonly result: 'removed' | 'claimed' | 'gone'
}

/**
 * Reads and changes the members of fleets for their controller. The server reads the content of
 * members from the stored Fleet. All methods throw KubeError: 404 if the Fleet does not exist with
 * this uid, 409 if it has another generation or another leader has taken over.
 */
export interface FleetMembers {
  /**
   * Reads the database, never a cache. Names in `skip` (at most 1 000) are not listed as missing:
   * members that could not be created do not hide others.
   */
  compare(fleet: FleetRef, skip?: readonly string[]): Promise<Comparison>
  /** Creates or adopts up to 1 000 members, in one transaction unless their objects are large. */
  create(fleet: FleetRef, names: readonly string[]): Promise<readonly CreationResult[]>
  /** Deletes up to 1 000 members, or releases them from the fleet. */
  remove(
    fleet: FleetRef,
    ids: readonly string[],
    policy: 'Delete' | 'Orphan',
  ): Promise<readonly RemovalResult[]>
  /** IDs of up to 1 000 released members of a fleet that have its current content. */
  findReleased(fleet: string): Promise<readonly string[]>
  /** Returns up to 1 000 members to their initial content. */
  reset(fleet: FleetRef, ids: readonly string[]): Promise<void>
  /** Makes up to 1 000 members and their node pools require the adapters that the fleet declares. */
  declare(fleet: FleetRef, ids: readonly string[]): Promise<void>
  /** Marks members whose claims have ended for a reset. Returns the number of these claims. */
  expire(fleet: FleetRef): Promise<number>
}

/** The fleets of a root plane, for writes of one leader; null for writes without a leader. */
export type FleetMembersOf = (root: string, fence: WriteFence | null) => FleetMembers
