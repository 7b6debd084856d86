import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { tenantPlaneOf } from '../../src/access/tenant-plane.ts'
import { TENANT_ENV } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from './identities.ts'

const BASE = '/api/hyperfleet/v1'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const MAPS = '/api/v1/namespaces/default/configmaps'
const CLUSTERS = '/apis/hyperfleet.io/v1/clusters'
const ACME_ROOT = tenantPlaneOf(encodeTenant({ org: 'acme', project: 'web' }))

/** Administers the root plane of acme, and of no other tenant. */
const ALICE = bearerOf('alice@example.com')
/** Has roles in the root plane of acme. */
const BOB = bearerOf('bob@example.com')
/** Has a role in the root plane of the server. */
const CAROL = bearerOf('carol@example.com')
/** Administers the planes of all clusters. */
const DAVE = bearerOf('dave@example.com')

let planes: PlaneServer

function of(tenant: string, bearer: string): string {
  return `${bearer}\nX-Tenant-Org: ${tenant}\nX-Tenant-Project: web`
}

const asSystem = (bearer: string): string => `${bearer}\nX-HyperFleet-System: true`

async function status(as: string, method: string, target: string, body?: object) {
  return (await planes.call(as, method, target, body)).status
}

interface Grant {
  readonly user: string
  readonly role: string
  readonly rules?: readonly object[]
}

/** Binds a role, which it creates if there are rules. */
async function grant(as: string, { user, role, rules }: Grant): Promise<void> {
  if (rules) {
    const created = await planes.call(as, 'POST', `${RBAC}/clusterroles`, {
      metadata: { name: role },
      rules,
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
  }
  const bound = await planes.call(as, 'POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: `${role}-${user}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  })
  expect(bound.status, JSON.stringify(bound.body)).toBe(201)
}

function rule(verbs: readonly string[], resources: readonly string[], names?: readonly string[]) {
  return { apiGroups: ['hyperfleet.io'], resources, verbs, ...(names && { resourceNames: names }) }
}

beforeAll(async () => {
  planes = await startPlaneServer(TENANT_ENV)
  const server = asSystem(ROOT)
  await grant(server, {
    user: 'alice@example.com',
    role: 'admin-of-acme',
    rules: [rule(['admin'], ['tenants'], [ACME_ROOT])],
  })
  await grant(server, { user: 'carol@example.com', role: 'hyperfleet-reader' })
  await grant(server, {
    user: 'dave@example.com',
    role: 'admin-of-planes',
    rules: [rule(['admin'], ['clusters/control-plane'])],
  })
  await grant(of('acme', ALICE), { user: 'bob@example.com', role: 'hyperfleet-writer' })
})
afterAll(() => planes[Symbol.asyncDispose]())

describe('the roles of a root plane of a tenant', () => {
  test('grant nothing outside of the tenant', async () => {
    const created = (name: string, as: string) =>
      status(as, 'POST', `${BASE}/clusters`, creation('Cluster', { name }))
    expect(await created('by-bob', of('acme', BOB))).toBe(201)
    expect(await created('by-bob', of('umbrella', BOB))).toBe(403)
    expect(await created('by-bob', asSystem(BOB))).toBe(403)
    expect(await status(of('acme', BOB), 'GET', CLUSTERS)).toBe(200)
    expect(await status(of('umbrella', BOB), 'GET', CLUSTERS)).toBe(403)
  })

  test('grant no more than they say', async () => {
    const bob = of('acme', BOB)
    expect(await status(bob, 'GET', MAPS)).toBe(403)
    expect(await status(bob, 'GET', `${BASE}/audit`)).toBe(403)
    expect(await status(bob, 'GET', `${BASE}/webhooks`)).toBe(403)
    const role = { metadata: { name: 'more' }, rules: [rule(['*'], ['*'])] }
    expect(await status(bob, 'POST', `${RBAC}/clusterroles`, role)).toBe(403)
  })

  test('are managed by the administrators of this tenant alone', async () => {
    expect(await status(of('acme', ALICE), 'GET', MAPS)).toBe(200)
    expect(await status(of('umbrella', ALICE), 'GET', MAPS)).toBe(403)
    expect(await status(asSystem(ALICE), 'GET', MAPS)).toBe(403)
    // A role for the planes of all clusters is older than root planes of tenants.
    expect(await status(of('acme', DAVE), 'GET', MAPS)).toBe(403)
    expect(await status(of('acme', ROOT), 'GET', MAPS)).toBe(200)
    expect(await status(of('umbrella', ROOT), 'GET', MAPS)).toBe(200)
  })

  test('show no names of the resources of another tenant', async () => {
    const body = creation('Cluster', { name: 'guessed' })
    const theirs = await planes.call(of('umbrella', ROOT), 'POST', `${BASE}/clusters`, body)
    await grant(of('acme', ALICE), {
      user: 'eve@example.com',
      role: 'guess',
      rules: [rule(['get'], ['clusters'], ['guessed'])],
    })
    const eve = of('acme', bearerOf('eve@example.com'))
    expect(await status(eve, 'GET', `${BASE}/clusters/${theirs.body.id}`)).toBe(403)
    expect(await status(eve, 'GET', `${BASE}/clusters/by-name/guessed`)).toBe(404)
  })
})

test('the roles of the root plane of the server apply to every tenant', async () => {
  for (const tenant of ['acme', 'umbrella']) {
    expect(await status(of(tenant, CAROL), 'GET', `${BASE}/clusters`)).toBe(200)
    expect(await status(of(tenant, CAROL), 'GET', CLUSTERS)).toBe(200)
    expect(await status(of(tenant, CAROL), 'GET', MAPS)).toBe(403)
  }
})

test('an administrator of a tenant administers the planes of its clusters', async () => {
  const body = creation('Cluster', { name: 'of-acme' })
  const { id } = (await planes.call(of('acme', ROOT), 'POST', `${BASE}/clusters`, body)).body
  const maps = `/clusters/${id}/control-plane${MAPS}`
  expect(await status(of('acme', ALICE), 'GET', maps)).toBe(200)
  expect(await status(of('acme', BOB), 'GET', maps)).toBe(403)
  expect(await status(of('umbrella', ALICE), 'GET', maps)).toBe(404)
})

describe('impersonation', () => {
  test('in the root plane of a tenant ends at the tenant', async () => {
    const acting = `${of('acme', ALICE)}\nImpersonate-User: root@example.com`
    expect(await status(acting, 'GET', MAPS)).toBe(200)
    expect(await status(acting, 'GET', `${BASE}/clusters`)).toBe(403)
    const elsewhere = `${of('umbrella', ALICE)}\nImpersonate-User: root@example.com`
    expect(await status(elsewhere, 'GET', MAPS)).toBe(403)
  })

  test('of a service account by the HyperFleet API does not mean one of the tenant', async () => {
    const account = 'system:serviceaccount:default:default'
    await grant(of('acme', ALICE), { user: account, role: 'hyperfleet-reader' })
    const acting = `${of('acme', ROOT)}\nImpersonate-User: ${account}`
    expect(await status(acting, 'GET', `${BASE}/clusters`)).toBe(403)
  })
})

test('the token of a service account is valid in the root plane that issued it', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token'
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const issued = await planes.call(of('acme', ALICE), 'POST', path, request)
  expect(issued.status, JSON.stringify(issued.body)).toBe(201)
  const bearer = `Bearer ${issued.body.status.token}`
  const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  expect(await status(of('acme', bearer), 'POST', reviews, review)).toBe(201)
  expect(await status(of('umbrella', bearer), 'POST', reviews, review)).toBe(401)
  expect(await status(asSystem(bearer), 'POST', reviews, review)).toBe(401)
  expect(await status(of('acme', bearer), 'GET', `${BASE}/clusters`)).toBe(401)
})
