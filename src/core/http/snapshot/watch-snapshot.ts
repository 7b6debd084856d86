import type { Request, Response } from 'express'
import { assert } from '../../../lib/assert.ts'
import { formatToken } from '../../feed/token.ts'
import { followTree, type TreeChange } from '../../operations/snapshots/follow-tree.ts'
import { takeSnapshot } from '../../operations/snapshots/take-snapshot.ts'
import { eventJson } from '../watch/event-json.ts'
import type { StreamFormat } from '../watch/stream-format.ts'
import { renderEnvelope } from './render-envelope.ts'
import { STATUSES } from './selection.ts'
import type { SnapshotContext } from './snapshot-context.ts'
import { setSnapshotHeaders } from './snapshot-headers.ts'
import type { SnapshotQuery } from './snapshot-query.ts'

/** A root's snapshot as the first event of a stream, then every change of its tree. */
export async function watchSnapshot(
  context: SnapshotContext,
  { idOrName, selection }: Pick<SnapshotQuery, 'selection'> & { readonly idOrName: string },
  request: Request,
  response: Response,
): Promise<void> {
  const { operations, kind, parts, clock } = context
  const stream = context.streams.begin(request, response)
  try {
    const { sight, id } = await takeSnapshot(operations, { kind, idOrName, warm: true })
    assert(sight, 'a snapshot that was waited for is whole')
    const { position } = sight
    const time = clock().toISOString()
    const head = renderEnvelope({ kind, id, time, position, liveResources: parts.count })
    const snapshot = head + context.renderSnapshot(sight.state, selection).tail.toString()
    setSnapshotHeaders(response, kind, { id, time })
    const token = formatToken(position)
    stream.write(stream.format.frame(eventJson('SNAPSHOT', snapshot, token), token))
    await stream.ready()
    const wanted = new Set(parts.of(selection).map(({ resource }) => resource))
    const subscription = await followTree(operations, sight, {
      tell: (changes) => {
        const frames = framesOf(context, stream.format, { changes, wanted, epoch: position.epoch })
        if (frames !== '') stream.write(frames)
      },
      ended: () => stream.end('finished'),
      fail: (error) => stream.fail(error),
      ready: () => stream.ready(),
    })
    stream.follow(() => formatToken(operations.feed.hub.position))
    stream.own(subscription)
  } catch (error) {
    stream.failOrThrow(error)
  }
}

interface Told {
  readonly changes: readonly TreeChange[]
  /** Names of the parts that were asked for. */
  readonly wanted: ReadonlySet<string>
  readonly epoch: string
}

function framesOf(
  context: SnapshotContext,
  format: StreamFormat,
  { changes, wanted, epoch }: Told,
): string {
  return changes
    .map(({ change, kind }) => {
      const { type, revision } = change
      const { plural } = context.operations.registry.byName(kind)
      const resource = change.subject === 'status' ? STATUSES : plural
      if (!wanted.has(resource)) return ''
      const token = formatToken({ epoch, revision })
      const object = context.renderChange({ change, kind })
      const event = `{"type":"${type}","resource":"${resource}","object":${object},"resource_version":"${token}"}`
      return format.frame(event, token)
    })
    .join('')
}
