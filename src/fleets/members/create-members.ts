import { BoundedMap } from '../../lib/bounded-map.ts'
import type { SeedContext } from '../../planes/seeding/seed-context.ts'
import { claim } from './claims/claim.ts'
import { compareFleet } from './compare-fleet.ts'
import { createMissing } from './creation/create-missing.ts'
import { declareAdapters } from './creation/declare-adapters.ts'
import { expireMembers } from './claims/expire-members.ts'
import { findReleased } from './find-released.ts'
import type { FleetClaims } from './claims/fleet-claims.ts'
import type { FleetMembersOf } from './fleet-members.ts'
import { followMembers } from './follow-members.ts'
import { listMemberPage } from './list-member-page.ts'
import type { ListMembers } from './member-list.ts'
import type { MemberParts } from './creation/member-parts.ts'
import { createMemberSeeds } from './creation/member-seeds.ts'
import { recycle } from './claims/recycle.ts'
import { release } from './claims/release.ts'
import { removeMembers } from './remove-members.ts'
import { renew } from './claims/renew.ts'
import { resetMembers } from './reset-members.ts'
import type { WatchMembers } from './watch-members.ts'

/** A template of a fleet may have 1 MiB. */
const CACHED_FLEETS = 100

/** Claims, lists and watches of the members of one root plane's fleets. */
export interface RootMembers {
  readonly claims: FleetClaims
  readonly listMembers: ListMembers
  readonly watchMembers: WatchMembers
}

/** The members of all fleets: their controller's interface, and that of clients. */
export interface Members {
  readonly membersOf: FleetMembersOf
  readonly of: (root: string) => RootMembers
}

interface Options extends Omit<MemberParts, 'fleets' | 'rootPlane' | 'tenant' | 'seeds'> {
  readonly seeds: SeedContext
  /** The tenant of the members of a root plane's fleets. */
  readonly tenantOf: (root: string) => string
}

/** Connects fleets with the clusters that are their members. */
export function createMembers({ tenantOf, seeds: seedContext, ...given }: Options): Members {
  const fleets: MemberParts['fleets'] = new BoundedMap(CACHED_FLEETS)
  const seeds = createMemberSeeds(seedContext)
  const partsOf = (root: string): MemberParts => {
    return { ...given, fleets, seeds, rootPlane: root, tenant: tenantOf(root) }
  }
  return {
    membersOf: (root, fence) => {
      const parts = partsOf(root)
      return {
        compare: (fleet, skip = []) => compareFleet(parts, fleet, skip),
        create: (fleet, names) => createMissing(parts, fleet, { names, fence }),
        remove: (fleet, ids, policy) => removeMembers(parts, fleet, { ids, policy, fence }),
        findReleased: (fleet) => findReleased(parts, fleet),
        reset: (fleet, ids) => resetMembers(parts, fleet, { ids, fence }),
        declare: (fleet, ids) => declareAdapters(parts, fleet, { ids, fence }),
        expire: (fleet) => expireMembers(parts, fleet, fence),
      }
    },
    of: (root) => rootMembers(partsOf(root)),
  }
}

function rootMembers(parts: MemberParts): RootMembers {
  return {
    claims: {
      claim: (fleet, request, claimant) => claim(parts, fleet, { request, claimant }),
      renew: (fleet, request, claimant) => renew(parts, fleet, { request, claimant }),
      release: (fleet, request, claimant) => release(parts, fleet, { request, claimant }),
      recycle: (fleet, request, claimant) => recycle(parts, fleet, { request, claimant }),
    },
    listMembers: (fleet, options) => listMemberPage(parts, fleet, options),
    watchMembers: (fleet, options, subscriber) =>
      followMembers(parts, { ...options, fleet }, subscriber),
  }
}
