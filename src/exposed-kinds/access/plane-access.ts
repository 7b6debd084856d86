import { SYSTEM_VERBS, SYSTEM_WRITE } from '../../access/authorizer.ts'
import { tenantOfPlane } from '../../access/tenant-plane.ts'
import type { AccessAttributes, PlaneAuthorizer } from '../../planes/model/access.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import type { ResourceRoots } from '../resource-roots.ts'
import { HYPERFLEET_GROUP } from './hyperfleet-group.ts'
import { rootIdentity } from './root-identity.ts'

/**
 * Decides about HyperFleet's kinds by the roles of the root planes, in whichever plane they are
 * served, and about everything else by the roles of the plane, among it the audit log of the plane.
 */
export function withHyperfleetKinds<Authorizer extends PlaneAuthorizer>(
  authorizer: Authorizer,
  rootsOf: ResourceRoots['decidersOf'],
): Authorizer {
  return {
    ...authorizer,
    authorize: async (attributes) => {
      const { plane, user, resource, verb } = attributes
      const isOfRoot = resource?.group === HYPERFLEET_GROUP && resource.plural !== 'audit'
      if (!isOfRoot) return authorizer.authorize(attributes)
      if (user.servesAllTenants && !SYSTEM_VERBS.has(verb)) {
        return { allowed: false, reason: SYSTEM_WRITE }
      }
      return firstAllowed(await rootsOf(plane), (root) => {
        const identity = rootIdentity({ plane, root }, user)
        return authorizer.authorize({ ...attributes, plane: root, user: identity })
      })
    },
  }
}

type Decision = Awaited<ReturnType<PlaneAuthorizer['authorize']>>

/** The decision of the first root plane that allows the request, else that of the first one. */
async function firstAllowed(
  [first = ROOT_PLANE, ...others]: readonly string[],
  decide: (root: string) => Promise<Decision> | Decision,
): Promise<Decision> {
  const decision = await decide(first)
  if (decision.allowed) return decision
  for (const root of others) {
    const other = await decide(root)
    if (other.allowed) return other
  }
  return decision
}

interface Options {
  /** Decides by the roles of the root planes. */
  readonly root: PlaneAuthorizer
  readonly rootsOf: ResourceRoots['decidersOf']
  /** The name of a cluster; null if it does not exist. */
  readonly nameOf: (cluster: string) => Promise<string | null>
}

/**
 * Whether a user administers a plane. The plane of a cluster needs the verb `admin` on
 * `clusters/control-plane` in a root plane; roles may name the cluster by its ID or its name. The
 * root plane of a tenant needs `admin` on `tenants` in the root plane of the server.
 */
export function createClusterAdministrators({
  root,
  rootsOf,
  nameOf,
}: Options): (plane: string, user: UserInfo) => Promise<boolean> {
  const mayAdminister = async (
    { plane, user }: Pick<AccessAttributes, 'plane' | 'user'>,
    resource: Pick<NonNullable<AccessAttributes['resource']>, 'plural' | 'subresource' | 'name'>,
  ): Promise<boolean> => {
    const named = { ...resource, group: HYPERFLEET_GROUP, version: 'v1', namespace: '' }
    const attributes = { plane, user, verb: 'admin', resource: named, path: '' }
    return (await root.authorize(attributes)).allowed
  }
  return async (plane, user) => {
    const { impersonator: _impersonator, ...acting } = user
    // The user that the request acts as decides, because the plane has allowed the impersonation.
    const identityIn = (decider: string): UserInfo => rootIdentity({ plane, root: decider }, acting)
    if (tenantOfPlane(plane) !== null) {
      const identity = { plane: ROOT_PLANE, user: identityIn(ROOT_PLANE) }
      return mayAdminister(identity, { plural: 'tenants', subresource: '', name: plane })
    }
    const cluster = { plural: 'clusters', subresource: 'control-plane' }
    const roots = await rootsOf(plane)
    const isNamed = async (name: string): Promise<boolean> => {
      for (const decider of roots) {
        const identity = { plane: decider, user: identityIn(decider) }
        if (await mayAdminister(identity, { ...cluster, name })) return true
      }
      return false
    }
    if (await isNamed(plane)) return true
    const name = await nameOf(plane)
    return name !== null && isNamed(name)
  }
}
