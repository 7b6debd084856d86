import { isJsonObject } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { AGE_COLUMN, definition, integer, NAME_COLUMN, withDefault } from 'flotilla/planes/native'
import { conditionColumn } from './condition-column.ts'
import { stable } from './maturity.ts'
import { OLD_AGENTS_DEFINITIONS, OLD_VERSION } from './sandbox-groups.ts'
import { SANDBOX_SPEC_SCHEMA } from './sandbox-spec-schema.ts'
import { SANDBOX_STATUS_SCHEMA } from './sandbox-status-schema.ts'

const { operatingMode: _mode, ...OTHER_FIELDS } = SANDBOX_SPEC_SCHEMA.properties ?? {}

const SPEC = stable(
  definition(`${OLD_AGENTS_DEFINITIONS}.SandboxSpec`, {
    description: 'The desired state of the sandbox.',
    properties: {
      ...OTHER_FIELDS,
      replicas: withDefault(
        { ...integer('1 if the workload runs, 0 if it is suspended.'), minimum: 0, maximum: 1 },
        1,
      ),
    },
    required: ['podTemplate'],
  }),
)

const STATUS = stable(
  definition(`${OLD_AGENTS_DEFINITIONS}.SandboxStatus`, {
    description: 'The observed state of the sandbox.',
    properties: {
      ...SANDBOX_STATUS_SCHEMA.properties,
      replicas: integer('1 unless the sandbox is suspended.'),
    },
  }),
)

/** Sandboxes in v1alpha1, which has `replicas` instead of the operating mode. */
export const OLD_SANDBOX = {
  version: OLD_VERSION,
  definitions: OLD_AGENTS_DEFINITIONS,
  properties: { spec: SPEC, status: STATUS },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    conditionColumn('Ready', 'Ready', { description: 'Whether the workload is ready.' }),
    AGE_COLUMN,
  ],
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
  toStored,
  fromStored,
}

function toStored(object: ApiObject): ApiObject {
  const { spec, status } = object
  const { replicas, ...fields } = isJsonObject(spec) ? spec : {}
  const { replicas: _shown, ...state } = isJsonObject(status) ? status : {}
  const operatingMode = replicas === 0 ? 'Suspended' : 'Running'
  return {
    ...object,
    spec: { ...fields, operatingMode },
    ...(isJsonObject(status) && { status: state }),
  }
}

function fromStored(object: ApiObject): ApiObject {
  const { spec, status } = object
  const { operatingMode, ...fields } = isJsonObject(spec) ? spec : {}
  const replicas = operatingMode === 'Suspended' ? 0 : 1
  return {
    ...object,
    spec: { ...fields, replicas },
    ...(isJsonObject(status) && { status: { ...status, replicas } }),
  }
}
