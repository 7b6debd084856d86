import type { RegisteredKind } from '../store/registry/kind.ts'
import { serves } from '../store/registry/verb.ts'
import type { PrinterColumn, ResourceType, Verb } from '../planes/model/resource-type.ts'
import type { Schema } from '../planes/model/schema.ts'

/** The group of the HyperFleet kinds in planes. */
export const GROUP = 'hyperfleet.io'
export const VERSION = 'v1'

const conditionColumn = (type: string): PrinterColumn => ({
  name: type,
  type: 'string',
  description: `Status of the condition ${type}.`,
  jsonPath: `.status.conditions[?(@.type=="${type}")].status`,
})

const COLUMNS: readonly PrinterColumn[] = [
  conditionColumn('Ready'),
  conditionColumn('Available'),
  {
    name: 'Generation',
    type: 'integer',
    description: 'Number of the current spec.',
    jsonPath: '.metadata.generation',
  },
  {
    name: 'Age',
    type: 'date',
    description: 'Time since the creation.',
    jsonPath: '.metadata.creationTimestamp',
  },
]

const CONDITION: Schema = {
  type: 'object',
  description: 'A condition that the server derives from the reports of adapters.',
  properties: {
    type: { type: 'string' },
    status: { type: 'string' },
    reason: { type: 'string' },
    message: { type: 'string' },
    observedGeneration: { type: 'integer', format: 'int64' },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    lastUpdatedTime: { type: 'string', format: 'date-time' },
  },
}

/** A HyperFleet kind as a resource of planes. Its objects have no namespace. */
export function exposedType(kind: RegisteredKind): ResourceType {
  return {
    group: GROUP,
    plural: kind.plural,
    singular: kind.kind.toLowerCase(),
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    shortNames: [],
    categories: ['hyperfleet'],
    namespaced: false,
    verbs: verbsOf(kind),
    versions: [
      {
        name: VERSION,
        served: true,
        schema: schemaOf(kind),
        printerColumns: kind.statusHooks ? COLUMNS : COLUMNS.slice(2),
        selectableFields: [],
        hasStatus: false,
        scale: null,
      },
    ],
    storageVersion: VERSION,
    isCustom: false,
  }
}

/** The verbs in planes for each operation of the HyperFleet API. */
const VERBS = {
  get: ['get'],
  list: ['list', 'watch'],
  create: ['create'],
  patch: ['update', 'patch'],
  delete: ['delete', 'deletecollection'],
} as const

function verbsOf(kind: RegisteredKind): readonly Verb[] {
  const operations = ['get', 'list', 'create', 'patch', 'delete'] as const
  return operations.flatMap((operation) => (serves(kind, operation) ? VERBS[operation] : []))
}

function schemaOf({ kind }: RegisteredKind): Schema {
  return {
    type: 'object',
    description: `A ${kind} of the HyperFleet API.`,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        description: 'The desired state. Its rules are those of the HyperFleet API.',
        'x-kubernetes-preserve-unknown-fields': true,
      },
      status: {
        type: 'object',
        description: 'The observed state, which only reports of adapters change.',
        properties: {
          conditions: {
            type: 'array',
            items: CONDITION,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
          },
        },
      },
    },
    required: ['spec'],
  }
}
