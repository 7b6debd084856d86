import type { Schema } from 'flotilla/planes'
import {
  AGE_COLUMN,
  choice,
  CONDITION,
  definition,
  integer,
  keyedList,
  longInteger,
  NAME_COLUMN,
  nativeType,
  text,
  textColumn,
  withDefault,
} from 'flotilla/planes/native'
import { flotilla, stable } from './maturity.ts'
import { oldSameKind } from './old-same-kind.ts'
import { EXTENSIONS_DEFINITIONS, EXTENSIONS_GROUP, EXTENSIONS_VERSION } from './sandbox-groups.ts'

const SPEC: Schema = stable(
  definition(`${EXTENSIONS_DEFINITIONS}.SandboxWarmPoolSpec`, {
    description: 'The sandboxes that wait for claims.',
    properties: {
      replicas: withDefault({ ...integer('Desired number of sandboxes.'), minimum: 0 }, 1),
      sandboxTemplateRef: definition(`${EXTENSIONS_DEFINITIONS}.SandboxTemplateRef`, {
        description: 'Template of the sandboxes.',
        properties: { name: text('Name of a SandboxTemplate of the namespace.') },
        required: ['name'],
      }),
      updateStrategy: definition(`${EXTENSIONS_DEFINITIONS}.SandboxWarmPoolUpdateStrategy`, {
        description: 'How sandboxes follow a change of the template.',
        properties: {
          type: withDefault(
            choice(
              ['Recreate', 'OnReplenish'],
              'Recreate replaces waiting sandboxes. OnReplenish changes new ones only.',
            ),
            'OnReplenish',
          ),
        },
      }),
    },
    required: ['sandboxTemplateRef'],
  }),
)

const STATUS: Schema = stable(
  definition(`${EXTENSIONS_DEFINITIONS}.SandboxWarmPoolStatus`, {
    description: 'The observed sandboxes.',
    properties: {
      replicas: integer('Number of sandboxes that wait for claims.'),
      readyReplicas: integer('Number of ready sandboxes that wait for claims.'),
      selector: text('Label selector of the sandboxes.'),
      observedGeneration: flotilla(longInteger('Generation of the spec that was observed.')),
      conditions: flotilla(keyedList(CONDITION, ['type'], 'Ready.')),
    },
  }),
)

const SHAPE: Parameters<typeof oldSameKind>[0] = {
  properties: { spec: SPEC, status: STATUS },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    {
      ...textColumn('Ready', '.status.readyReplicas', 'Number of ready sandboxes.'),
      type: 'integer',
    },
    AGE_COLUMN,
  ],
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
}

/** The type of pools of sandboxes that wait for claims. */
export const SANDBOX_WARM_POOL_TYPE = nativeType({
  group: EXTENSIONS_GROUP,
  version: EXTENSIONS_VERSION,
  kind: 'SandboxWarmPool',
  plural: 'sandboxwarmpools',
  definitions: EXTENSIONS_DEFINITIONS,
  shortNames: ['swp'],
  categories: ['sandboxes'],
  namespaced: true,
  description: 'Sandboxes that wait for claims.',
  ...SHAPE,
  oldVersion: oldSameKind(SHAPE),
  hasStatus: true,
  hasGeneration: true,
  mergesStrategically: false,
})
