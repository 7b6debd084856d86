import { KUBE, KUBE_LAYERS } from './kube-layers.ts'
import type { Layer } from './layer.ts'
import { PG_CONNECTIONS } from '../sql/sql-statements.ts'

const DECLARING = ['lib', 'core/model', 'core/expressions', 'core/registry'] as const
const SEARCHING = [...DECLARING, 'core/search'] as const
const STORING = [...SEARCHING, 'core/storage'] as const
const OPERATING = [
  ...STORING,
  'core/auth',
  'core/feed',
  'core/overview',
  'core/snapshots',
  'core/operations',
] as const
const HTTP = [
  'http/audit',
  'http/auth',
  'http/browsers',
  'http/egress',
  'http/errors',
  'http/forwarding',
  'http/json',
  'http/observability',
  'http/patching',
  'http/requests',
  'http/server',
  'http/streams',
  'http/validation',
] as const

const HYPERFLEET = [...OPERATING, 'core/webhooks', 'statuses', ...HTTP] as const
/** Folders of the HyperFleet API. */
const API = (...folders: readonly string[]) => folders.map((name) => `apis/hyperfleet/${name}`)

/**
 * Which folder of src/ may import which: dependencies point one way. The longest matching row
 * applies to a file, and every file needs a row.
 */
export const LAYERS: Readonly<Record<string, Layer>> = {
  lib: { imports: [] },
  config: { imports: [...DECLARING, 'core/audit', 'core/auth'] },
  'core/model': { imports: ['lib'] },
  'core/expressions': { imports: ['lib'] },
  'core/registry': { imports: ['lib', 'core/model', 'core/expressions'] },
  'core/auth': { imports: ['lib', 'core/model'] },
  'core/search/language': { imports: [...DECLARING] },
  'core/search/bind': { imports: [...DECLARING, 'core/search/language'] },
  'core/search/sql': { imports: [...DECLARING, 'core/search/language', 'core/search/bind'] },
  'core/search/memory': { imports: [...DECLARING, 'core/search/language', 'core/search/bind'] },
  'core/search': { imports: [...DECLARING] },
  'core/storage/database': { imports: [...SEARCHING, 'generated/prisma'] },
  'core/storage/references': { imports: [...SEARCHING, 'core/storage/database'] },
  'core/storage/status-records': {
    imports: [...SEARCHING, 'core/storage/database'],
    types: ['generated/prisma'],
  },
  'core/storage/resources': {
    imports: [
      ...SEARCHING,
      'core/storage/database',
      'core/storage/idempotency',
      'core/storage/references',
      'core/storage/status-records',
    ],
    types: ['generated/prisma'],
  },
  'core/storage/replicas': { imports: ['lib', 'core/storage/database'] },
  'core/storage/changes': {
    imports: [...SEARCHING, 'core/storage/database', 'core/storage/resources'],
  },
  'core/storage/audit': { imports: [...SEARCHING, 'core/audit', 'core/storage/database'] },
  'core/storage/history': { imports: ['lib', 'core/storage/database'] },
  'core/storage/partitions': { imports: ['core/storage/database'] },
  'core/storage/backups': {
    imports: ['lib', 'core/storage/database', 'core/storage/partitions', 'core/storage/servers'],
  },
  'core/storage/doctor': {
    imports: ['core/storage/database', 'core/storage/backups', 'core/storage/servers'],
  },
  'core/storage/snapshots': {
    imports: [
      ...SEARCHING,
      'core/storage/database',
      'core/storage/resources',
      'core/storage/status-records',
    ],
  },
  'core/storage/members': {
    imports: [
      ...SEARCHING,
      'core/storage/database',
      'core/storage/resources',
      'core/objects/model',
      'core/objects/storage',
    ],
  },
  'core/storage/idempotency': { imports: [...SEARCHING, 'core/storage/database'] },
  'core/storage/signing-keys': { imports: [...SEARCHING, 'core/storage/database'] },
  'core/storage/sandboxes': {
    imports: ['lib', 'core/sandboxes', 'core/storage/database'],
    types: ['generated/prisma'],
  },
  'core/storage/labels': { imports: [...SEARCHING, 'core/storage/database'] },
  'core/storage/overview': {
    imports: [...SEARCHING, 'core/storage/database', 'core/storage/servers'],
  },
  'core/storage/shards': {
    imports: [...SEARCHING, 'core/storage/database', 'core/storage/partitions'],
  },
  'core/storage/servers': { imports: [...SEARCHING, 'core/storage/database'] },
  'core/storage/webhooks': {
    imports: [...SEARCHING, 'core/storage/changes', 'core/storage/database'],
  },
  'core/audit': { imports: ['lib'] },
  'core/feed': { imports: STORING },
  'core/snapshots': { imports: [...STORING, 'core/feed'] },
  'core/overview': { imports: [...STORING, 'core/feed'] },
  'core/shards': { imports: [...STORING, 'core/feed', 'core/objects/storage'] },
  'core/sandboxes': { imports: ['lib'] },
  'core/objects/model': { imports: ['lib'] },
  'core/objects/selection': { imports: ['lib', 'core/objects/model'] },
  'core/objects/storage': {
    imports: [
      'lib',
      'core/objects/model',
      'core/objects/selection',
      'core/storage/database',
      'core/storage/changes',
      'core/storage/sandboxes',
    ],
  },
  'core/objects': {
    imports: [
      'lib',
      'core/objects',
      'core/storage/database',
      'core/storage/changes',
      'core/storage/replicas',
      'core/feed',
    ],
  },
  'core/operations/servers': { imports: STORING },
  'core/operations/bulk': {
    imports: [...OPERATING, 'core/objects/model', 'core/objects/storage'],
  },
  'core/operations/objects': {
    imports: [...OPERATING, 'core/objects/model', 'core/objects/storage'],
  },
  'core/operations/snapshots': { imports: OPERATING },
  'core/operations/watch': { imports: OPERATING },
  'core/operations': { imports: [...STORING, 'core/auth', 'core/feed', 'core/snapshots'] },
  'core/webhooks': { imports: OPERATING },
  'statuses/model': { imports: ['lib', 'core/model'] },
  'statuses/conditions': { imports: [...DECLARING, 'statuses/model'] },
  'statuses/validation': {
    imports: ['lib', 'core/model', 'statuses/model', 'statuses/conditions'],
  },
  'statuses/storage': {
    imports: [...STORING, 'statuses/model', 'statuses/conditions'],
    types: ['generated/prisma'],
  },
  'statuses/operations': {
    imports: [
      ...OPERATING,
      'statuses/model',
      'statuses/conditions',
      'statuses/validation',
      'statuses/storage',
    ],
  },
  'http/egress': { imports: ['lib'] },
  'http/forwarding': { imports: ['lib', 'http/requests'] },
  'http/json': { imports: ['lib', 'http/errors', 'http/requests'] },
  'http/patching': { imports: ['lib', 'http/json'] },
  'http/requests': { imports: ['lib', 'core/audit'] },
  'http/errors': { imports: ['lib', 'core/storage/database', 'http/requests'] },
  'http/observability': { imports: ['lib', 'core/audit', 'http/errors', 'http/requests'] },
  'http/server': {
    imports: [
      'lib',
      'core/auth',
      'http/errors',
      'http/json',
      'http/observability',
      'http/requests',
    ],
  },
  'http/auth': {
    imports: ['lib', 'core/model', 'core/auth', 'http/errors', 'http/requests', 'http/server'],
  },
  'http/browsers': { imports: ['lib', 'core/auth', 'http/requests'] },
  'http/audit': {
    imports: [
      'lib',
      'core/audit',
      'core/auth',
      'http/auth',
      'http/errors',
      'http/observability',
      'http/requests',
    ],
  },
  'http/streams': {
    imports: [
      'lib',
      'core/feed',
      'http/auth',
      'http/errors',
      'http/observability',
      'http/requests',
    ],
  },
  'http/validation': { imports: ['lib', 'http/json', 'http/patching', 'http/errors'] },
  'apis/hyperfleet/access': { imports: [...HYPERFLEET, 'apis/kube'] },
  'apis/hyperfleet/kinds': { imports: ['lib', 'core/model', 'core/registry'] },
  'apis/hyperfleet/configured-kinds': { imports: DECLARING },
  'apis/hyperfleet/paths': { imports: ['lib'] },
  'apis/hyperfleet/errors': { imports: ['lib', 'http/errors'] },
  'apis/hyperfleet/query': { imports: HYPERFLEET },
  'apis/hyperfleet/wire': { imports: [...HYPERFLEET, ...API('paths', 'query')] },
  'apis/hyperfleet/openapi': { imports: [...HYPERFLEET, ...API('paths', 'query', 'wire')] },
  'apis/hyperfleet/validation': { imports: [...HYPERFLEET, ...API('wire')] },
  'apis/hyperfleet/warnings': { imports: [...HYPERFLEET, ...API('wire')] },
  'apis/hyperfleet/watch': { imports: [...HYPERFLEET, ...API('errors', 'query', 'wire')] },
  'apis/hyperfleet/snapshot': {
    imports: [
      ...HYPERFLEET,
      ...API('errors', 'query', 'watch', 'wire'),
      'apis/kube/model',
      'apis/kube/planes',
      'apis/kube/snapshots',
    ],
  },
  'apis/hyperfleet/audit': { imports: [...HYPERFLEET, ...API('query')] },
  'apis/hyperfleet/overview': {
    imports: [...HYPERFLEET, ...API('query', 'watch', 'wire')],
  },
  'apis/hyperfleet/shards': {
    imports: [...HYPERFLEET, 'core/shards', ...API('paths', 'query', 'wire')],
  },
  'apis/hyperfleet/webhooks': { imports: [...HYPERFLEET, ...API('paths')] },
  'apis/hyperfleet/work': { imports: HYPERFLEET },
  'apis/hyperfleet/service': { imports: [...HYPERFLEET, ...API('openapi', 'paths', 'query')] },
  'apis/hyperfleet/verbs': {
    imports: [
      ...HYPERFLEET,
      ...API('errors', 'openapi', 'paths', 'query', 'validation', 'warnings', 'watch', 'wire'),
    ],
  },
  'apis/hyperfleet/routes': {
    imports: [
      ...HYPERFLEET,
      ...API('audit', 'openapi', 'overview', 'paths', 'query', 'service', 'snapshot', 'validation'),
      ...API('verbs', 'warnings', 'webhooks', 'wire', 'work'),
    ],
  },
  'apis/hyperfleet/plane-resources': {
    imports: [
      ...HYPERFLEET,
      'core/operations/objects',
      'core/objects/model',
      ...API('access', 'openapi', 'validation', 'wire'),
      'apis/kube/errors',
      'apis/kube/model',
    ],
  },
  'apis/hyperfleet': { imports: [...HYPERFLEET, 'apis/hyperfleet'] },
  ...KUBE_LAYERS,
  'apis/kplane/model': { imports: ['lib', ...KUBE('model', 'schemas')] },
  'apis/kplane/members': {
    imports: [
      'lib',
      'core',
      'apis/kplane/model',
      'apis/kplane/types',
      ...KUBE('errors', 'model', 'seeding', 'selectors'),
    ],
  },
  'apis/kplane/types': { imports: ['lib', ...KUBE('model', 'native')] },
  'apis/kplane': {
    imports: ['lib', 'core', 'http', 'apis/kube', 'apis/hyperfleet/openapi', 'apis/kplane'],
  },
  'apis/sandboxes/model': { imports: ['lib', ...KUBE('expressions', 'model', 'schemas')] },
  'apis/sandboxes/types': {
    imports: ['lib', ...KUBE('model', 'native'), 'apis/sandboxes/model'],
  },
  'apis/sandboxes': { imports: ['lib', 'core', 'http', 'apis/kube', 'apis/sandboxes'] },
  controllers: {
    imports: [
      'lib',
      'core/objects/model',
      'core/sandboxes',
      ...KUBE('definitions/acceptance', 'errors', 'model'),
      'apis/sandboxes/model',
      'drivers/proto',
      'drivers/protocol',
    ],
    types: ['apis/kplane/members'],
  },
  'drivers/proto': { imports: [] },
  'drivers/protocol': { imports: ['lib', 'drivers/proto'] },
  drivers: { imports: ['lib', 'drivers'] },
  'embedded-postgres': { imports: ['lib'] },
  telemetry: { imports: ['lib'] },
  console: { imports: ['lib', 'http/errors', 'http/observability', 'http/requests'] },
  cmd: {
    imports: [
      'lib',
      'config',
      'console',
      'core',
      'statuses',
      'http',
      'apis',
      'controllers',
      'drivers',
      'embedded-postgres',
      'telemetry',
    ],
  },
  tools: {
    imports: [
      'lib',
      'config',
      'core',
      'statuses',
      'http',
      'apis',
      'controllers',
      'drivers',
      'embedded-postgres',
      'cmd',
    ],
  },
}

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
  {
    name: 'Prisma',
    pattern: /^@?prisma\//,
    folders: ['core/storage/database', 'tools'],
  },
  {
    name: 'sql-template-tag',
    pattern: /^sql-template-tag/,
    folders: [
      'core/search/sql',
      'core/search/bind',
      'core/storage',
      'core/objects/storage',
      'core/operations',
      'statuses/storage',
      'statuses/operations',
    ],
  },
  { name: 'OpenTelemetry', pattern: /^@opentelemetry\//, folders: ['telemetry'] },
  { name: 'AWS SDK', pattern: /^@aws-sdk\//, folders: ['drivers/stores'] },
  { name: 'express', pattern: /^express(-|\/|$)/, folders: ['http', 'apis', 'console'] },
  {
    name: 'cel-js',
    pattern: /^@marcbachmann\/cel-js/,
    folders: ['core/expressions', 'apis/kube/expressions'],
  },
]
