import type { Response } from 'express'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { RouteOptions } from '../app-options.ts'
import { createStoredSerializer } from '../wire/representation.ts'
import { type ChangeRenderer, createChangeRenderer } from './render-change.ts'
import { createReportRenderer } from './render-report.ts'
import { createSnapshotRenderer, type SnapshotRenderer } from './render-snapshot.ts'
import { type Parts, partsOf } from './selection.ts'

/** The dependencies of the snapshot handlers of one kind. */
export interface SnapshotContext
  extends Pick<RouteOptions['verbs'], 'operations'>, Pick<RouteOptions, 'clock' | 'streams'> {
  readonly kind: RegisteredKind
  readonly parts: Parts
  readonly renderChange: ChangeRenderer
  readonly renderSnapshot: SnapshotRenderer
  readonly send: SendSnapshot
}

/** Sends a snapshot: its ASCII head and the bytes after it. */
type SendSnapshot = (response: Response, head: string, tail: Buffer) => void

/** Creates the context that all snapshot routes of a root kind share. */
export function snapshotContext(
  { verbs, clock, streams, validation }: RouteOptions,
  kind: RegisteredKind,
): SnapshotContext {
  const { operations, wire } = verbs
  const resource = createStoredSerializer(wire)
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

/** Sends the head with the headers in one write, and does not copy the bytes. */
const send: SendSnapshot = (response, head, tail) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', head.length + tail.length)
  response.cork()
  response.write(head, 'latin1')
  response.end(tail)
}

/** Sends through `response.json`, so that the validator of responses checks it. */
const sendChecked: SendSnapshot = (response, head, tail) => {
  response.json(JSON.parse(head + tail.toString()))
}
