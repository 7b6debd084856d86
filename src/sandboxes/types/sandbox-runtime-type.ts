import type { Schema } from 'flotilla/planes'
import {
  AGE_COLUMN,
  CONDITION,
  definition,
  flag,
  integer,
  keyedList,
  longInteger,
  mapList,
  mapOf,
  NAME_COLUMN,
  nativeType,
  TEXT,
  text,
  textColumn,
  textList,
  wide,
} from 'flotilla/planes/native'
import { conditionColumn } from './condition-column.ts'
import { flotilla } from './maturity.ts'
import { RUNTIME_DEFINITIONS, RUNTIME_GROUP, RUNTIME_VERSION } from './sandbox-groups.ts'

/** The time of a renewal has microseconds, as that of a Lease. */
const RENEW_TIME: Schema = { ...text('Last renewal of the lease, in RFC 3339.') }

const DRIVER = definition(`${RUNTIME_DEFINITIONS}.RuntimeDriver`, {
  description: 'A driver of snapshots on the machine.',
  properties: {
    name: text('Name of the driver.'),
    endpoint: text('Address of the driver if it is not that of the runtime.'),
    capabilities: definition(`${RUNTIME_DEFINITIONS}.DriverCapabilities`, {
      description: 'Capabilities of the driver.',
      properties: {
        captures: textList('Contents of its snapshots: filesystem, memory.'),
        freezes: flag('Whether it freezes the workload.'),
        lists: flag('Whether it lists its snapshots.'),
        stores: textList('Kinds of stores: local, s3, gcs. Empty if the driver does not say.'),
        unavailableReason: text('Why the driver cannot be used on this machine.'),
      },
    }),
  },
  required: ['name'],
})

const SPEC: Schema = flotilla(
  definition(`${RUNTIME_DEFINITIONS}.SandboxRuntimeSpec`, {
    description: 'A runtime that has registered.',
    properties: {
      endpoint: text('Address of the runtime, such as unix:/run/sandboxd.sock.'),
      capacity: definition(`${RUNTIME_DEFINITIONS}.RuntimeCapacity`, {
        description: 'Limits of the runtime.',
        properties: { sandboxes: { ...integer('The most sandboxes that run.'), minimum: 0 } },
      }),
      drivers: mapList(DRIVER, ['name'], 'Drivers of snapshots.'),
      labels: mapOf(TEXT, 'Labels of the machine.'),
      machine: text('ID of the machine.'),
    },
    required: ['endpoint'],
  }),
)

const ISOLATION = definition(`${RUNTIME_DEFINITIONS}.RuntimeIsolation`, {
  description: 'An isolation class, verified at the start of the runtime.',
  properties: {
    name: text('Value of runtimeClassName: bubblewrap, gvisor, process.'),
    separates: textList('Separated from the machine: files, processes, network, kernel.'),
    isDefault: flag('Whether sandboxes that name no class get it.'),
    reason: text('Why the runtime does not offer it.'),
    networkPolicies: textList('Network policies that it enforces: None, Internet, Allow.'),
    networkProblem: text('Why it lacks a network policy, and the remedy.'),
    apiAccess: flag('Whether its sandboxes can have access to the API.'),
  },
  required: ['name'],
})

const LIMIT = definition(`${RUNTIME_DEFINITIONS}.RuntimeLimit`, {
  description: 'How the machine enforces a limit.',
  properties: {
    name: text('cpu, memory, processes, files, ephemeral-storage.'),
    scope: text('sandbox: all its processes together. process: each process. none.'),
    reason: text('Why it is not sandbox.'),
  },
  required: ['name', 'scope'],
})

const IMAGE = definition(`${RUNTIME_DEFINITIONS}.RuntimeImage`, {
  description: 'An image that sandboxes can use.',
  properties: {
    name: text('Value of the field image. Its digest if it has no name any more.'),
    digest: text('Digest of its files and its configuration.'),
    sizeBytes: longInteger('Bytes of its files.'),
    tenant: text('The tenant, as JSON, whose sandboxes may use it. Absent: all.'),
    namespace: text('The namespace whose sandboxes may use it. Absent: all.'),
  },
  required: ['name', 'digest'],
})

const STATUS: Schema = flotilla(
  definition(`${RUNTIME_DEFINITIONS}.SandboxRuntimeStatus`, {
    description: 'The lease of the runtime and its workloads.',
    properties: {
      renewTime: RENEW_TIME,
      leaseDurationSeconds: integer('Seconds after the last renewal when the lease expires.'),
      sandboxes: integer('Number of sandboxes that run.'),
      isolation: mapList(ISOLATION, ['name'], 'The isolation classes of the runtime.'),
      limits: mapList(LIMIT, ['name'], 'How the machine enforces limits of workloads.'),
      images: mapList(IMAGE, ['name'], 'Images that were registered on the machine.'),
      conditions: keyedList(CONDITION, ['type'], 'Ready, StartsSandboxes.'),
    },
  }),
)

/** The type of registered runtimes, which only the root plane serves. */
export const SANDBOX_RUNTIME_TYPE = nativeType({
  group: RUNTIME_GROUP,
  version: RUNTIME_VERSION,
  kind: 'SandboxRuntime',
  plural: 'sandboxruntimes',
  definitions: RUNTIME_DEFINITIONS,
  shortNames: ['sbxrt'],
  categories: ['sandboxes'],
  namespaced: false,
  description: 'A runtime of sandboxes on a machine.',
  properties: { spec: SPEC, status: STATUS },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    conditionColumn('Ready', 'Ready', { description: 'Whether the runtime renews its lease.' }),
    { ...textColumn('Sandboxes', '.status.sandboxes', 'Number of sandboxes.'), type: 'integer' },
    AGE_COLUMN,
    wide(textColumn('Endpoint', '.spec.endpoint', 'Address of the runtime.')),
  ],
  hasStatus: true,
  hasGeneration: true,
  mergesStrategically: false,
})
