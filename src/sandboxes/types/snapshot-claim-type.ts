import {
  AGE_COLUMN,
  CONDITION,
  definition,
  keyedList,
  longInteger,
  NAME_COLUMN,
  nativeType,
  text,
  textColumn,
} from 'flotilla/planes/native'
import { conditionColumn } from './condition-column.ts'
import { proposed } from './maturity.ts'
import { AGENTS_DEFINITIONS, AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'
import { SNAPSHOT_CLAIM_SPEC_SCHEMA } from './snapshot-claim-spec-schema.ts'

const STATUS = proposed(
  definition(`${AGENTS_DEFINITIONS}.SnapshotClaimStatus`, {
    description: 'The class that was found for the claim.',
    properties: {
      conditions: keyedList(
        CONDITION,
        ['type'],
        'Bound, which is Unknown/Pending, True/Bound or False/Failed.',
      ),
      snapshotClassName: text('Name of the class, also if it is the default one.'),
      observedGeneration: longInteger('Generation of the spec that was observed.'),
    },
  }),
)

/** The type of claims of snapshots. */
export const SNAPSHOT_CLAIM_TYPE = nativeType({
  group: AGENTS_GROUP,
  version: AGENTS_VERSION,
  kind: 'SnapshotClaim',
  plural: 'snapshotclaims',
  definitions: AGENTS_DEFINITIONS,
  shortNames: ['snapclaim'],
  categories: ['sandboxes'],
  namespaced: true,
  description: 'The store for the snapshots of a namespace.',
  properties: { spec: SNAPSHOT_CLAIM_SPEC_SCHEMA, status: STATUS },
  printerColumns: [
    NAME_COLUMN,
    textColumn('Class', '.status.snapshotClassName', 'Class that was found.'),
    conditionColumn('Bound', 'Bound', { description: 'Whether the class was found.' }),
    AGE_COLUMN,
  ],
  hasStatus: true,
  hasGeneration: true,
  mergesStrategically: false,
})
