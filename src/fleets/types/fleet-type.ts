import { nativeType } from '../../planes/native/native-type.ts'
import { AGE_COLUMN, NAME_COLUMN, wide } from '../../planes/native/printer-columns.ts'
import type { PrinterColumn } from '../../planes/model/resource-type.ts'
import { FLEET_SPEC_SCHEMA } from './fleet-spec-schema.ts'
import { FLEET_STATUS_SCHEMA } from './fleet-status-schema.ts'
import { FLEET_SUBRESOURCES } from './fleet-subresources.ts'
import { DEFINITIONS, KPLANE_GROUP } from './kplane-group.ts'

function numberColumn(name: string, jsonPath: string, description: string): PrinterColumn {
  return { name, type: 'integer', description, jsonPath }
}

/** The type of fleets. */
export const FLEET_TYPE = nativeType({
  group: KPLANE_GROUP,
  kind: 'Fleet',
  plural: 'fleets',
  definitions: DEFINITIONS,
  shortNames: ['flt'],
  categories: ['kplane'],
  namespaced: false,
  description: 'A number of clusters, each with its plane.',
  properties: { spec: FLEET_SPEC_SCHEMA, status: FLEET_STATUS_SCHEMA },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    numberColumn('Desired', '.spec.replicas', 'Desired number of members.'),
    numberColumn('Ready', '.status.readyReplicas', 'Number of ready members.'),
    AGE_COLUMN,
    wide(numberColumn('Claimed', '.status.claimedReplicas', 'Number of claimed members.')),
  ],
  hasStatus: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  hasGeneration: true,
  mergesStrategically: false,
  subresources: FLEET_SUBRESOURCES,
})
