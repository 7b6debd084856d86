import type { WriteFence } from '../../store/objects/model/write-fence.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type {
  EndpointRequest,
  EndpointResponse,
  SubresourceEndpoint,
} from '../../planes/model/native-resource.ts'
import type { FleetMembers, FleetMembersOf, FleetRef } from '../members/fleet-members.ts'
import { readDeclaredBody } from '../../planes/operations/input/read-declared-body.ts'
import { textsOf } from '../../lib/json/json-fields.ts'

interface Call {
  readonly members: FleetMembers
  readonly fleet: FleetRef
  readonly body: JsonObject
}

type Endpoint = NonNullable<SubresourceEndpoint['create']>

/** The endpoints that the controller of fleets uses in another process. */
export function controllerEndpoints(membersOf: FleetMembersOf) {
  const endpoint =
    (serve: (call: Call) => Promise<JsonObject>): Endpoint =>
    async (request, given): Promise<EndpointResponse> => {
      const body = readDeclaredBody(given, request.target)
      const members = membersOf(request.target.plane, leaderFence(request))
      return { status: 200, body: await serve({ members, fleet: fleetOf(request, body), body }) }
    }
  return {
    createMembers: endpoint(async ({ members, fleet, body }) => {
      const items = await members.create(fleet, textsOf(body['names']))
      return { items: items.map((item) => ({ ...item })) }
    }),
    comparison: {
      create: endpoint(async ({ members, fleet, body }) => {
        const comparison = await members.compare(fleet, textsOf(body['skip']))
        return JSON.parse(JSON.stringify(comparison))
      }),
    },
    remove: {
      create: endpoint(async ({ members, fleet, body }) => {
        const policy = body['policy'] === 'Delete' ? 'Delete' : 'Orphan'
        const items = await members.remove(fleet, textsOf(body['members']), policy)
        return { items: items.map((item) => ({ ...item })) }
      }),
    },
    reset: {
      create: endpoint(async ({ members, fleet, body }) => {
        await members.reset(fleet, textsOf(body['members']))
        return {}
      }),
    },
    declare: {
      create: endpoint(async ({ members, fleet, body }) => {
        await members.declare(fleet, textsOf(body['members']))
        return {}
      }),
    },
    expire: {
      create: endpoint(async ({ members, fleet }) => ({ expired: await members.expire(fleet) })),
    },
  }
}

/** Fences of objects are for deletions of the content of planes, which do not come here. */
function leaderFence({ requester: { fence } }: EndpointRequest): WriteFence | null {
  return fence && 'number' in fence ? fence : null
}

function fleetOf({ target }: EndpointRequest, { uid, generation }: JsonObject): FleetRef {
  const given = typeof uid === 'string' ? uid : ''
  return { name: target.name, uid: given, generation: Number(generation) }
}
