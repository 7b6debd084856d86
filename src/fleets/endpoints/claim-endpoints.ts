import type { JsonObject } from '../../lib/json/json.ts'
import type { EndpointRequest, SubresourceEndpoint } from '../../planes/model/native-resource.ts'
import type { Members } from '../members/create-members.ts'
import type { Claimant, FleetClaims, ReleasePolicy } from '../members/claims/fleet-claims.ts'
import { readDeclaredBody } from '../../planes/operations/input/read-declared-body.ts'
import { textOf } from '../../lib/json/json-fields.ts'

/** The endpoints of holders of members: claim, renew, release and recycle. */
export function claimEndpoints(
  membersOf: Members['of'],
): Readonly<Record<string, SubresourceEndpoint>> {
  const claimsOf = ({ target }: EndpointRequest): FleetClaims => membersOf(target.plane).claims
  return {
    claim: {
      create: async (request, given) => {
        const body = readDeclaredBody(given, request.target)
        const { claim, created } = await claimsOf(request).claim(
          request.target.name,
          {
            holder: textOf(body['holder']),
            ...optionalText(body, 'labelSelector'),
            ...optionalText(body, 'clusterID'),
            ...optionalNumber(body, 'ttlSeconds'),
            createOnEmpty: body['createOnEmpty'] === true,
          },
          claimantOf(request),
        )
        return { status: created ? 201 : 200, body: { ...claim } }
      },
    },
    renew: {
      create: async (request, given) => {
        const body = readDeclaredBody(given, request.target)
        const renewal = { ...claimOf(body), ...optionalNumber(body, 'ttlSeconds') }
        const claim = await claimsOf(request).renew(
          request.target.name,
          renewal,
          claimantOf(request),
        )
        return { status: 200, body: { ...claim } }
      },
    },
    release: {
      create: async (request, given) => {
        const body = readDeclaredBody(given, request.target)
        // oxlint-disable-next-line unicorn/no-thenable -- a field of the API, never awaited
        const release = { ...claimOf(body), then: policyOf(body) }
        const released = await claimsOf(request).release(
          request.target.name,
          release,
          claimantOf(request),
        )
        return { status: 200, body: { ...released } }
      },
    },
    recycle: {
      create: async (request, given) => {
        const body = readDeclaredBody(given, request.target)
        const selected = optionalText(body, 'clusterID')
        const { name } = request.target
        const recycling = await claimsOf(request).recycle(name, selected, claimantOf(request))
        return { status: 200, body: { ...recycling } }
      },
    },
  }
}

function claimantOf({ requester }: EndpointRequest): Claimant {
  return { user: requester.user.name }
}

function claimOf(body: JsonObject) {
  return { clusterID: textOf(body['clusterID']), claimID: textOf(body['claimID']) }
}

function policyOf(body: JsonObject): ReleasePolicy {
  const { then: policy } = body
  return policy === 'Delete' || policy === 'Keep' ? policy : 'Recycle'
}

function optionalText<Name extends string>(
  body: JsonObject,
  name: Name,
): { [key in Name]?: string } {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? objectWith(name, value) : {}
}

function optionalNumber<Name extends string>(
  body: JsonObject,
  name: Name,
): { [key in Name]?: number } {
  const value = body[name]
  return typeof value === 'number' ? objectWith(name, value) : {}
}

function objectWith<Name extends string, Value>(
  name: Name,
  value: Value,
): { [key in Name]?: Value } {
  const object: { [key in Name]?: Value } = {}
  object[name] = value
  return object
}
