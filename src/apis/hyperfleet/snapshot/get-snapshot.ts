import type { Request, RequestHandler, Response } from 'express'
import { must } from '../../../lib/assert.ts'
import { waitForVersion } from '../../../core/operations/read/wait-for-version.ts'
import { type Snapshot, takeSnapshot } from '../../../core/operations/snapshots/take-snapshot.ts'
import { idParameter } from '../../../core/registry/kind-routes.ts'
import { hasTag } from '../wire/etag.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import { renderEnvelope } from './render-envelope.ts'
import { renderUnsynced } from './render-snapshot.ts'
import { permittedSelection } from './permitted-selection.ts'
import type { Selection } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'
import { setSnapshotHeaders } from '../wire/snapshot-headers.ts'
import type { PlaneSnapshot } from '../../kube/snapshots/plane-snapshots.ts'
import {
  createMissingRoot,
  type PlaneObjects,
  planeSelection,
  requireKnownNames,
  withPlaneParts,
} from './plane-parts.ts'
import { isStrict, parseSnapshotQuery } from './snapshot-query.ts'
import { watchSnapshot } from './watch-snapshot.ts'

/**
 * GET of a root's snapshot. Runs no statement if the subtree is in memory. With `planes`, the snapshot
 * includes the objects of the root's plane, and accepts unknown names unless `strict=true`.
 */
export function getSnapshot(
  context: SnapshotContext,
  planes: PlaneObjects | null = null,
): RequestHandler {
  const { operations, kind, parts } = context
  const parameter = idParameter(kind)
  return async (request, response) => {
    const { originalUrl } = request
    const query = parseSnapshotQuery(originalUrl, planes ? null : parts.known)
    const { selection, warm, watch, least } = query
    const idOrName = String(must(request.params[parameter], `path parameter ${parameter}`))
    const tenant = tenantOf(response)
    const verb = watch ? 'watch' : 'list'
    const permitted = await permittedSelection(context, response, { selection, verb })
    if (planes && !operations.snapshots.get({ tenant, kind: kind.kind, idOrName })) {
      await createMissingRoot(planes, response, idOrName)
    }
    if (least) await waitForVersion(operations, least)
    if (watch && request.method !== 'HEAD') {
      const watched = { tenant, idOrName, selection: permitted, requested: selection, planes }
      await watchSnapshot(context, watched, request, response)
      return
    }
    const snapshot = await takeSnapshot(operations, { tenant, kind, idOrName, warm })
    const { id } = snapshot
    if (planes && isStrict(originalUrl)) {
      await requireKnownNames(planes, id, {
        selected: selection.resources ?? [],
        known: parts.known,
      })
    }
    const plane = planes
      ? await planes.snapshots.read(planeSelection(planes, response, { id, selection }))
      : null
    sendSnapshot(request, response, context, { snapshot, selection: permitted, plane })
  }
}

interface Selected {
  readonly snapshot: Snapshot
  readonly selection: Selection
  /** The objects of the root's plane; null if the snapshot does not include them. */
  readonly plane: PlaneSnapshot | null
}

/**
 * Sends 304 if `If-None-Match` has the snapshot's tag. A subtree that is not in memory yet has no
 * tag.
 */
function sendSnapshot(
  request: Request,
  response: Response,
  context: SnapshotContext,
  { snapshot, selection, plane }: Selected,
): void {
  const { operations, kind, parts, clock } = context
  const { id, cached } = snapshot
  const time = clock().toISOString()
  setSnapshotHeaders(response, kind, { id, time })
  const tree = cached && context.renderSnapshot(cached.state, selection)
  const rendered = tree && plane ? withPlaneParts(tree, plane) : tree
  if (rendered) {
    response.setHeader('ETag', rendered.etag)
    if (hasTag(request, rendered.etag)) {
      response.status(304).end()
      return
    }
  }
  const resourceVersion = cached?.resourceVersion ?? operations.feed.broadcaster.resourceVersion
  const envelope = {
    kind,
    id,
    time,
    resourceVersion,
    liveResources: parts.count + (plane?.parts.length ?? 0),
  }
  const tail = rendered?.tail ?? renderUnsynced(parts, selection)
  context.send(response, renderEnvelope(envelope), tail)
}
