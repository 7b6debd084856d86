import type { JsonObject } from '../../lib/json/json.ts'
import { badRequest } from '../../planes/errors/failures.ts'
import type { SubresourceEndpoint } from '../../planes/model/native-resource.ts'
import { integerOf } from '../../planes/requests/request-options.ts'
import type { Members } from '../members/create-members.ts'
import type { MemberState } from '../members/member-state.ts'
import { KPLANE_API_VERSION } from '../types/kplane-group.ts'

/** GET of the members of a fleet: pages, or a watch. */
export function memberEndpoints(
  membersOf: Members['of'],
): Pick<SubresourceEndpoint, 'list' | 'watch'> {
  return {
    list: async ({ target, query }) => {
      const limit = integerOf(query, 'limit')
      const token = query.get('continue') ?? ''
      const page = await membersOf(target.plane).listMembers(target.name, {
        ...phaseOf(query),
        ...(limit !== null && limit > 0 && { limit }),
        ...(token !== '' && { continue: token }),
      })
      return JSON.parse(JSON.stringify(page))
    },
    watch: ({ target, query, from }, { onEvent, onLost, ready }) =>
      membersOf(target.plane).watchMembers(
        target.name,
        { ...phaseOf(query), from },
        {
          onEvent: (type, member, revision) => onEvent(type, itemOf(member, revision), revision),
          onLost,
          ready,
        },
      ),
  }
}

function itemOf({ claim, ...member }: MemberState, revision: bigint): JsonObject {
  return {
    apiVersion: KPLANE_API_VERSION,
    kind: 'FleetMember',
    metadata: { name: member.clusterID, resourceVersion: revision.toString() },
    ...member,
    ...(claim && { claim: { ...claim } }),
  }
}

const PHASES = ['Pending', 'Ready', 'Failed'] as const

function phaseOf(query: URLSearchParams): { readonly phase?: MemberState['phase'] } {
  const text = query.get('phase') ?? ''
  if (text === '') return {}
  const phase = PHASES.find((value) => value === text)
  if (phase) return { phase }
  throw badRequest(`phase must be one of ${PHASES.join(', ')}, not "${text.slice(0, 64)}"`)
}
