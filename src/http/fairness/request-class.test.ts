import { describe, expect, test } from 'vitest'
import { type Caller, UNBOUNDED } from '../../access/principal.ts'
import { requestClass } from './request-class.ts'

const CALLER: Caller = {
  user: 'ada@example.com',
  groups: ['developers'],
  issuer: null,
  bounds: UNBOUNDED,
  keyId: null,
  expiresAt: null,
  isRevoked: () => false,
  tenancy: { type: 'none' },
  isFromGateway: false,
}
const ACCOUNT = 'system:serviceaccount:default:operator'
const API = '/api/hyperfleet/v1'
const PLANE = '/clusters/c1/control-plane'

function classOf(path: string, caller: Partial<Caller> | null = {}, method = 'GET') {
  const exempt = [{ type: 'group', name: 'sentinels' }] as const
  return requestClass({ method, path, caller: caller && { ...CALLER, ...caller }, exempt })
}

test.each([
  '/livez',
  '/readyz/ping',
  `${PLANE}/healthz`,
  '/apis/coordination.k8s.io/v1/namespaces/default/leases/leader',
  `${PLANE}/apis/coordination.k8s.io/v1/namespaces/default/leases/leader`,
  `${API}/adapters/dns/leases/token`,
  `${API}/adapters/dns/leases/token/renew`,
])('%s needs no seat', (path) => {
  expect(classOf(path)).toBeNull()
})

test.each([
  '/api/v1/namespaces/default/configmaps/livez',
  '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  `${API}/clusters/c1/nodepools/healthz`,
  `${API}/adapters/dns/lease`,
])('a read of %s is a user', (path) => {
  expect(classOf(path)).toBe('users')
})

describe('the class of a caller', () => {
  test.each([
    [{ tenancy: { type: 'system' } }, 'systems'],
    [{ groups: ['sentinels'] }, 'systems'],
    [{ user: ACCOUNT }, 'controllers'],
    [{ tenancy: { type: 'tenant', tenant: 'acme' } }, 'tenants'],
    [{}, 'users'],
    [null, 'users'],
  ] as const)('%o: %s', (caller, expected) => {
    expect(classOf(`${API}/clusters`, caller)).toBe(expected)
  })

  test('reports and leased work are those of adapters, except of systems', () => {
    expect(classOf(`${API}/clusters/c1/statuses`, {}, 'PUT')).toBe('adapters')
    expect(classOf(`${API}/adapters/dns/lease`, {}, 'POST')).toBe('adapters')
    expect(classOf(`${API}/clusters/c1/statuses`, { tenancy: { type: 'system' } }, 'PUT')).toBe(
      'systems',
    )
  })
})
