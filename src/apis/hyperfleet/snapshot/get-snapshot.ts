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
import { parseSnapshotQuery } from './snapshot-query.ts'
import { watchSnapshot } from './watch-snapshot.ts'

/** GET of a root's snapshot. Runs no statement if the subtree is in memory. */
export function getSnapshot(context: SnapshotContext): RequestHandler {
  const { operations, kind, parts } = context
  const parameter = idParameter(kind)
  return async (request, response) => {
    const { selection, warm, watch, least } = parseSnapshotQuery(request.originalUrl, parts.known)
    const idOrName = String(must(request.params[parameter], `path parameter ${parameter}`))
    const tenant = tenantOf(response)
    const verb = watch ? 'watch' : 'list'
    const permitted = await permittedSelection(context, response, { selection, verb })
    if (least) await waitForVersion(operations, least)
    if (watch && request.method !== 'HEAD') {
      await watchSnapshot(context, { tenant, idOrName, selection: permitted }, request, response)
      return
    }
    const snapshot = await takeSnapshot(operations, { tenant, kind, idOrName, warm })
    sendSnapshot(request, response, context, { snapshot, selection: permitted })
  }
}

interface Selected {
  readonly snapshot: Snapshot
  readonly selection: Selection
}

/**
 * Sends 304 if `If-None-Match` has the snapshot's tag. A subtree that is not in memory yet has no
 * tag.
 */
function sendSnapshot(
  request: Request,
  response: Response,
  context: SnapshotContext,
  { snapshot, selection }: Selected,
): void {
  const { operations, kind, parts, clock } = context
  const { id, cached } = snapshot
  const time = clock().toISOString()
  setSnapshotHeaders(response, kind, { id, time })
  const rendered = cached && context.renderSnapshot(cached.state, selection)
  if (rendered) {
    response.setHeader('ETag', rendered.etag)
    if (hasTag(request, rendered.etag)) {
      response.status(304).end()
      return
    }
  }
  const resourceVersion = cached?.resourceVersion ?? operations.feed.broadcaster.resourceVersion
  const envelope = { kind, id, time, resourceVersion, liveResources: parts.count }
  const tail = rendered?.tail ?? renderUnsynced(parts, selection)
  context.send(response, renderEnvelope(envelope), tail)
}
