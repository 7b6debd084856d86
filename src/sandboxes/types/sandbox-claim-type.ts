import type { Schema } from 'flotilla/planes'
import {
  AGE_COLUMN,
  atomicList,
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
  textList,
  time,
  withDefault,
} from 'flotilla/planes/native'
import { VOLUME_CLAIM_TEMPLATE_SCHEMA } from './blueprint-schema.ts'
import { conditionColumn } from './condition-column.ts'
import { flotilla, stable } from './maturity.ts'
import { oldSandboxClaim } from './old-sandbox-claim.ts'
import { POD_METADATA_SCHEMA } from './pod-template-schema.ts'
import { EXTENSIONS_DEFINITIONS, EXTENSIONS_GROUP, EXTENSIONS_VERSION } from './sandbox-groups.ts'

const LIFECYCLE = definition(`${EXTENSIONS_DEFINITIONS}.Lifecycle`, {
  description: 'When the claim ends.',
  properties: {
    shutdownTime: time('When the claim expires.'),
    ttlSecondsAfterFinished: {
      ...integer('Seconds that a claim stays after the end of its workload.'),
      minimum: 0,
    },
    shutdownPolicy: withDefault(
      choice(
        ['Delete', 'DeleteForeground', 'Retain'],
        'Whether an expired claim is deleted, is deleted after its sandbox, or stays without it.',
      ),
      'Retain',
    ),
  },
})

const ENV_VAR = definition(`${EXTENSIONS_DEFINITIONS}.EnvVar`, {
  description: 'An environment variable.',
  properties: {
    name: text('Name of the variable.'),
    value: text('Value of the variable.'),
    containerName: text('Container with the variable; the first one by default.'),
  },
  required: ['name', 'value'],
})

const SPEC: Schema = stable(
  definition(`${EXTENSIONS_DEFINITIONS}.SandboxClaimSpec`, {
    description: 'The pool of which the claim gets a sandbox.',
    properties: {
      warmPoolRef: definition(`${EXTENSIONS_DEFINITIONS}.SandboxWarmPoolRef`, {
        description: 'A pool.',
        properties: { name: text('Name of a SandboxWarmPool of the namespace.') },
        required: ['name'],
      }),
      lifecycle: LIFECYCLE,
      additionalPodMetadata: POD_METADATA_SCHEMA,
      safeToEvict: choice(['on-completion', 'true', 'false'], 'Kept. Runtimes do not evict.'),
      env: atomicList(
        ENV_VAR,
        'Environment variables. With them, the sandbox is started for the claim and not taken from the pool.',
      ),
      volumeClaimTemplates: atomicList(
        VOLUME_CLAIM_TEMPLATE_SCHEMA,
        'Volumes in addition to those of the template. With them, the sandbox is started for the claim and not taken from the pool.',
      ),
    },
    required: ['warmPoolRef'],
  }),
)

const STATUS: Schema = stable(
  definition(`${EXTENSIONS_DEFINITIONS}.SandboxClaimStatus`, {
    description: 'The sandbox of the claim.',
    properties: {
      conditions: keyedList(CONDITION, ['type'], 'Ready and Finished, as those of the sandbox.'),
      sandbox: definition(`${EXTENSIONS_DEFINITIONS}.ClaimedSandboxStatus`, {
        description: 'The sandbox.',
        properties: {
          name: text('Name of the sandbox.'),
          podIPs: textList('Addresses of the workload.'),
        },
      }),
      observedGeneration: flotilla(longInteger('Generation of the spec that was observed.')),
    },
  }),
)

const COLUMNS = [
  NAME_COLUMN,
  textColumn('Sandbox', '.status.sandbox.name', 'Sandbox of the claim.'),
  conditionColumn('Ready', 'Ready', { description: 'Whether the sandbox is ready.' }),
  AGE_COLUMN,
]

/** The type of claims of sandboxes. */
export const SANDBOX_CLAIM_TYPE = nativeType({
  group: EXTENSIONS_GROUP,
  version: EXTENSIONS_VERSION,
  kind: 'SandboxClaim',
  plural: 'sandboxclaims',
  definitions: EXTENSIONS_DEFINITIONS,
  shortNames: ['sandboxclaim'],
  categories: ['sandboxes'],
  namespaced: true,
  description: 'A request for a sandbox of a pool.',
  properties: { spec: SPEC, status: STATUS },
  required: ['spec'],
  printerColumns: COLUMNS,
  oldVersion: oldSandboxClaim({ spec: SPEC, status: STATUS, printerColumns: COLUMNS }),
  hasStatus: true,
  hasGeneration: true,
  mergesStrategically: false,
  rejectedFields: {
    'spec.sandboxTemplateRef': 'use spec.warmPoolRef: a SandboxWarmPool names the template',
  },
})
