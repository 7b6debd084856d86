import {
  AGE_COLUMN,
  definition,
  NAME_COLUMN,
  nativeType,
  text,
  textColumn,
  wide,
} from 'flotilla/planes/native'
import { flotilla } from './maturity.ts'
import { AGENTS_DEFINITIONS, AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'
import { SNAPSHOT_STATUS_SCHEMA } from './snapshot-status-schema.ts'

const SPEC = flotilla(
  definition(`${AGENTS_DEFINITIONS}.SnapshotSpec`, {
    description: 'The sandbox of the snapshot. It cannot be changed.',
    properties: {
      sandboxRef: definition(`${AGENTS_DEFINITIONS}.SandboxReference`, {
        description: 'A sandbox of the namespace.',
        properties: { name: text('Name of the sandbox.'), uid: text('UID of the sandbox.') },
        required: ['name'],
      }),
    },
    required: ['sandboxRef'],
  }),
)

/** The type of snapshots. */
export const SNAPSHOT_TYPE = nativeType({
  group: AGENTS_GROUP,
  version: AGENTS_VERSION,
  kind: 'Snapshot',
  plural: 'snapshots',
  definitions: AGENTS_DEFINITIONS,
  categories: ['sandboxes'],
  namespaced: true,
  description: 'The saved state of a sandbox.',
  properties: { spec: SPEC, status: SNAPSHOT_STATUS_SCHEMA },
  required: ['spec'],
  selectableFields: ['spec.sandboxRef.name'],
  printerColumns: [
    NAME_COLUMN,
    textColumn('Sandbox', '.spec.sandboxRef.name', 'Sandbox of the snapshot.'),
    textColumn('Phase', '.status.phase', 'Phase of the snapshot.'),
    {
      ...textColumn('Bytes', '.status.sizeBytes', 'Size of the snapshot.'),
      type: 'integer',
    },
    AGE_COLUMN,
    wide(textColumn('Driver', '.status.backend.driver', 'Driver of the snapshot.')),
    wide(textColumn('Digest', '.status.digest', 'Digest of the content.')),
  ],
  hasStatus: true,
  hasGeneration: true,
  mergesStrategically: false,
})
