import { defineCapability } from '../capability/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import type { PlaneAuthorizer } from '../planes/model/access.ts'
import type { UserInfo } from '../planes/model/user-info.ts'
import { planes } from '../planes/capability.ts'
import { hyperfleetRoles } from './access/hyperfleet-roles.ts'
import { createClusterAdministrators, withHyperfleetKinds } from './access/plane-access.ts'
import { createBodyRules } from './body-rules.ts'
import { createMissingPlane } from './create-missing-plane.ts'
import { EXPOSED_KINDS_SETTINGS } from './exposed-kinds-settings.ts'
import { exposeKinds } from './exposed-kinds.ts'
import { followClusters } from './follow-clusters.ts'
import { openFleetAuthorizer } from './open-fleet-authorizer.ts'
import { createPlaneDirectory, PLANE_KIND, ROOT_PLANE } from './plane-directory.ts'
import { removePlanes } from './remove-planes.ts'
import { GROUP } from './resource-type.ts'

/** A plane per cluster, and the kinds of the HyperFleet API as resources of planes. */
export const exposedKinds = defineCapability({
  name: 'exposed-kinds',
  needs: { hyperfleet, planes },
  settings: EXPOSED_KINDS_SETTINGS,
  open({ api, config, database, feed, needs, registry }) {
    const { base, operations, wire } = needs.hyperfleet
    const directory = createPlaneDirectory(database)
    const rules = createBodyRules({ base, registry, bodyLimit: config.bodyLimitBytes })
    const authorizer: PlaneAuthorizer = {
      authorize: (request) => needs.planes.sealed().authorizer.authorize(request),
    }
    const createMissing = config.planesOnFirstAccess
      ? createMissingPlane({
          controlPlane: needs.planes.sealed,
          authorizer,
          directory,
          group: GROUP,
        })
      : null
    needs.planes.roles.push((plane) => hyperfleetRoles(plane, registry.kinds))
    needs.planes.further = {
      directory,
      tenantOf: async (plane) => (await directory.find(plane))?.tenant ?? null,
      authorizer: withHyperfleetKinds,
      administers: (root) =>
        createClusterAdministrators({
          root,
          nameOf: async (cluster) => (await directory.find(cluster))?.name ?? null,
        }),
      createMissing,
      subscribeClusters: (...subscription) => followClusters(feed.broadcaster, ...subscription),
    }
    // The resources of the API belong to tenants if there are some, and the root plane to none.
    if (config.tenantHeaders.length === 0) {
      const options = { context: operations, family: wire.family, rules, planeKind: PLANE_KIND }
      needs.planes.resources.push(...exposeKinds({ ...options, rootPlane: ROOT_PLANE.plane }))
    }
    if (config.authorization === 'rbac') {
      api.authorizer = openFleetAuthorizer({ database, registry, root: authorizer })
    }
    return {
      rules,
      /** Creates the cluster of a missing plane if a user may; null if no request does. */
      createMissing:
        createMissing &&
        (async (reference: string, user: UserInfo) =>
          (await directory.find(reference)) ??
          createMissing(reference, { userIn: () => Promise.resolve(user) }, { dryRun: false })),
    }
  },
  run({ config, database, feed, lifecycle, log, needs }) {
    if (config.role === 'api') return
    const { store } = needs.planes.sealed()
    const removal = removePlanes({ database, feed, store, log })
    lifecycle.onClose('removal of planes', () => removal[Symbol.asyncDispose]())
  },
})
