import type { MemberState } from './member-state.ts'

/** The query of `GET fleets/{name}/members`. */
export interface MemberListOptions {
  readonly phase?: MemberState['phase']
  /** 1 to 1 000; 500 if absent. */
  readonly limit?: number
  /** The token of the page before. */
  readonly continue?: string
}

/** A page of the members of a fleet in desired order. */
export interface FleetMemberList {
  readonly apiVersion: 'kplane.dev/v1'
  readonly kind: 'FleetMemberList'
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly MemberState[]
}

/** Reads the members of a fleet page by page. 404 without the Fleet, 400 for a bad token. */
export type ListMembers = (fleet: string, options: MemberListOptions) => Promise<FleetMemberList>
