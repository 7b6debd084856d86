import type { Comparison, MemberCounts } from '../../../src/fleets/members/fleet-members.ts'
import type { MemberState } from '../../../src/fleets/members/member-state.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json/json.ts'
import { numberOf, textOf } from '../../../src/lib/json/json-fields.ts'
import { errorOfStatus } from '../../../src/planes/controllers/client/http/status-error.ts'
import { objectsOf } from './parse-member-results.ts'

const PHASES: readonly MemberState['phase'][] = ['Pending', 'Ready', 'Failed']

/** Parses a comparison of a fleet with its members. */
export function parseComparison(body: JsonObject): Comparison {
  const { wanted, counts, surplus, outdated, expired, members } = body
  if (typeof wanted !== 'number' || !isJsonObject(counts)) {
    throw errorOfStatus({ message: 'the response is not a comparison of a fleet' }, 500)
  }
  return {
    wanted,
    counts: parseCounts(counts),
    missing: textsOf(body['missing']),
    surplus: objectsOf(surplus).map(({ id, name }) => ({ id: textOf(id), name: textOf(name) })),
    awaitedSurplus: numberOf(body['awaitedSurplus']),
    outdated: objectsOf(outdated).map(({ id, name, available }) => ({
      id: textOf(id),
      name: textOf(name),
      available: available === true,
    })),
    recycling: textsOf(body['recycling']),
    unclean: textsOf(body['unclean']),
    undeclared: textsOf(body['undeclared']),
    expired: numberOf(expired),
    nextExpiry: textOrNull(body['nextExpiry']),
    firstClaim: textOrNull(body['firstClaim']),
    missingScenario: textOrNull(body['missingScenario']),
    waitingFor: textsOf(body['waitingFor']),
    conflicts: textsOf(body['conflicts']),
    members: objectsOf(members).map(parseMember),
  }
}

function parseCounts(counts: JsonObject): MemberCounts {
  return {
    members: numberOf(counts['members']),
    ready: numberOf(counts['ready']),
    available: numberOf(counts['available']),
    updated: numberOf(counts['updated']),
    claimed: numberOf(counts['claimed']),
    failed: numberOf(counts['failed']),
    terminating: numberOf(counts['terminating']),
  }
}

/** The claim is not needed for a fleet's status. */
function parseMember({ clusterID, uid, ...state }: JsonObject): MemberState {
  return {
    clusterID: textOf(clusterID),
    ...(typeof uid === 'string' && { uid }),
    phase: PHASES.find((phase) => phase === state['phase']) ?? 'Pending',
    message: textOf(state['message']),
    lastTransitionTime: textOf(state['lastTransitionTime']),
  }
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
