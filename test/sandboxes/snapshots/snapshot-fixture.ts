import { expect } from 'vitest'
import type { JsonObject } from '../../../src/lib/json/json.ts'
import { OPERATION_ANNOTATION } from '../../../src/sandboxes/controllers/sandboxes/operations/snapshot-object.ts'
import type { claimApi } from '../claims/claim-api.ts'

type Api = ReturnType<typeof claimApi>

/** A recorded backend of path A. */
export function providerBackend(name: string): JsonObject {
  return {
    path: 'A',
    provider: { name, uid: 'p' },
    driver: 'reference',
    store: 'local',
    parameters: { store: 'local', path: 'x' },
    reclaimPolicy: 'Delete',
    digest: 'd',
  }
}

/** A recorded backend of path B. */
export function classBackend(name: string, claim: string, more: JsonObject = {}): JsonObject {
  return {
    path: 'B',
    snapshotClass: { name, uid: 'c' },
    claim: { name: claim, uid: 'k' },
    driver: 'reference',
    store: 'local',
    parameters: { store: 'local', path: 'x' },
    reclaimPolicy: 'Delete',
    digest: 'd',
    ...more,
  }
}

interface SnapshotParts {
  readonly sandbox?: string
  readonly backend: JsonObject
  readonly phase?: string
  readonly completeTime?: string
}

/**
 * Creates a Snapshot with the status that an operation would have written. Without the annotation,
 * a running controller would take it for the request of a client.
 */
export async function createSnapshot(
  api: Api,
  name: string,
  {
    sandbox = 'gone',
    backend,
    phase = 'Ready',
    completeTime = '2026-01-01T00:00:00Z',
  }: SnapshotParts,
): Promise<void> {
  const manifest = {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Snapshot',
    metadata: {
      name,
      annotations: { [OPERATION_ANNOTATION]: 'of-the-test' },
      finalizers: ['agents.x-k8s.io/snapshot-data'],
    },
    spec: { sandboxRef: { name: sandbox } },
  }
  const created = await api.create(manifest)
  expect(created.status).toBe(201)
  const status = {
    phase,
    backend,
    snapshotUid: `data-${name}`,
    runtime: 'machine',
    creationTime: completeTime,
    compatibility: { machine: 'reference-machine' },
  }
  const written = await api.merge(`${api.snapshotPath(name)}/status`, { status })
  expect(written.status).toBe(200)
}

/** `Deleted/InUse message` of a condition; `none` if it is absent. */
export async function conditionOf(api: Api, name: string, type: string): Promise<string> {
  const { body } = await api.get(api.snapshotPath(name))
  const conditions: readonly JsonObject[] = body.status?.conditions ?? []
  const found = conditions.find((condition) => condition['type'] === type)
  if (!found) return 'none'
  return `${String(found['status'])}/${String(found['reason'])} ${String(found['message'])}`
}
