import type { Schema } from 'flotilla/planes'
import {
  choice,
  definition,
  flag,
  integer,
  longInteger,
  text,
  time,
  withDefault,
} from 'flotilla/planes/native'
import { BLUEPRINT_PROPERTIES } from './blueprint-schema.ts'
import { flotilla, stable } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'
import { SUSPENSION_STRATEGY_SCHEMA } from './suspension-strategy-schema.ts'

const RESTORE_FROM = definition(`${AGENTS_DEFINITIONS}.RestoreSource`, {
  description: 'The snapshot with which the first start of the sandbox begins.',
  properties: { snapshotName: text('Name of a Snapshot of the namespace.') },
  required: ['snapshotName'],
})

const AUTO_SUSPEND = definition(`${AGENTS_DEFINITIONS}.AutoSuspendPolicy`, {
  description: 'Suspends the sandbox when it is idle.',
  properties: {
    idleSeconds: {
      ...longInteger('Seconds without activity after which the sandbox is suspended.'),
      minimum: 1,
    },
    suspendedTtlSeconds: {
      ...longInteger('Seconds after its suspension when the sandbox is deleted.'),
      minimum: 0,
    },
  },
})

const SNAPSHOT_POLICY = definition(`${AGENTS_DEFINITIONS}.SnapshotPolicy`, {
  description: 'How long snapshots of the sandbox are kept.',
  properties: {
    keepLast: withDefault({ ...integer('Number of snapshots to keep.'), minimum: 1 }, 3),
    ttlSeconds: {
      ...longInteger('Seconds after which a snapshot is deleted unless a suspension needs it.'),
      minimum: 1,
    },
    deleteWithSandbox: withDefault(
      flag('Whether the snapshots are deleted together with the sandbox.'),
      true,
    ),
  },
})

/** The desired state of a sandbox. */
export const SANDBOX_SPEC_SCHEMA: Schema = stable(
  definition(`${AGENTS_DEFINITIONS}.SandboxSpec`, {
    description: 'The desired state of the sandbox.',
    properties: {
      ...BLUEPRINT_PROPERTIES,
      operatingMode: withDefault(
        choice(['Running', 'Suspended'], 'Whether the workload runs.'),
        'Running',
      ),
      shutdownTime: time('When the sandbox expires.'),
      shutdownPolicy: withDefault(
        choice(
          ['Delete', 'Retain'],
          'Whether an expired sandbox is deleted, or stays without its workload.',
        ),
        'Retain',
      ),
      suspensionStrategy: SUSPENSION_STRATEGY_SCHEMA,
      restorePolicy: flotilla(
        withDefault(
          choice(
            ['Strict', 'AllowColdBoot'],
            'Whether a sandbox whose snapshot cannot be restored stays suspended or boots without it.',
          ),
          'Strict',
        ),
      ),
      restoreFrom: flotilla(RESTORE_FROM),
      autoSuspend: flotilla(AUTO_SUSPEND),
      snapshotPolicy: flotilla(SNAPSHOT_POLICY),
    },
    required: ['podTemplate'],
  }),
)
