import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assert } from '../../src/lib/assert.ts'
import { CAPABILITIES } from '../../src/cmd/capabilities.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { bearerOf, ROOT, startPlaneServer } from '../planes/identities.ts'
import { startShards } from '../shards/shard-servers.ts'
import { startTestServer } from '../support/test-server.ts'
import { WEBHOOK_ENV } from '../webhooks/webhook-server.ts'
import { type Send, SMOKES, type Smoked } from './smokes.ts'

/** Servers of one installation; requests go to each of them in turn. */
interface Installation extends AsyncDisposable {
  readonly origins: readonly string[]
}

interface Mode {
  readonly name: string
  readonly start: () => Promise<Installation>
  /** The headers of callers that may do everything. */
  readonly owner: Readonly<Record<string, string>>
  /** The headers of callers to whom the owner's resources are hidden; null if there are none. */
  readonly stranger: Readonly<Record<string, string>> | null
  readonly hasTenants: boolean
}

const TENANTS = {
  ...WEBHOOK_ENV,
  ...TENANT_ENV,
  TENANT_LIMITS: JSON.stringify([
    { tenancy: { org: 'limited', project: 'web' }, limits: { resources: 1 } },
  ]),
}

const authorized = (bearer: string) => ({ Authorization: bearer })
/** A request of a tenant whose token, or nothing, states the user. */
const tenantOnly = (org: string) => ({ 'X-Tenant-Org': org, 'X-Tenant-Project': 'web' })
const NO_ROLES = bearerOf('nobody@example.com')

const MODES: readonly Mode[] = [
  {
    name: 'no tenancy',
    start: () => oneServer(startTestServer({ env: WEBHOOK_ENV })),
    owner: {},
    stranger: null,
    hasTenants: false,
  },
  {
    name: 'tenancy',
    start: () => oneServer(startTestServer({ env: TENANTS })),
    owner: tenantHeaders('acme'),
    stranger: tenantHeaders('umbrella'),
    hasTenants: true,
  },
  {
    name: 'rbac',
    start: () => withRoles(WEBHOOK_ENV),
    owner: authorized(ROOT),
    stranger: authorized(NO_ROLES),
    hasTenants: false,
  },
  {
    name: 'tenancy and rbac',
    start: () => withRoles(TENANTS),
    owner: { ...tenantOnly('acme'), ...authorized(ROOT) },
    stranger: { ...tenantOnly('acme'), ...authorized(NO_ROLES) },
    hasTenants: true,
  },
  {
    name: 'shards',
    start: async () => {
      const installation = await startShards(['a', 'b'], () => TENANTS)
      return {
        origins: installation.shards.map(({ server }) => server.origin),
        [Symbol.asyncDispose]: () => installation[Symbol.asyncDispose](),
      }
    },
    owner: tenantHeaders('acme'),
    stranger: tenantHeaders('umbrella'),
    hasTenants: true,
  },
]

async function oneServer(starting: ReturnType<typeof startTestServer>): Promise<Installation> {
  const server = await starting
  return {
    origins: [server.origin],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function withRoles(env: NodeJS.ProcessEnv): Promise<Installation> {
  const planes = await startPlaneServer(env)
  return {
    origins: [planes.server.origin],
    [Symbol.asyncDispose]: () => planes[Symbol.asyncDispose](),
  }
}

function sender(origins: readonly string[], headers: Readonly<Record<string, string>>): Send {
  let requests = 0
  return async (method, path, body) => {
    const origin = origins[requests % origins.length] ?? expect.unreachable()
    requests += 1
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, text, body: isJson && text !== '' ? JSON.parse(text) : null }
  }
}

describe.each(MODES)('with $name', ({ start, owner, stranger, hasTenants }) => {
  let installation: Installation
  let smoked: Smoked

  beforeAll(async () => {
    installation = await start()
    const { origins } = installation
    const send = sender(origins, owner)
    const limited = hasTenants ? sender(origins, { ...owner, ...tenantOnly('limited') }) : null
    const body = { kind: 'Cluster', name: 'hidden-cluster', spec: {} }
    const created = await send('POST', `${BASE_PATH}/clusters`, body)
    assert(created.status === 201, created.text)
    smoked = { send, limited, cluster: created.body }
  })
  afterAll(() => installation?.[Symbol.asyncDispose]())

  it.each(CAPABILITIES.map(({ name }) => name))(
    '%s works, and hides what it should',
    async (name) => {
      const smoke = SMOKES[name] ?? expect.unreachable(`add ${name} to smokes.ts`)
      const path = await smoke.use(smoked)
      if (path === null) return
      const { id } = smoked.cluster
      expect((await smoked.send('GET', path)).text).toMatch(new RegExp(`hidden-cluster|${id}`))
      if (stranger === null) return
      for (const origin of installation.origins) {
        const { status, text } = await sender([origin], stranger)('GET', path)
        expect([200, 403, 404], text).toContain(status)
        if (status === 200) expect(text).not.toMatch(new RegExp(`hidden-cluster|${id}`))
      }
    },
  )
})
