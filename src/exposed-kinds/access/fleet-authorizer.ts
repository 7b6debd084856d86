import {
  type Access,
  type Authorizer,
  type Decision,
  tenancyAuthorizer,
} from '../../access/authorizer.ts'
import type { Caller } from '../../access/principal.ts'
import { AUTHENTICATED, isReservedName } from '../../planes/access/system-groups.ts'
import type { AccessAttributes, PlaneAuthorizer } from '../../planes/model/access.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import { HYPERFLEET_GROUP } from './hyperfleet-group.ts'

interface Options {
  /** Decides by the roles of the root plane. */
  readonly root: PlaneAuthorizer
  /** The plurals of the registered kinds. */
  readonly plurals: () => readonly string[]
  /** The name of a resource of a kind; null if it does not exist. */
  readonly nameOf: (plural: string, id: string) => Promise<string | null>
}

const ALLOWED: Decision = { isAllowed: true }

/** The subresources of routes by their names in roles. */
const SUBRESOURCES: Readonly<Record<string, string>> = { statuses: 'status', snapshot: '' }

/**
 * Decides about requests to the HyperFleet API by the roles of the root plane. Tenancy applies in
 * addition. Roles may name a resource by its ID or its name.
 */
export function createFleetAuthorizer(options: Options): Authorizer {
  return {
    isDetailed: true,
    authorize: async (caller, access) => {
      const decision = await tenancyAuthorizer.authorize(caller, access)
      if (!decision.isAllowed) return decision
      if (!caller.impersonation && isReservedName(caller.user)) return RESERVED
      if (access.resource !== '*') return decide(options, caller, access)
      return decideForAny(options, caller, access)
    },
  }
}

/** The roles for resources that other roles do not include, for denials. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['audit', 'hyperfleet-auditor'],
  ['webhooks', 'hyperfleet-webhook-admin'],
])

const RESERVED: Decision = {
  isAllowed: false,
  reason: "The user's name begins with 'system:', which is reserved for this server",
}

/** Allows the request if the caller may read some kind; its handler checks the kinds that it reads. */
async function decideForAny(options: Options, caller: Caller, access: Access): Promise<Decision> {
  let denial: Decision = { isAllowed: false, reason: 'No kind can be read' }
  for (const resource of options.plurals()) {
    const decision = await decide(options, caller, { ...access, resource })
    if (decision.isAllowed) return decision
    denial = decision
  }
  return denial
}

async function decide(options: Options, caller: Caller, access: Access): Promise<Decision> {
  const { root, nameOf } = options
  const first = await root.authorize(attributesOf(caller, access, access.name ?? ''))
  if (first.allowed) return ALLOWED
  const role = ROLES.get(access.resource)
  const hint = role === undefined ? '' : `: the role ${role} allows it`
  const denial = { isAllowed: false, reason: first.reason + hint } as const
  if (access.name === undefined || access.verb === 'report') return denial
  const name = await nameOf(access.resource, access.name)
  if (name === null) return denial
  const second = await root.authorize(attributesOf(caller, access, name))
  return second.allowed ? ALLOWED : denial
}

function attributesOf(
  caller: Caller,
  { verb, resource, subresource, plane = ROOT_PLANE }: Access,
  name: string,
): AccessAttributes {
  return {
    plane,
    user: userOf(caller),
    verb,
    resource: {
      group: HYPERFLEET_GROUP,
      version: 'v1',
      plural: resource,
      subresource: subresource === null ? '' : (SUBRESOURCES[subresource] ?? subresource),
      namespace: '',
      name,
    },
    path: '',
  }
}

function userOf({ user: name, groups, impersonation }: Caller): UserInfo {
  if (impersonation) return { name, uid: impersonation.uid, groups, extra: impersonation.extra }
  const own = groups.filter((group) => !isReservedName(group))
  return { name, uid: '', groups: [...own, AUTHENTICATED], extra: {} }
}
