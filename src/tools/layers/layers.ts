import { CAPABILITIES, CAPABILITY_LAYERS } from './capability-layers.ts'
import { FOUNDATION, FOUNDATION_LAYERS, TABLES } from './foundation-layers.ts'
import { HYPERFLEET_LAYERS } from './hyperfleet-layers.ts'
import { PG_CONNECTIONS } from '../sql/sql-statements.ts'
import type { Layer } from './layer.ts'
import { PLANE_LAYERS } from './plane-layers.ts'

const SERVING = [
  ...FOUNDATION,
  'hyperfleet',
  'planes',
  ...CAPABILITIES,
  'embedded-postgres',
  'import',
] as const

/**
 * Which folder of src/ may import which: dependencies point one way. The longest matching row
 * applies to a file, and every file needs a row.
 */
export const LAYERS: Readonly<Record<string, Layer>> = {
  ...FOUNDATION_LAYERS,
  ...HYPERFLEET_LAYERS,
  ...PLANE_LAYERS,
  ...CAPABILITY_LAYERS,
  'embedded-postgres': { imports: ['lib'] },
  // A command: no server loads it.
  import: { imports: [...FOUNDATION, 'hyperfleet'] },
  telemetry: { imports: ['lib'] },
  cmd: { imports: [...SERVING, 'telemetry'] },
  exports: { imports: [...FOUNDATION, 'hyperfleet', 'planes', 'cmd'] },
  tools: { imports: [...SERVING, 'cmd'] },
}

/** Folders with statements of capabilities. */
const STATEMENTS = [
  'adapter-work/storage',
  'audit/storage',
  'history/storage',
  'hyperfleet/statuses/storage',
  'import/storage',
  'overview/storage',
  'sandboxes/storage',
  'shards/storage',
  'snapshots/storage',
  'tenant-limits/storage',
  'webhooks/storage',
] as const

/** Packages that only some folders may import. */
export const RESTRICTED: readonly {
  readonly name: string
  /** Matches the text of the import. */
  readonly pattern: RegExp
  readonly folders: readonly string[]
}[] = [
  {
    name: 'pg',
    pattern: /^pg(-|\/|$)/,
    folders: [...PG_CONNECTIONS.map(({ folder }) => folder), 'tools'],
  },
  { name: 'Prisma', pattern: /^@?prisma\//, folders: ['store/database', 'tools'] },
  {
    name: 'sql-template-tag',
    pattern: /^sql-template-tag/,
    folders: [
      ...TABLES,
      ...STATEMENTS,
      'store/objects/storage',
      'store/operations',
      'store/search/bind',
      'store/search/sql',
      'hyperfleet/statuses/operations',
      'adapter-work',
    ],
  },
  // It contains sandboxes.
  { name: 'flotilla/server', pattern: /^flotilla\/server$/, folders: [] },
  { name: 'the package by its name', pattern: /^flotilla(\/|$)/, folders: ['sandboxes'] },
  { name: 'OpenTelemetry', pattern: /^@opentelemetry\//, folders: ['telemetry'] },
  { name: 'gRPC', pattern: /^@connectrpc\//, folders: ['sandboxes'] },
  {
    name: 'Protobuf',
    pattern: /^@bufbuild\//,
    folders: ['sandboxes', 'planes/protobuf', 'planes/openapi/gnostic'],
  },
  { name: 'AWS SDK', pattern: /^@aws-sdk\//, folders: ['sandboxes/drivers/stores'] },
  {
    name: 'express',
    pattern: /^express(-|\/|$)/,
    folders: ['http', 'capability', 'hyperfleet', 'planes', ...CAPABILITIES],
  },
]
