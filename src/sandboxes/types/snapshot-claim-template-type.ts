import {
  AGE_COLUMN,
  definition,
  mapOf,
  NAME_COLUMN,
  nativeType,
  TEXT,
  textColumn,
} from 'flotilla/planes/native'
import { proposed } from './maturity.ts'
import { AGENTS_DEFINITIONS, AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'
import { SNAPSHOT_CLAIM_SPEC_SCHEMA } from './snapshot-claim-spec-schema.ts'

const SPEC = proposed(
  definition(`${AGENTS_DEFINITIONS}.SnapshotClaimTemplateSpec`, {
    description: 'The claim that each sandbox gets. It cannot be changed.',
    properties: {
      metadata: definition(`${AGENTS_DEFINITIONS}.SnapshotClaimMetadata`, {
        description: 'Labels and annotations of the claims.',
        properties: {
          labels: mapOf(TEXT, 'Labels.'),
          annotations: mapOf(TEXT, 'Annotations.'),
        },
      }),
      spec: SNAPSHOT_CLAIM_SPEC_SCHEMA,
    },
    required: ['spec'],
  }),
)

/** The type of templates of claims. */
export const SNAPSHOT_CLAIM_TEMPLATE_TYPE = nativeType({
  group: AGENTS_GROUP,
  version: AGENTS_VERSION,
  kind: 'SnapshotClaimTemplate',
  plural: 'snapshotclaimtemplates',
  definitions: AGENTS_DEFINITIONS,
  shortNames: ['snapclaimtmpl'],
  categories: ['sandboxes'],
  namespaced: true,
  description: 'A SnapshotClaim of which each sandbox gets its own copy.',
  properties: { spec: SPEC },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    textColumn('Class', '.spec.spec.snapshotClassName', 'Class of the claims.'),
    AGE_COLUMN,
  ],
  hasGeneration: true,
  mergesStrategically: false,
})
