import type { ControlPlane } from '../planes/control-plane.ts'
import type { KubeHandlerOptions } from '../planes/http/kube-handler.ts'
import type { PlaneAuthorizer } from '../planes/model/access.ts'
import { apiVersionOf } from '../planes/model/resource-type.ts'
import { FlotillaError, type Reason } from '../lib/errors.ts'
import { type ClusterPlanes, PLANE_KIND, ROOT_PLANE } from './plane-directory.ts'

interface Parts {
  readonly controlPlane: () => ControlPlane
  readonly authorizer: PlaneAuthorizer
  readonly directory: ClusterPlanes
  /** The group of the HyperFleet kinds in root planes. */
  readonly group: string
}

/** Failures that leave the plane missing: its name is invalid or was taken meanwhile. */
const HARMLESS: ReadonlySet<Reason> = new Set(['already-exists', 'unprocessable', 'invalid'])

/** Creates the cluster of a missing plane through the root plane of the sender, if it may. */
export function createMissingPlane(parts: Parts): NonNullable<KubeHandlerOptions['createMissing']> {
  return async (reference, sender, { dryRun }) => {
    const { types, operations } = parts.controlPlane()
    const root = await parts.directory.find(ROOT_PLANE.plane, sender.tenant)
    if (root === null) return null
    const { plane } = root
    const user = await sender.userIn(root)
    const type = (await types.typesOf(plane)).findByKind(parts.group, PLANE_KIND)
    if (user === null || type === null) return null
    const { group, plural, storageVersion: version } = type
    const resource = { group, version, plural, subresource: '', namespace: '', name: '' }
    const access = { plane, user, verb: 'create', resource, path: '' }
    if (!(await parts.authorizer.authorize(access)).allowed) return null
    const requester = { user, warn: () => undefined }
    const target = { plane, type, version, namespace: '', name: '', subresource: '' }
    const object = {
      apiVersion: apiVersionOf(group, version),
      kind: type.kind,
      metadata: { name: reference },
      spec: {},
    }
    try {
      await operations.create(requester, target, object, { dryRun })
      if (dryRun) return root
    } catch (error) {
      if (!(error instanceof FlotillaError && HARMLESS.has(error.reason))) throw error
    }
    return parts.directory.find(reference, sender.tenant)
  }
}
