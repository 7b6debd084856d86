import type { JsonObject } from '../../lib/json/json.ts'
import { idParameter } from '../../store/registry/kind-routes.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { SNAPSHOT_TIME_HEADER, snapshotRootHeader } from '../../hyperfleet/wire/snapshot-headers.ts'
import { NOT_MODIFIED, parameter, PROBLEM, response } from '../../hyperfleet/openapi/kind-paths.ts'
import { ref } from '../../hyperfleet/wire/schema-reference.ts'

/** The path for requesting many snapshots. */
export const SNAPSHOTS_TEMPLATE = '/snapshots'

function headersOf(kind: RegisteredKind): JsonObject {
  return {
    ETag: { $ref: '#/components/headers/SnapshotETag' },
    [snapshotRootHeader(kind)]: { $ref: '#/components/headers/SnapshotRoot' },
    [SNAPSHOT_TIME_HEADER]: { $ref: '#/components/headers/SnapshotTime' },
  }
}

/** The path of the snapshot of one root. */
export function snapshotTemplate(kind: RegisteredKind): string {
  return `/${kind.plural}/{${idParameter(kind)}}/snapshot`
}

/** The paths of snapshots; none unless a kind has snapshots. */
export function snapshotPaths(kinds: readonly RegisteredKind[]): JsonObject {
  const roots = kinds.filter(({ snapshots }) => snapshots === true)
  if (roots.length === 0) return {}
  const items = roots.map((kind) => [snapshotTemplate(kind), { get: readSnapshot(kind) }])
  return { ...Object.fromEntries(items), [SNAPSHOTS_TEMPLATE]: { post: readSnapshots() } }
}

function readSnapshot(kind: RegisteredKind): JsonObject {
  return {
    operationId: `get${kind.kind}Snapshot`,
    summary: `Get a consistent snapshot of a ${kind.singular} with its descendants and all reports`,
    tags: [kind.kind],
    parameters: [
      {
        name: idParameter(kind),
        in: 'path',
        required: true,
        description: 'An ID or a name.',
        schema: { type: 'string' },
      },
      ...['snapshotResources', 'includeEmpty', 'warm', 'minResourceVersion', 'snapshotWatch'].map(
        parameter,
      ),
      parameter('ifNoneMatch'),
    ],
    responses: {
      200: snapshotResponse(kind),
      304: { ...NOT_MODIFIED, headers: headersOf(kind) },
      default: PROBLEM,
    },
  }
}

/** The snapshot, or with `watch=true` a stream of it and its changes. */
function snapshotResponse(kind: RegisteredKind): JsonObject {
  const description = 'The snapshot; with `watch=true`, events until the client disconnects.'
  return {
    ...response(description, 'Snapshot', headersOf(kind)),
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
    summary: 'Get many snapshots, one line of JSON each',
    tags: ['Resource'],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('SnapshotsRequest') } },
    },
    responses: {
      200: {
        description:
          'One line per root, in the order of the requested IDs, or sorted by ID for a search. A line is a `Snapshot`, or the ID with a `Problem` in `error`.',
        headers: { 'X-Request-ID': { $ref: '#/components/headers/RequestId' } },
        content: { 'application/x-ndjson': { schema: { type: 'string' } } },
      },
      default: PROBLEM,
    },
  }
}
