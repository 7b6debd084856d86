import type { FleetMembers, FleetRef } from '../../../src/fleets/members/fleet-members.ts'
import type { WriteFence } from '../../../src/store/objects/model/write-fence.ts'
import type { JsonObject } from '../../../src/lib/json/json.ts'
import type { ResourceName } from '../../../src/planes/controllers/client/plane-client.ts'
import type { HttpOptions } from '../../../src/planes/controllers/client/http/http-options.ts'
import { parseComparison } from './parse-comparison.ts'
import { parseCreationResults, parseRemovalResults } from './parse-member-results.ts'
import {
  planePath,
  resourcePath,
} from '../../../src/planes/controllers/client/http/resource-path.ts'
import { sendRequest } from '../../../src/planes/controllers/client/http/send-request.ts'

const FLEETS: ResourceName = { group: 'kplane.dev', version: 'v1', plural: 'fleets' }

/** The members of fleets of another server, through the subresources of its Fleets. */
export function createHttpFleetMembers(
  options: HttpOptions,
  fence: WriteFence | null,
): FleetMembers {
  const post = (fleet: FleetRef, subresource: string, body: JsonObject): Promise<JsonObject> => {
    const { name, uid, generation } = fleet
    const path = planePath('root') + resourcePath(FLEETS, { name, subresource })
    return sendRequest(options, {
      method: 'POST',
      path,
      body: { uid, generation, ...body },
      fence,
    })
  }
  return {
    compare: async (fleet, skip = []) => parseComparison(await post(fleet, 'comparison', { skip })),
    create: async (fleet, names) => parseCreationResults(await post(fleet, 'members', { names })),
    remove: async (fleet, members, policy) =>
      parseRemovalResults(await post(fleet, 'remove', { members, policy })),
    // Its fleets are compared.
    findReleased: () => Promise.resolve([]),
    reset: async (fleet, members) => {
      await post(fleet, 'reset', { members })
    },
    declare: async (fleet, members) => {
      await post(fleet, 'declare', { members })
    },
    expire: async (fleet) => {
      const { expired } = await post(fleet, 'expire', {})
      return typeof expired === 'number' ? expired : 0
    },
  }
}
