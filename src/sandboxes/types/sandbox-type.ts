import { AGE_COLUMN, NAME_COLUMN, nativeType, textColumn, wide } from 'flotilla/planes/native'
import { conditionColumn } from './condition-column.ts'
import { OLD_SANDBOX } from './old-sandbox.ts'
import { AGENTS_DEFINITIONS, AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'
import { SANDBOX_SPEC_SCHEMA } from './sandbox-spec-schema.ts'
import { SANDBOX_SUBRESOURCES } from './sandbox-subresources.ts'
import { SANDBOX_STATUS_SCHEMA } from './sandbox-status-schema.ts'

const NAMES_CLAIM =
  'use spec.suspensionStrategy.hibernate.snapshotClaimName: the SnapshotClaim names the class'
const BELONGS_TO_HIBERNATE = 'move it to spec.suspensionStrategy.hibernate'

/** The type of sandboxes. */
export const SANDBOX_TYPE = nativeType({
  group: AGENTS_GROUP,
  version: AGENTS_VERSION,
  kind: 'Sandbox',
  plural: 'sandboxes',
  definitions: AGENTS_DEFINITIONS,
  shortNames: ['sbx', 'sandbox'],
  categories: ['sandboxes'],
  namespaced: true,
  nameRule: 'dns-label',
  description: 'A workload whose identity survives its process.',
  properties: { spec: SANDBOX_SPEC_SCHEMA, status: SANDBOX_STATUS_SCHEMA },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    textColumn('Mode', '.spec.operatingMode', 'Desired operating mode.'),
    conditionColumn('Ready', 'Ready', { description: 'Whether the workload is ready.' }),
    conditionColumn('Reason', 'Ready', {
      field: 'reason',
      description: 'Reason of the condition Ready.',
    }),
    AGE_COLUMN,
    wide(textColumn('Strategy', '.spec.suspensionStrategy.type', 'How the sandbox is suspended.')),
    wide(textColumn('Boot', '.status.boot', 'How the workload was started.')),
    wide(textColumn('Snapshot', '.status.snapshot.name', 'Snapshot for the next resume.')),
    wide(textColumn('Runtime', '.status.runtime', 'Runtime that has the workload.')),
  ],
  hasStatus: true,
  oldVersion: OLD_SANDBOX,
  hasGeneration: true,
  mergesStrategically: false,
  subresources: SANDBOX_SUBRESOURCES,
  rejectedFields: {
    'spec.suspend': 'set spec.operatingMode to Suspended',
    'spec.suspended': 'set spec.operatingMode to Suspended',
    'spec.replicas': 'set spec.operatingMode to Running or Suspended',
    'spec.strategy': 'use spec.suspensionStrategy',
    'spec.lifecycle': 'use spec.shutdownTime and spec.shutdownPolicy',
    'spec.autoSuspension': 'use spec.autoSuspend.idleSeconds',
    'spec.s3Config': 'use spec.s3 of a SnapshotProvider',
    'spec.snapshotClassName': NAMES_CLAIM,
    'spec.suspensionStrategy.suspend': 'set spec.operatingMode to Suspended',
    'spec.suspensionStrategy.s3Config': 'use spec.s3 of a SnapshotProvider',
    'spec.suspensionStrategy.strategy': 'use spec.suspensionStrategy.type',
    'spec.suspensionStrategy.snapshotClassName': NAMES_CLAIM,
    'spec.suspensionStrategy.snapshotProviderRef': BELONGS_TO_HIBERNATE,
    'spec.suspensionStrategy.snapshotClaimName': BELONGS_TO_HIBERNATE,
    'spec.suspensionStrategy.snapshotClaimTemplateName': BELONGS_TO_HIBERNATE,
    'spec.suspensionStrategy.hibernate.s3Config': 'use spec.s3 of a SnapshotProvider',
    'spec.suspensionStrategy.hibernate.snapshotClassName': NAMES_CLAIM,
  },
})
