import { nativeType } from '../../planes/native/native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN } from '../../planes/native/printer-columns.ts'
import { definition } from '../../planes/native/schemas/field-schemas.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import { DEFINITIONS, KPLANE_GROUP } from './kplane-group.ts'
import { CONTENT_PROPERTIES } from './template-schema.ts'

function countOf({ spec }: ApiObject, field: string): number {
  const items = isJsonObject(spec) ? spec[field] : undefined
  return Array.isArray(items) ? items.length : 0
}

/** The type of reusable contents of members. */
export const SCENARIO_TYPE = nativeType({
  group: KPLANE_GROUP,
  kind: 'Scenario',
  plural: 'scenarios',
  definitions: DEFINITIONS,
  categories: ['kplane'],
  namespaced: false,
  description: 'Initial content of members that several fleets share.',
  properties: {
    spec: definition(`${DEFINITIONS}.ScenarioSpec`, {
      description:
        'Initial content of members. In string values, ${name} is the name of the member and ${index} its number.',
      properties: CONTENT_PROPERTIES,
    }),
  },
  printerColumns: [
    NAME_COLUMN,
    {
      ...computedColumn('Objects', 'Number of manifests.', (object) => countOf(object, 'objects')),
      type: 'integer',
    },
    {
      ...computedColumn('NodePools', 'Number of node pools.', (object) =>
        countOf(object, 'nodePools'),
      ),
      type: 'integer',
    },
    AGE_COLUMN,
  ],
  hasGeneration: true,
  mergesStrategically: false,
})
