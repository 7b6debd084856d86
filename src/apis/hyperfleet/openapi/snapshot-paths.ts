import type { JsonObject } from '../../../lib/json/json.ts'
import { idParameter } from '../../../core/registry/kind-routes.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import { SNAPSHOT_TIME_HEADER, snapshotRootHeader } from '../snapshot/snapshot-headers.ts'
import { answer, parameter, PROBLEM } from './kind-paths.ts'
import { ref } from './kind-schemas.ts'

/** Where many snapshots are asked for. */
export const SNAPSHOTS_TEMPLATE = '/snapshots'

function headersOf(kind: RegisteredKind): JsonObject {
  return {
    ETag: { $ref: '#/components/headers/SnapshotETag' },
    [snapshotRootHeader(kind)]: { $ref: '#/components/headers/SnapshotRoot' },
    [SNAPSHOT_TIME_HEADER]: { $ref: '#/components/headers/SnapshotTime' },
  }
}

/** Where the snapshot of one root is read. */
export function snapshotTemplate(kind: RegisteredKind): string {
  return `/${kind.plural}/{${idParameter(kind)}}/snapshot`
}

/** The paths of snapshots; none where no kind has them. */
export function snapshotPaths(kinds: readonly RegisteredKind[]): JsonObject {
  const roots = kinds.filter(({ snapshots }) => snapshots === true)
  if (roots.length === 0) return {}
  const items = roots.map((kind) => [snapshotTemplate(kind), { get: readSnapshot(kind) }])
  return { ...Object.fromEntries(items), [SNAPSHOTS_TEMPLATE]: { post: readSnapshots() } }
}

function readSnapshot(kind: RegisteredKind): JsonObject {
  return {
    operationId: `get${kind.kind}Snapshot`,
    summary: `Read a ${kind.singular} with all below it and all reports, as of one moment`,
    tags: [kind.kind],
    parameters: [
      {
        name: idParameter(kind),
        in: 'path',
        required: true,
        description: 'Id or name',
        schema: { type: 'string' },
      },
      ...['snapshotResources', 'includeEmpty', 'warm', 'minResourceVersion', 'snapshotWatch'].map(
        parameter,
      ),
      parameter('ifNoneMatch'),
    ],
    responses: {
      200: snapshotAnswer(kind),
      304: { description: 'As `If-None-Match` has it', headers: headersOf(kind) },
      default: PROBLEM,
    },
  }
}

/** The snapshot, or with `watch=true` a stream of it and its changes. */
function snapshotAnswer(kind: RegisteredKind): JsonObject {
  const description = 'The snapshot; with `watch=true` events until the client leaves'
  return {
    ...answer(description, 'Snapshot', headersOf(kind)),
    content: {
      'application/json': { schema: ref('Snapshot') },
      'application/x-ndjson': { schema: ref('SnapshotEvent') },
      'text/event-stream': { schema: ref('SnapshotEvent') },
    },
  }
}

function readSnapshots(): JsonObject {
  return {
    operationId: 'getSnapshots',
    summary: 'Read many snapshots, a line of JSON each',
    tags: ['Resource'],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('SnapshotsRequest') } },
    },
    responses: {
      200: {
        description:
          'A line for each id in the order of the request, or in that of ids: a `Snapshot`, or the id with `error`, a `Problem`',
        headers: { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } },
        content: { 'application/x-ndjson': { schema: { type: 'string' } } },
      },
      default: PROBLEM,
    },
  }
}
