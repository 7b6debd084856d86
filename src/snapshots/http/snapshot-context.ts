import type { Response } from 'express'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Context } from '../../store/operations/context.ts'
import { acceptsCompressed, sendBody } from '../../http/json/send-body.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import type { WireOptions } from '../../hyperfleet/wire/resource.ts'
import { createStoredSerializer } from '../../hyperfleet/wire/representation.ts'
import type { SnapshotCache } from '../cache/snapshot-cache.ts'
import { type ChangeRenderer, createChangeRenderer } from './render-change.ts'
import { createReportRenderer } from './render-report.ts'
import { createSnapshotRenderer, type SnapshotRenderer } from './render-snapshot.ts'
import { type Parts, partsOf } from './selection.ts'

/** The dependencies of the handlers of one kind's snapshots. */
export interface SnapshotContext {
  readonly operations: Context
  readonly snapshots: SnapshotCache
  readonly clock: Clock
  readonly streams: WatchStreams
  readonly authorizer: Authorizer
  readonly kind: RegisteredKind
  readonly parts: Parts
  readonly renderChange: ChangeRenderer
  readonly renderSnapshot: SnapshotRenderer
  readonly send: SendSnapshot
}

/** Sends a snapshot: its ASCII head, and the bytes after it. */
type SendSnapshot = (response: Response, head: string, tail: Buffer) => void

interface Options extends Pick<
  SnapshotContext,
  'operations' | 'snapshots' | 'clock' | 'streams' | 'authorizer'
> {
  readonly wire: WireOptions
  /** Whether to send snapshots through `response.json`, which the proof checks. */
  readonly verify: boolean
}

/** Makes the parts that the snapshots of a root kind share on all their paths. */
export function snapshotContext(
  { operations, snapshots, clock, streams, authorizer, wire, verify }: Options,
  kind: RegisteredKind,
): SnapshotContext {
  const resource = createStoredSerializer(wire)
  const parts = partsOf(operations.registry, kind)
  const report = createReportRenderer(operations.registry)
  return {
    operations,
    snapshots,
    clock,
    streams,
    authorizer,
    kind,
    parts,
    renderChange: createChangeRenderer(resource, report),
    renderSnapshot: createSnapshotRenderer({ parts, resource, report }),
    send: verify ? sendChecked : send,
  }
}

/** The tail is not copied, unless the client accepts a compressed body. */
const send: SendSnapshot = (response, head, tail) => {
  response.setHeader('Content-Type', 'application/json')
  if (acceptsCompressed(response.req)) {
    sendBody(response, Buffer.concat([Buffer.from(head, 'latin1'), tail]))
    return
  }
  response.vary('Accept-Encoding')
  response.setHeader('Content-Length', head.length + tail.length)
  // One write to the socket: the head goes with the headers.
  response.cork()
  response.write(head, 'latin1')
  response.end(tail)
}

const sendChecked: SendSnapshot = (response, head, tail) => {
  response.json(JSON.parse(head + tail.toString()))
}
