import type { JsonObject } from '../../../lib/json/json.ts'

const READ = ['get', 'list', 'watch'] as const
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'] as const
const CORE = ''
const EVENTS = 'events.k8s.io'
const LEASES = 'coordination.k8s.io'
const RBAC = 'rbac.authorization.k8s.io'
const AUTHORIZATION = 'authorization.k8s.io'
const AUTHENTICATION = 'authentication.k8s.io'

/** A rule about resources of API groups. */
export function resourceRule(
  verbs: readonly string[],
  apiGroups: readonly string[],
  resources: readonly string[],
): JsonObject {
  return { apiGroups, resources, verbs }
}

function pathRule(...nonResourceURLs: readonly string[]): JsonObject {
  return { nonResourceURLs, verbs: ['get'] }
}

export const EVERYTHING_RULES: readonly JsonObject[] = [
  resourceRule(['*'], ['*'], ['*']),
  { nonResourceURLs: ['*'], verbs: ['*'] },
]

export const VIEW_RULES: readonly JsonObject[] = [
  resourceRule(
    READ,
    [CORE],
    [
      'configmaps',
      'namespaces',
      'namespaces/status',
      'resourcequotas',
      'resourcequotas/status',
      'serviceaccounts',
    ],
  ),
  resourceRule(READ, [CORE, EVENTS], ['events']),
]

export const EDIT_RULES: readonly JsonObject[] = [
  resourceRule(READ, [CORE], ['secrets']),
  resourceRule(['impersonate'], [CORE], ['serviceaccounts']),
  resourceRule(WRITE, [CORE], ['configmaps', 'secrets', 'serviceaccounts']),
  resourceRule(['create'], [CORE], ['serviceaccounts/token']),
  resourceRule(WRITE, [CORE, EVENTS], ['events']),
  resourceRule([...READ, ...WRITE], [LEASES], ['leases']),
]

export const ADMIN_RULES: readonly JsonObject[] = [
  resourceRule(['create'], [AUTHORIZATION], ['localsubjectaccessreviews']),
  resourceRule([...READ, ...WRITE], [RBAC], ['rolebindings', 'roles']),
]

const PROBES = ['/healthz', '/livez', '/readyz'] as const
const VERSION = ['/version', '/version/'] as const

export const PUBLIC_INFO_RULES: readonly JsonObject[] = [pathRule(...PROBES, ...VERSION)]

export const DISCOVERY_RULES: readonly JsonObject[] = [
  pathRule('/api', '/api/*', '/apis', '/apis/*', ...PROBES, '/openapi', '/openapi/*', ...VERSION),
]

export const MONITORING_RULES: readonly JsonObject[] = [
  pathRule(...PROBES, ...PROBES.map((path) => `${path}/*`), '/metrics'),
]

export const BASIC_USER_RULES: readonly JsonObject[] = [
  resourceRule(
    ['create'],
    [AUTHORIZATION],
    ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  ),
  resourceRule(['create'], [AUTHENTICATION], ['selfsubjectreviews']),
]

export const AUTH_DELEGATOR_RULES: readonly JsonObject[] = [
  resourceRule(['create'], [AUTHENTICATION], ['tokenreviews']),
  resourceRule(['create'], [AUTHORIZATION], ['subjectaccessreviews']),
]

export const ISSUER_DISCOVERY_RULES: readonly JsonObject[] = [
  pathRule(
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/',
    '/openid/v1/jwks',
    '/openid/v1/jwks/',
  ),
]
