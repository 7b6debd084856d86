import { defineCapability } from '../capability/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import type { Sender } from '../planes/http/kube-handler.ts'
import type { PlaneAuthorizer } from '../planes/model/access.ts'
import { planes } from '../planes/capability.ts'
import { flag } from '../lib/settings/setting.ts'
import { hyperfleetRoles } from './access/hyperfleet-roles.ts'
import { createClusterAdministrators, withHyperfleetKinds } from './access/plane-access.ts'
import { createBodyRules } from './body-rules.ts'
import { createMissingPlane } from './create-missing-plane.ts'
import { exposeKinds } from './exposed-kinds.ts'
import { followClusters } from './follow-clusters.ts'
import { openFleetAuthorizer } from './open-fleet-authorizer.ts'
import { createPlaneDirectory, PLANE_KIND } from './plane-directory.ts'
import { removePlanes } from './remove-planes.ts'
import { SERVER_ROOT, tenantRoots } from './resource-roots.ts'
import { GROUP } from './resource-type.ts'

/** A plane per cluster, and the kinds of the HyperFleet API as resources of planes. */
export const exposedKinds = defineCapability({
  name: 'exposed-kinds',
  needs: { hyperfleet, planes },
  settings: {
    planesOnFirstAccess: flag({
      env: 'PLANES_ON_FIRST_ACCESS',
      shared: true,
      default: false,
      doc: 'Whether a request to the plane of a missing cluster creates the cluster, if its caller may create clusters. A typo then creates a cluster that adapters provision. Probes never create one, and succeed for a plane that another request would create.',
    }),
  },
  open({ api, config, database, feed, needs, registry }) {
    const { base, operations, wire } = needs.hyperfleet
    const directory = createPlaneDirectory(database)
    const roots = config.tenantHeaders.length === 0 ? SERVER_ROOT : tenantRoots(directory)
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
      authorizer: (decider) => withHyperfleetKinds(decider, roots.decidersOf),
      administers: (root) =>
        createClusterAdministrators({
          root,
          rootsOf: roots.decidersOf,
          nameOf: async (cluster) => (await directory.find(cluster))?.name ?? null,
        }),
      createMissing,
      subscribeClusters: (...subscription) =>
        followClusters({ broadcaster: feed.broadcaster, roots }, ...subscription),
    }
    const exposure = { context: operations, family: wire.family, rules, planeKind: PLANE_KIND }
    needs.planes.resources.push(...exposeKinds({ ...exposure, roots }))
    if (config.authorization === 'rbac') {
      api.authorizer = openFleetAuthorizer({ database, registry, root: authorizer })
    }
    return {
      rules,
      roots,
      /** Creates the cluster of a missing plane if a sender may; null if no request does. */
      createMissing:
        createMissing &&
        (async (reference: string, sender: Required<Sender>) =>
          (await directory.find(reference, sender.tenant)) ??
          createMissing(reference, sender, { dryRun: false })),
    }
  },
  run({ config, database, feed, lifecycle, log, needs }) {
    if (config.role === 'api') return
    const { store } = needs.planes.sealed()
    const removal = removePlanes({ database, feed, store, log })
    lifecycle.onClose('removal of planes', () => removal[Symbol.asyncDispose]())
  },
})
