import type { Comparison } from '../members/fleet-members.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { type ObservedFleet, observedFleet } from './observed-fleet.ts'

interface FleetParts {
  readonly spec?: JsonObject
  readonly status?: JsonObject
  readonly metadata?: JsonObject
}

/** A Fleet for unit tests. */
export function fleetFixture({ spec, status, metadata }: FleetParts = {}): ObservedFleet {
  const object: ApiObject = {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: {
      name: 'rl',
      uid: 'uid',
      generation: 2,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: { replicas: 3, ...spec },
    ...(status && { status }),
  }
  return observedFleet(object)
}

type Parts = Partial<Omit<Comparison, 'counts'>> & {
  readonly counts?: Partial<Comparison['counts']>
}

/** A comparison without any difference, except for the given ones. */
export function comparisonFixture({ counts, ...parts }: Parts = {}): Comparison {
  const wanted = parts.wanted ?? 3
  return {
    wanted,
    counts: {
      members: wanted,
      ready: wanted,
      available: wanted,
      updated: wanted,
      claimed: 0,
      failed: 0,
      terminating: 0,
      ...counts,
    },
    missing: [],
    surplus: [],
    awaitedSurplus: 0,
    outdated: [],
    recycling: [],
    unclean: [],
    undeclared: [],
    expired: 0,
    nextExpiry: null,
    firstClaim: null,
    missingScenario: null,
    waitingFor: [],
    conflicts: [],
    members: [],
    ...parts,
  }
}
