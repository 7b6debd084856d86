import type { PlaneAuthorizer } from '../../planes/model/access.ts'
import type { UserInfo } from '../../planes/model/user-info.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import { HYPERFLEET_GROUP } from './hyperfleet-group.ts'
import { rootIdentity } from './root-identity.ts'

/**
 * Decides about HyperFleet's kinds by the roles of the root plane, in whichever plane they are
 * served, and about everything else by the roles of the plane, among it the audit log of the plane.
 */
export function withHyperfleetKinds<Authorizer extends PlaneAuthorizer>(
  authorizer: Authorizer,
): Authorizer {
  return {
    ...authorizer,
    authorize: (attributes) => {
      const { plane, user, resource } = attributes
      const isOfRoot = resource?.group === HYPERFLEET_GROUP && resource.plural !== 'audit'
      if (!isOfRoot || plane === ROOT_PLANE) {
        return authorizer.authorize(attributes)
      }
      return authorizer.authorize({
        ...attributes,
        plane: ROOT_PLANE,
        user: rootIdentity(plane, user),
      })
    },
  }
}

interface Options {
  /** Decides by the roles of the root plane. */
  readonly root: PlaneAuthorizer
  /** The name of a cluster; null if it does not exist. */
  readonly nameOf: (cluster: string) => Promise<string | null>
}

/**
 * Whether a user has the verb `admin` on `clusters/control-plane` in the root plane. Roles may name
 * the cluster by its ID or its name.
 */
export function createClusterAdministrators({
  root,
  nameOf,
}: Options): (plane: string, user: UserInfo) => Promise<boolean> {
  const mayAdminister = async (user: UserInfo, name: string): Promise<boolean> => {
    const resource = {
      group: HYPERFLEET_GROUP,
      version: 'v1',
      plural: 'clusters',
      subresource: 'control-plane',
      namespace: '',
      name,
    }
    const attributes = { plane: ROOT_PLANE, user, verb: 'admin', resource, path: '' }
    return (await root.authorize(attributes)).allowed
  }
  return async (plane, user) => {
    const { impersonator: _impersonator, ...acting } = user
    // The user that the request acts as decides, because the plane has allowed the impersonation.
    const identity = rootIdentity(plane, acting)
    if (await mayAdminister(identity, plane)) return true
    const name = await nameOf(plane)
    return name !== null && mayAdminister(identity, name)
  }
}
