import type { Layer } from './layer.ts'

/** The folders that declare kinds. */
export const DECLARING = ['lib', 'access', 'store/model', 'store/registry'] as const
const SEARCHING = [...DECLARING, 'store/search'] as const
/** Folders of statements on tables. */
export const TABLES = [
  'store/backups',
  'store/changes',
  'store/database',
  'store/doctor',
  'store/idempotency',
  'store/indexes',
  'store/labels',
  'store/members',
  'store/partitions',
  'store/references',
  'store/replicas',
  'store/resources',
  'store/servers',
  'store/signing-keys',
  'store/status-records',
  'store/tables',
] as const
const STORING = [...SEARCHING, ...TABLES] as const

const OPERATING = [...STORING, 'store/feed', 'store/operations'] as const

const STORE_LAYERS: Readonly<Record<string, Layer>> = {
  'store/model': { imports: ['lib', 'access'] },
  'store/registry': { imports: ['lib', 'access', 'store/model'] },
  'store/search/language': { imports: DECLARING },
  'store/search/bind': { imports: [...DECLARING, 'store/search/language'] },
  'store/search/sql': { imports: [...DECLARING, 'store/search/language', 'store/search/bind'] },
  'store/search/memory': { imports: [...DECLARING, 'store/search/language', 'store/search/bind'] },
  'store/search': { imports: DECLARING },
  'store/database': { imports: [...SEARCHING, 'generated/prisma'] },
  'store/references': { imports: [...SEARCHING, 'store/database'] },
  'store/status-records': {
    imports: [...SEARCHING, 'store/database'],
    types: ['generated/prisma'],
  },
  'store/resources': {
    imports: [
      ...SEARCHING,
      'store/database',
      'store/idempotency',
      'store/references',
      'store/status-records',
    ],
    types: ['generated/prisma'],
  },
  'store/replicas': { imports: ['lib', 'store/database'] },
  'store/changes': { imports: [...SEARCHING, 'store/database', 'store/resources'] },
  'store/indexes': { imports: ['lib', 'store/search', 'store/database', 'store/servers'] },
  'store/partitions': { imports: ['store/database'] },
  'store/tables': { imports: [] },
  'store/backups': {
    imports: ['lib', 'store/database', 'store/partitions', 'store/servers', 'store/tables'],
  },
  'store/doctor': { imports: ['store/database', 'store/backups', 'store/servers'] },
  'store/members': {
    imports: [
      ...SEARCHING,
      'store/database',
      'store/resources',
      'store/objects/model',
      'store/objects/storage',
    ],
  },
  'store/idempotency': { imports: [...SEARCHING, 'store/database'] },
  'store/signing-keys': { imports: [...SEARCHING, 'store/database'] },
  'store/labels': { imports: [...SEARCHING, 'store/database'] },
  'store/servers': { imports: [...SEARCHING, 'store/database'] },
  'store/feed': { imports: STORING },
  'store/objects/model': { imports: ['lib'] },
  'store/objects/selection': { imports: ['lib', 'store/objects/model'] },
  'store/objects/storage': {
    imports: [
      'lib',
      'store/objects/model',
      'store/objects/selection',
      'store/database',
      'store/changes',
    ],
  },
  'store/objects': {
    imports: [
      'lib',
      'store/objects',
      'store/database',
      'store/changes',
      'store/replicas',
      'store/feed',
    ],
  },
  'store/operations/servers': { imports: STORING },
  'store/operations/bulk': {
    imports: [...OPERATING, 'store/objects/model', 'store/objects/storage'],
  },
  'store/operations/objects': {
    imports: [...OPERATING, 'store/objects/model', 'store/objects/storage'],
  },
  'store/operations/watch': { imports: OPERATING },
  'store/operations': { imports: [...STORING, 'store/feed'] },
}

const HTTP_LAYERS: Readonly<Record<string, Layer>> = {
  'http/egress': { imports: ['lib'] },
  'http/forwarding': { imports: ['lib', 'http/requests'] },
  'http/json': { imports: ['lib', 'http/errors', 'http/requests'] },
  'http/patching': { imports: ['lib', 'http/json'] },
  'http/requests': { imports: ['lib', 'access'] },
  'http/errors': { imports: ['lib', 'store/database', 'http/requests'] },
  'http/observability': { imports: ['lib', 'http/errors', 'http/requests'] },
  'http/server': {
    imports: ['lib', 'access', 'http/errors', 'http/json', 'http/observability', 'http/requests'],
  },
  'http/auth': { imports: ['lib', 'access', 'http/errors', 'http/requests', 'http/server'] },
  'http/fairness': { imports: ['lib', 'access', 'http/auth', 'http/errors', 'http/observability'] },
  'http/browsers': { imports: ['lib', 'access', 'http/requests'] },
  'http/streams': {
    imports: [
      'lib',
      'store/feed',
      'http/auth',
      'http/errors',
      'http/observability',
      'http/requests',
    ],
  },
  'http/validation': { imports: ['lib', 'http/json', 'http/patching', 'http/errors'] },
}

/** The rows of the foundation, which every capability may import. */
export const FOUNDATION_LAYERS: Readonly<Record<string, Layer>> = {
  lib: { imports: [] },
  access: { imports: ['lib'] },
  ...STORE_LAYERS,
  ...HTTP_LAYERS,
  capability: { imports: ['lib', 'access', 'store', 'http'] },
}
/** The folders of the foundation. */
export const FOUNDATION = ['lib', 'access', 'store', 'http', 'capability'] as const
