import type { SnapshotSubscriber } from '../../planes/snapshots/plane-snapshots.ts'
import type { Selection } from './selection.ts'
import { type PlaneObjects, planeSelection, withPlaneParts } from './plane-parts.ts'
import type { Response } from 'express'
import { changeSize } from '../../store/feed/change-size.ts'
import { formatResourceVersion, resourceVersionExpired } from '../../store/feed/resource-version.ts'
import type { TenantScope } from '../../access/tenant.ts'
import { followTree, type TreeChange } from '../follow-tree.ts'
import { eventJson } from '../../hyperfleet/watch/event-json.ts'
import type { WatchStream } from '../../http/streams/watch-stream.ts'
import { renderEnvelope } from './render-envelope.ts'
import { STATUSES } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'
import { setSnapshotHeaders } from '../../hyperfleet/wire/snapshot-headers.ts'
import type { SnapshotQuery } from './snapshot-query.ts'
import { takeWhole } from './take-whole.ts'
import { STREAM_EVENTS } from '../../hyperfleet/watch/stream-events.ts'

interface Watched extends Pick<SnapshotQuery, 'selection'> {
  readonly tenant: TenantScope
  readonly idOrName: string
  /** The selection of the request, which may name resources of the plane. */
  readonly requested: Selection
  /** Null if the snapshot does not include the objects of the root's plane. */
  readonly planes: PlaneObjects | null
}

/** Sends a root's snapshot as the first event of a stream, then every change of its subtree. */
export function watchSnapshot(
  context: SnapshotContext,
  watched: Watched,
  response: Response,
): Promise<void> {
  const { operations, kind, parts, clock } = context
  const { idOrName, selection, requested, planes } = watched
  return context.streams.serve(response, STREAM_EVENTS, async (stream) => {
    const { cached, plane } = await takeWhole(context, watched, response)
    const { resourceVersion } = cached
    const { id } = cached.state.root
    const time = clock().toISOString()
    const selected =
      planes && planeSelection(planes, response, { id, selection: requested, known: parts.known })
    const liveResources = parts.count + (plane?.parts.length ?? 0)
    const head = renderEnvelope({ kind, id, idOrName, time, resourceVersion, liveResources })
    const tree = context.renderSnapshot(cached.state, selection)
    const { tail } = plane ? withPlaneParts(tree, plane) : tree
    setSnapshotHeaders(response, kind, { id, time })
    writeSnapshot(stream, { head, tail, token: formatResourceVersion(resourceVersion) })
    await stream.ready()
    const wanted = new Set(parts.of(selection).map(({ resource }) => resource))
    const { epoch } = resourceVersion
    const following = await followTree(operations, cached, {
      send: (changes) => {
        for (const change of changes) deliverChange(context, stream, { change, wanted, epoch })
      },
      ended: () => stream.deliver({ ...NOTHING, send: () => stream.end('finished') }),
      fail: (error) => stream.fail(error),
      ready: () => stream.ready(),
      backpressure: context.streams.backpressure,
    })
    stream.reportVersionsFrom(() => formatResourceVersion(following.resourceVersion))
    stream.disposeOnEnd(following)
    if (planes && selected && plane) {
      const subscriber = planeSubscriber(stream)
      stream.disposeOnEnd(await planes.snapshots.follow(selected, plane.revision, subscriber))
    }
  })
}

/** Sends changes of a plane to a stream. Their resource version is that of the object. */
function planeSubscriber(stream: WatchStream): SnapshotSubscriber {
  return {
    onChange: (change) => {
      const { type, group, resource, object } = change
      const names = JSON.stringify({ type, group, resource }).slice(0, -1)
      const event = `${names},"object":${object},"resource_version":"${change.revision}"}`
      const send = (): void => stream.write(stream.format.frame(event, null))
      stream.deliver({ source: change, size: event.length, resourceVersion: null, send })
    },
    onLost: () => stream.fail(resourceVersionExpired()),
    onDenied: () => stream.end('unauthorized'),
    ready: () => stream.ready(),
  }
}

/** An entry of the queue without memory and version. */
const NOTHING = { source: {}, size: 0, resourceVersion: null }
/** Marks the place of the snapshot's bytes in the text of the event. */
const MARK = '\0'

interface WrittenSnapshot {
  readonly head: string
  /** Shared with every response for the same selection. */
  readonly tail: Buffer
  readonly token: string
}

/** Writes the first event. The tail is not copied: many streams can send it at the same time. */
function writeSnapshot(stream: WatchStream, { head, tail, token }: WrittenSnapshot): void {
  const frame = stream.format.frame(eventJson('SNAPSHOT', head + MARK, token), token)
  const [before = '', after = ''] = frame.split(MARK)
  for (const piece of [before, tail, after]) stream.write(piece)
}

interface Delivered {
  readonly change: TreeChange
  /** Names of the requested parts. */
  readonly wanted: ReadonlySet<string>
  readonly epoch: string
}

function deliverChange(
  context: SnapshotContext,
  stream: WatchStream,
  { change: { change, kind }, wanted, epoch }: Delivered,
): void {
  const { type, revision } = change
  // Another server can have kinds that this one does not have.
  const declared = context.operations.registry.find(kind)
  if (!declared) return
  const resource = change.subject === 'status' ? STATUSES : declared.plural
  if (!wanted.has(resource)) return
  const token = formatResourceVersion({ epoch, revision })
  const send = (): void => {
    const object = context.renderChange({ change, kind })
    const event = `{"type":"${type}","resource":"${resource}","object":${object},"resource_version":"${token}"}`
    stream.write(stream.format.frame(event, token))
  }
  stream.deliver({ source: change, size: changeSize(change), resourceVersion: token, send })
}
