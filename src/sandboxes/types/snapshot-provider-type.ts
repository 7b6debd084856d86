import { isJsonObject } from 'flotilla'
import type { ApiObject, Schema } from 'flotilla/planes'
import {
  AGE_COLUMN,
  computedColumn,
  definition,
  NAME_COLUMN,
  nativeType,
  text,
  textColumn,
} from 'flotilla/planes/native'
import { flotilla, proposed } from './maturity.ts'
import { AGENTS_DEFINITIONS, AGENTS_GROUP, AGENTS_VERSION } from './sandbox-groups.ts'

/** The fields of a provider that name its store. */
export const STORES = ['s3', 'gcs', 'local'] as const

const CREDENTIALS_REF = definition(`${AGENTS_DEFINITIONS}.SecretReference`, {
  description:
    'The Secret with accessKeyId and secretAccessKey. It is read for each call and never copied.',
  properties: {
    namespace: text('Namespace of the Secret.'),
    name: text('Name of the Secret.'),
  },
  required: ['namespace', 'name'],
})

const S3 = definition(`${AGENTS_DEFINITIONS}.S3SnapshotConfig`, {
  description: 'A bucket of S3 or of a compatible server.',
  properties: {
    bucket: text('Name of the bucket.'),
    region: text('Region of the bucket.'),
    endpoint: flotilla(text('URL of a compatible server.')),
    prefix: flotilla(text('Prefix of the keys.')),
    credentialsRef: flotilla(CREDENTIALS_REF),
  },
  required: ['bucket'],
})

const GCS = definition(`${AGENTS_DEFINITIONS}.GCSSnapshotConfig`, {
  description: 'A bucket of Google Cloud Storage.',
  properties: { bucket: text('Name of the bucket.') },
  required: ['bucket'],
})

const LOCAL = definition(`${AGENTS_DEFINITIONS}.LocalSnapshotConfig`, {
  description: 'A directory on the machine of the runtime.',
  properties: {
    path: text(
      'Directory below one of `store-roots` of SANDBOXD: absolute, or relative to the first.',
    ),
  },
  required: ['path'],
})

const SPEC: Schema = proposed(
  definition(`${AGENTS_DEFINITIONS}.SnapshotProviderSpec`, {
    description: 'A driver and its store: exactly one of s3, gcs and local.',
    properties: {
      providerType: text('Name of the driver, such as process, gvisor or process-criu.'),
      s3: S3,
      gcs: GCS,
      local: flotilla(LOCAL),
    },
    required: ['providerType'],
  }),
)

function storeOf({ spec }: ApiObject): string {
  return STORES.find((name) => isJsonObject(spec) && spec[name] !== undefined) ?? ''
}

/** The type of providers of snapshots: path A. */
export const SNAPSHOT_PROVIDER_TYPE = nativeType({
  group: AGENTS_GROUP,
  version: AGENTS_VERSION,
  kind: 'SnapshotProvider',
  plural: 'snapshotproviders',
  definitions: AGENTS_DEFINITIONS,
  categories: ['sandboxes'],
  namespaced: false,
  description: 'A driver of snapshots with a typed store.',
  properties: { spec: SPEC },
  required: ['spec'],
  printerColumns: [
    NAME_COLUMN,
    textColumn('Driver', '.spec.providerType', 'Driver of the snapshots.'),
    computedColumn('Store', 'Kind of the store.', storeOf),
    AGE_COLUMN,
  ],
  hasGeneration: true,
  mergesStrategically: false,
  rejectedFields: {
    'spec.s3Config': 'use spec.s3',
    'spec.gcsConfig': 'use spec.gcs',
    'spec.localConfig': 'use spec.local',
    'spec.provisioner': 'use spec.providerType',
    'spec.parameters': 'use one of spec.s3, spec.gcs and spec.local, or a SnapshotClass',
  },
})
