import type { Response } from 'express'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { RouteOptions } from '../app-options.ts'
import { createStoredRenderer } from '../wire/renderer.ts'
import { type ChangeRenderer, createChangeRenderer } from './render-change.ts'
import { createReportRenderer } from './render-report.ts'
import { createSnapshotRenderer, type SnapshotRenderer } from './render-snapshot.ts'
import { type Parts, partsOf } from './selection.ts'

/** What the handlers of one kind's snapshots work with. */
export interface SnapshotContext
  extends Pick<RouteOptions['verbs'], 'operations'>, Pick<RouteOptions, 'clock' | 'streams'> {
  readonly kind: RegisteredKind
  readonly parts: Parts
  readonly renderChange: ChangeRenderer
  readonly renderSnapshot: SnapshotRenderer
  readonly send: SendSnapshot
}

/** Answers with a snapshot: its ASCII head, and the bytes after it. */
type SendSnapshot = (response: Response, head: string, tail: Buffer) => void

/** Makes what the snapshots of a root kind have in common, on whatever path. */
export function snapshotContext(
  { verbs, clock, streams, validation }: RouteOptions,
  kind: RegisteredKind,
): SnapshotContext {
  const { operations, wire } = verbs
  const resource = createStoredRenderer(wire)
  const parts = partsOf(operations.registry, kind)
  const report = createReportRenderer(operations.registry)
  return {
    operations,
    clock,
    streams,
    kind,
    parts,
    renderChange: createChangeRenderer(resource, report),
    renderSnapshot: createSnapshotRenderer({ parts, resource, report }),
    send: validation.proof ? sendChecked : send,
  }
}

/** One write to the socket: the text goes with the headers, and the bytes are not copied. */
const send: SendSnapshot = (response, head, tail) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', head.length + tail.length)
  response.cork()
  response.write(head, 'latin1')
  response.end(tail)
}

/** Through `response.json`, where the document's validator checks it. */
const sendChecked: SendSnapshot = (response, head, tail) => {
  response.json(JSON.parse(head + tail.toString()))
}
