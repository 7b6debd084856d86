import type { Schema } from 'flotilla/planes'
import {
  choice,
  CONDITION,
  definition,
  keyedList,
  longInteger,
  mapOf,
  TEXT,
  text,
  textList,
  time,
} from 'flotilla/planes/native'
import { flotilla } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'

const OBJECT_IDENTITY = definition(`${AGENTS_DEFINITIONS}.ObjectIdentity`, {
  description: 'An object that was used.',
  properties: { name: text('Name of the object.'), uid: text('UID of the object.') },
  required: ['name'],
})

const BACKEND = definition(`${AGENTS_DEFINITIONS}.SnapshotBackend`, {
  description: 'The store and the driver of the snapshot, as they were when it was taken.',
  properties: {
    path: choice(['A', 'B'], 'A: a SnapshotProvider. B: a SnapshotClass and a SnapshotClaim.'),
    provider: OBJECT_IDENTITY,
    snapshotClass: OBJECT_IDENTITY,
    claim: OBJECT_IDENTITY,
    driver: text('Name of the driver.'),
    store: text('Kind of the store: local, s3, gcs, or one of the driver.'),
    parameters: mapOf(TEXT, 'Parameters for the driver.'),
    credentialsRef: definition(`${AGENTS_DEFINITIONS}.BackendCredentials`, {
      description: 'The Secret with the credentials of the store.',
      properties: {
        namespace: text('Namespace of the Secret.'),
        name: text('Name of the Secret.'),
      },
      required: ['namespace', 'name'],
    }),
    reclaimPolicy: choice(['Delete', 'Retain'], 'Treatment of the data of the snapshot.'),
    digest: text('SHA-256 of path, driver, store, parameters and credentialsRef.'),
  },
  required: ['path', 'driver'],
})

/** The observed state of a snapshot, which its controller writes. */
export const SNAPSHOT_STATUS_SCHEMA: Schema = flotilla(
  definition(`${AGENTS_DEFINITIONS}.SnapshotStatus`, {
    description: 'The observed state of the snapshot.',
    properties: {
      phase: choice(
        ['Creating', 'Ready', 'Failed', 'Consumed', 'Deleting'],
        'Creating until the data is complete. Consumed after a resume.',
      ),
      backend: BACKEND,
      snapshotUid: text('ID of the snapshot for its driver.'),
      operationId: text('ID of the operation that took the snapshot.'),
      sizeBytes: longInteger('Size of the data.'),
      digest: text('Digest of the data.'),
      captured: textList('Contents of the snapshot: filesystem, memory.'),
      compatibility: mapOf(
        TEXT,
        'Requirements of a restore, such as machine, architecture and workloadDigest.',
      ),
      driverMetadata: mapOf(TEXT, 'Values from the driver, returned to it for a restore.'),
      creationTime: time('When the data was complete.'),
      consumedTime: time('When a resume used the snapshot.'),
      runtime: text('SandboxRuntime that took the snapshot.'),
      message: text('Reason of a failure.'),
      conditions: keyedList(CONDITION, ['type'], 'Ready and Deleted.'),
    },
  }),
)
