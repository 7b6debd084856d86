import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signingKey } from '../../src/http/auth/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { TENANT_ENV } from './tenants.ts'

const MAIN = 'https://main.example.com'
const OTHER = 'https://other.example.com'
const mainKey = signingKey('ES256', 'main')
const otherKey = signingKey('ES256', 'other')

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset

function mainToken(claims: object): string {
  return mainKey.bearer({ iss: MAIN, exp: seconds(3600), ...claims })
}

function otherToken(claims: object): string {
  return otherKey.bearer({ iss: OTHER, exp: seconds(3600), ...claims })
}

const ROOT = mainToken({ sub: 'admin@x' })

let folder: string
let mainFile: string
let otherFile: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'flotilla-issuers-'))
  mainFile = path.join(folder, 'main.json')
  otherFile = path.join(folder, 'other.json')
  await writeFile(mainFile, JSON.stringify({ keys: [mainKey.jwk] }))
  await writeFile(otherFile, JSON.stringify({ keys: [otherKey.jwk] }))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function environment(other: object = {}): NodeJS.ProcessEnv {
  const issuer = { issuer_url: OTHER, jwk_cert_file: otherFile, ...other }
  return {
    JWT_JWKS_FILE: mainFile,
    JWT_ISSUER: MAIN,
    JWT_ISSUERS: JSON.stringify([issuer]),
    AUTHORIZATION: 'rbac',
    AUTHORIZATION_ADMINS: `user:admin@x,group:platform,user:${OTHER}#boss:1`,
  }
}

function withToken(server: TestServer, authorization: string, headers: object = {}) {
  const send = (method: string, target: string, body?: unknown) =>
    server.request(method, target, body, {
      Authorization: authorization,
      'Content-Type': 'application/json',
      ...headers,
    })
  return {
    send,
    status: async (target: string) => (await send('GET', target)).status,
  }
}

describe('the users and groups of a second issuer', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: environment({ groups_claim: 'groups' }) })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each([
    ['sub', { sub: 'admin@x' }],
    ['email', { email: 'admin@x' }],
    ['preferred_username', { preferred_username: 'admin@x' }],
    ['groups', { sub: 'eve', groups: ['platform', 'system:masters'] }],
    ['a group', { sub: 'eve', groups: 'system:masters' }],
  ])('are not those of the first one: %s', async (_claim, claims) => {
    expect(await withToken(server, ROOT).status('/clusters')).toBe(200)
    const other = withToken(server, otherToken(claims))
    expect(await other.status('/clusters')).toBe(403)
    const plane = await fetch(`${server.origin}/api/v1/namespaces`, {
      headers: { authorization: otherToken(claims) },
    })
    expect(plane.status).toBe(403)
  })

  it('have the prefix of the issuer, also in AUTHORIZATION_ADMINS', async () => {
    const caller = withToken(server, otherToken({ sub: 'boss:1', groups: ['a', 'system:b'] }))
    expect((await caller.send('GET', '/whoami')).body).toMatchObject({
      user: `${OTHER}#boss:1`,
      groups: [`${OTHER}#a`, `${OTHER}#system:b`],
    })
    const body = { kind: 'Cluster', name: 'owned', spec: {} }
    const created = await caller.send('POST', '/clusters', body)
    expect(created).toMatchObject({ status: 201, body: { created_by: `${OTHER}#boss:1` } })
  })

  it('cannot be assigned by the first issuer, whose names have no prefix', async () => {
    const forged = withToken(server, mainToken({ sub: `${OTHER}#boss:1` }))
    expect(await forged.send('GET', '/clusters')).toMatchObject({
      status: 401,
      body: { code: 'HYPERFLEET-AUT-002' },
    })
    const groups = [`${OTHER}#a`, 'own']
    const named = await withToken(server, mainToken({ sub: 'eve', groups })).send('GET', '/whoami')
    expect(named.body.groups).toEqual(['own'])
  })
})

describe('an issuer without groups_claim', () => {
  it('gives its users no groups, and one with the prefix "" gives plain names', async () => {
    await using server = await startTestServer({
      env: {
        ...environment(),
        JWT_JWKS_FILE: '',
        JWT_ISSUER: '',
        JWT_ISSUERS: JSON.stringify([
          { issuer_url: MAIN, jwk_cert_file: mainFile, username_prefix: '' },
          { issuer_url: OTHER, jwk_cert_file: otherFile },
        ]),
      },
    })
    const main = withToken(server, mainToken({ sub: 'admin@x', groups: ['platform'] }))
    expect((await main.send('GET', '/whoami')).body).toMatchObject({ user: 'admin@x', groups: [] })
    expect(await main.status('/clusters')).toBe(200)
    const member = withToken(server, mainToken({ sub: 'ada', groups: ['platform'] }))
    expect(await member.status('/clusters')).toBe(403)
  })
})

describe('a gateway that names the user beside a token', () => {
  it('names a user of the issuer of the token', async () => {
    await using server = await startTestServer({
      env: { ...environment(), TRUSTED_PROXIES: '127.0.0.1,::1' },
    })
    const stated = { 'X-HyperFleet-Identity': 'admin@x' }
    const other = withToken(server, otherToken({ sub: 'eve' }), stated)
    expect((await other.send('GET', '/whoami')).body.user).toBe(`${OTHER}#admin@x`)
    expect(await other.status('/clusters')).toBe(403)
    const main = withToken(server, mainToken({ sub: 'eve' }), stated)
    expect(await main.status('/clusters')).toBe(200)
    const foreign = { 'X-HyperFleet-Identity': `${OTHER}#boss:1` }
    const forged = await withToken(server, mainToken({ sub: 'eve' }), foreign).send(
      'GET',
      '/whoami',
    )
    expect(forged).toMatchObject({ status: 401, body: { code: 'HYPERFLEET-AUT-001' } })
  })
})

const tenant = (org: string, project: string) => ({
  'X-Tenant-Org': org,
  'X-Tenant-Project': project,
})

describe('an issuer that is bound to tenants', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      env: {
        ...environment({ tenants: [{ org: 'acme' }, { org: 'umbrella', project: 'web' }] }),
        ...TENANT_ENV,
        AUTHORIZATION: 'none',
      },
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each([
    [tenant('acme', 'web'), 200],
    [tenant('acme', 'api'), 200],
    [tenant('umbrella', 'web'), 200],
    [tenant('umbrella', 'api'), 403],
    [tenant('initech', 'web'), 403],
    [{ 'X-HyperFleet-System': 'true' }, 403],
    [{ ...tenant('acme', 'web'), 'X-HyperFleet-System': 'true' }, 403],
  ])('sends a request with %j: %i', async (headers, status) => {
    const other = withToken(server, otherToken({ sub: 'ada' }), headers)
    expect(await other.status('/clusters')).toBe(status)
    expect(await withToken(server, mainToken({ sub: 'ada' }), headers).status('/clusters')).toBe(
      200,
    )
    const planes = `${server.origin}/clusters/missing/control-plane/api/v1/namespaces`
    const plane = await fetch(planes, {
      headers: { ...headers, authorization: otherToken({ sub: 'ada' }) },
    })
    expect(plane.status).toBe(status === 200 ? 404 : 403)
  })
})

describe('a review of a token whose issuer is bound to tenants', () => {
  it('accepts it only in the planes of these tenants', async () => {
    await using server = await startTestServer({
      env: {
        ...environment({ tenants: [{ org: 'acme' }] }),
        ...TENANT_ENV,
        AUTHORIZATION_ADMINS: 'user:admin@x',
      },
    })
    const isAuthenticated = async (org: string) => {
      const caller = withToken(server, ROOT, tenant(org, 'web'))
      const body = { kind: 'Cluster', name: 'reviewing', spec: {} }
      const { id } = (await caller.send('POST', '/clusters', body)).body
      const target = `/clusters/${id}/control-plane/apis/authentication.k8s.io/v1/tokenreviews`
      const token = otherToken({ sub: 'ada' }).slice('Bearer '.length)
      const response = await fetch(server.origin + target, {
        method: 'POST',
        headers: {
          ...tenant(org, 'web'),
          authorization: ROOT,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ spec: { token } }),
      })
      expect(response.status).toBe(201)
      return JSON.parse(await response.text()).status.authenticated
    }
    expect(await isAuthenticated('acme')).toBe(true)
    expect(await isAuthenticated('umbrella')).toBe(false)
  })
})

describe('the documented issuers', () => {
  it('serve service accounts with AUTHORIZATION=rbac', async () => {
    const page = await readFile('docs/authentication.md', 'utf8')
    const example = must(/^JWT_ISSUERS='([^']+)'$/m.exec(page)?.[1], 'the example')
    const [users, accounts] = JSON.parse(example)
    const { jwk_cert_url: _url, ...userIssuer } = users
    const issuers = [
      { ...userIssuer, jwk_cert_file: mainFile },
      { ...accounts, jwk_cert_file: otherFile },
    ]
    const binding = must(/--user='([^']+)'/.exec(page), 'a user')
    await using server = await startTestServer({
      env: {
        JWT_ISSUERS: JSON.stringify(issuers),
        AUTHORIZATION: 'rbac',
        AUTHORIZATION_ADMINS: `user:${users.issuer_url}#ada@example.com`,
      },
    })
    const claims = { aud: 'flotilla', exp: seconds(3600) }
    const adapter = otherKey.bearer({
      ...claims,
      iss: accounts.issuer_url,
      sub: 'system:serviceaccount:hyperfleet:dns-adapter',
    })
    const stranger = otherKey.bearer({
      ...claims,
      iss: accounts.issuer_url,
      sub: 'system:serviceaccount:default:dns-adapter',
    })
    const ada = mainKey.bearer({ ...claims, iss: users.issuer_url, email: 'ada@example.com' })
    expect(await withToken(server, adapter).status('/clusters')).toBe(403)
    const bound = await fetch(
      `${server.origin}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`,
      {
        method: 'POST',
        headers: { authorization: ada, 'content-type': 'application/json' },
        body: JSON.stringify({
          metadata: { name: 'dns-adapter' },
          roleRef: {
            apiGroup: 'rbac.authorization.k8s.io',
            kind: 'ClusterRole',
            name: 'hyperfleet-adapter',
          },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: binding[1] }],
        }),
      },
    )
    expect(bound.status).toBe(201)
    expect(await withToken(server, adapter).status('/clusters')).toBe(200)
    expect(await withToken(server, stranger).status('/clusters')).toBe(401)
  })
})
