import type { RequestHandler, Response } from 'express'
import { must } from '../../lib/assert.ts'
import { waitOf } from '../../http/fairness/admission.ts'
import { waitForVersion } from '../../store/operations/read/wait-for-version.ts'
import type { CachedSnapshot } from '../cache/snapshot-cache.ts'
import { idParameter } from '../../store/registry/kind-routes.ts'
import { hasTag } from '../../hyperfleet/wire/etag.ts'
import { findTenantPlane } from '../../access/tenant-plane.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { renderEnvelope } from './render-envelope.ts'
import { permittedSelection } from './permitted-selection.ts'
import type { Selection } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'
import { setSnapshotHeaders } from '../../hyperfleet/wire/snapshot-headers.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import type { PlaneSnapshot } from '../../planes/snapshots/plane-snapshots.ts'
import {
  createMissingRoot,
  type PlaneObjects,
  requireKnownNames,
  withPlaneParts,
} from './plane-parts.ts'
import { isStrict, parseSnapshotQuery } from './snapshot-query.ts'
import { sendRootPlaneSnapshot } from './root-plane-snapshot.ts'
import { takeWhole } from './take-whole.ts'
import { watchSnapshot } from './watch-snapshot.ts'

/**
 * GET of a root's snapshot. Runs no statement if the subtree is in memory. With `planes`, the snapshot
 * includes the objects of the root's plane, and accepts unknown names unless `strict=true`.
 */
export function getSnapshot(
  context: SnapshotContext,
  planes: PlaneObjects | null = null,
): RequestHandler {
  const { operations, snapshots, kind, parts } = context
  const parameter = idParameter(kind)
  return async (request, response) => {
    const { originalUrl } = request
    const query = parseSnapshotQuery(originalUrl, planes ? null : parts.known)
    const { selection, watch, least } = query
    const idOrName = String(must(request.params[parameter], `path parameter ${parameter}`))
    const tenant = tenantOf(response)
    const plane = tenant === null ? ROOT_PLANE : findTenantPlane(tenant)
    if (planes && plane !== null && (idOrName === ROOT_PLANE || idOrName === plane)) {
      await sendRootPlaneSnapshot(context, { ...query, planes, plane }, response)
      return
    }
    const verb = watch ? 'watch' : 'list'
    const permitted = await permittedSelection(context, response, { selection, verb })
    if (planes && !snapshots.get({ tenant, kind: kind.kind, idOrName })) {
      await createMissingRoot(planes, response, idOrName)
    }
    if (least) await waitForVersion(operations, least, waitOf(response))
    const root = { tenant, idOrName, requested: selection, planes }
    if (watch && request.method !== 'HEAD') {
      await watchSnapshot(context, { ...root, selection: permitted }, response)
      return
    }
    const { cached, plane: objects } = await takeWhole(context, root, response)
    if (planes && isStrict(originalUrl)) {
      await requireKnownNames(planes, cached.state.root.id, {
        selected: selection.resources ?? [],
        known: parts.known,
      })
    }
    sendSnapshot(context, { idOrName, cached, selection: permitted, plane: objects }, response)
  }
}

interface Selected {
  readonly idOrName: string
  readonly cached: CachedSnapshot
  readonly selection: Selection
  /** The objects of the root's plane; null if the snapshot does not include them. */
  readonly plane: PlaneSnapshot | null
}

/** Sends 304 if `If-None-Match` has the snapshot's tag. */
function sendSnapshot(
  context: SnapshotContext,
  { idOrName, cached, selection, plane }: Selected,
  response: Response,
): void {
  const { kind, parts, clock } = context
  const { state, resourceVersion } = cached
  const { id } = state.root
  const time = clock().toISOString()
  setSnapshotHeaders(response, kind, { id, time })
  const tree = context.renderSnapshot(state, selection)
  const { etag, tail } = plane ? withPlaneParts(tree, plane) : tree
  response.setHeader('ETag', etag)
  if (hasTag(response.req, etag)) {
    response.status(304).end()
    return
  }
  const envelope = {
    kind,
    id,
    idOrName,
    time,
    resourceVersion,
    liveResources: parts.count + (plane?.parts.length ?? 0),
  }
  context.send(response, renderEnvelope(envelope), tail)
}
