import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import { keySetOf } from '../../../../src/http/auth/fixtures.ts'
import { startProgram } from '../../../process/program.ts'
import { assertStatus, type RawRequest, type RawResponse, sendRaw } from '../raw-request.ts'
import { type DelegateServer, GROUP, GROUP_PATH, startDelegateServer } from './delegate-server.ts'
import { createIssuers, type Issuers, MAIN, OTHER } from './issuers.ts'

/** Texts that only some callers may read. */
export const SECRETS = {
  /** In the body of a request to the plane of a cluster, which the audit log contains. */
  ofPlane: 'secret-of-the-plane',
  /** In the path of a webhook's URL. */
  ofWebhook: 'secret-of-the-webhook',
} as const

/** Sends requests with the token of a user. */
export interface Caller {
  send(request: RawRequest): Promise<RawResponse>
}

/** A server that authorizes by roles, with users of two issuers and with tenants. */
export interface IssuerServer extends AsyncDisposable {
  readonly origin: string
  readonly databaseUrl: string
  readonly issuers: Issuers
  readonly delegate: DelegateServer
  readonly admin: Caller
  /** The ID of the cluster `prod` of the tenant `acme`, whose plane has a secret. */
  readonly clusterId: string
  readonly webhookId: string
  /** A caller with an Authorization header and a tenant; `acme` by default. */
  caller(authorization: string, headers?: NonNullable<RawRequest['headers']>): Caller
  /** A user of the main issuer. */
  user(name: string): Caller
}

/** The address of the server for browsers. */
export const PUBLIC_URL = 'https://fleet.example.com'

const JSON_TYPE = ['Content-Type', 'application/json'] as const
export const ACME = ['X-Tenant-Org', 'acme'] as const
export const UMBRELLA = ['X-Tenant-Org', 'umbrella'] as const
/** The gateway's mark of callers for all tenants, whose root plane is that of the server. */
const SYSTEM = ['X-HyperFleet-System', 'true'] as const
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const TIMEOUT_MS = 60_000

/** The roles of users of the main issuer, by the name of the user. */
const ROLES: Readonly<Record<string, string>> = {
  'reader@x': 'hyperfleet-reader',
  'writer@x': 'hyperfleet-writer',
  'adapter@x': 'hyperfleet-adapter',
  'reporter@x': 'hyperfleet-reporter',
  'auditor@x': 'hyperfleet-auditor',
  'hooks@x': 'hyperfleet-webhook-admin',
}

/** Starts the server and creates what the attacks are about. */
export async function startIssuerServer(databaseUrl: string): Promise<IssuerServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-issuers-'))
  const issuers = createIssuers()
  const files = { main: path.join(folder, 'main.json'), other: path.join(folder, 'other.json') }
  await writeFile(files.main, keySetOf(issuers.mainKey))
  await writeFile(files.other, keySetOf(issuers.otherKey))
  const delegate = await startDelegateServer()
  const program = startProgram({
    DATABASE_URL: databaseUrl,
    JWT_JWKS_FILE: files.main,
    JWT_ISSUER: MAIN,
    JWT_ISSUERS: JSON.stringify([
      {
        issuer_url: OTHER,
        jwk_cert_file: files.other,
        groups_claim: 'groups',
        tenants: [{ org: 'umbrella' }],
      },
    ]),
    PUBLIC_URL,
    AUTHORIZATION: 'rbac',
    AUTHORIZATION_ADMINS: 'user:admin@x,group:admins',
    TENANT_HEADERS: 'org=X-Tenant-Org',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    AUDIT: 'policy=[{"level":"RequestResponse"}]',
    SECRETS_ENCRYPTION_KEY: `drill:${randomBytes(32).toString('base64')}`,
    WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1',
    OUTGOING_WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1',
  })
  const dispose = async (): Promise<void> => {
    await program[Symbol.asyncDispose]()
    await delegate[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const origin = `http://127.0.0.1:${(await program.ready()).port}`
    const caller: IssuerServer['caller'] = (authorization, headers = [ACME]) => ({
      send: (request) => {
        const own = [['Authorization', authorization] as const, ...headers]
        const type = typeof request.body === 'object' ? [JSON_TYPE] : []
        return sendRaw(origin, {
          ...request,
          headers: [...type, ...own, ...(request.headers ?? [])],
        })
      },
    })
    const user = (name: string): Caller => caller(issuers.main({ sub: name }))
    const admin = user('admin@x')
    await grantRoles(admin)
    const system = caller(issuers.main({ sub: 'admin@x' }), [SYSTEM])
    await bindRole(system, { name: 'hyperfleet-writer', user: `${OTHER}#boss` })
    await delegateGroup(admin, delegate)
    const { clusterId, webhookId } = await createSecrets(admin, delegate.origin)
    return {
      origin,
      databaseUrl,
      issuers,
      delegate,
      admin,
      clusterId,
      webhookId,
      caller,
      user,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function create(admin: Caller, target: string, body: object): Promise<{ id: string }> {
  const response = await admin.send({ method: 'POST', target, body })
  assertStatus(response, 201)
  return JSON.parse(response.text)
}

/** Binds the roles of the tenant, and one for objects of the delegated group in the namespace `a`. */
async function grantRoles(admin: Caller): Promise<void> {
  for (const [user, name] of Object.entries(ROLES)) await bindRole(admin, { name, user })
  for (const name of ['a', 'b']) await create(admin, '/api/v1/namespaces', { metadata: { name } })
  await create(admin, `${RBAC}/namespaces/a/roles`, {
    metadata: { name: 'widgets' },
    rules: [{ apiGroups: [GROUP, ''], resources: ['widgets', 'configmaps'], verbs: ['*'] }],
  })
  await bindRole(admin, { name: 'widgets', user: 'scoped@x', namespace: 'a' })
}

interface Grant {
  /** The name of a cluster role, or of a role of the namespace. */
  readonly name: string
  readonly user: string
  readonly namespace?: string
}

async function bindRole(admin: Caller, { name, user, namespace }: Grant): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io'
  const [place, kind] =
    namespace === undefined
      ? ['clusterrolebindings', 'ClusterRole']
      : [`namespaces/${namespace}/rolebindings`, 'Role']
  await create(admin, `${RBAC}/${place}`, {
    metadata: { name: user.replace(/\W+/g, '-') },
    roleRef: { apiGroup, kind, name },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  })
}

async function delegateGroup(admin: Caller, { origin }: DelegateServer): Promise<void> {
  await create(admin, '/apis/apiregistration.k8s.io/v1/apiservices', apiService(GROUP, origin))
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const { status, text } = await admin.send({ target: GROUP_PATH })
    if (status === 200 && text.includes('widgets')) return
    assert.ok(performance.now() < end, `the group is not served: ${status} ${text}`)
    await sleep(100)
  }
}

/** A group version that the server at a URL serves. */
export function apiService(group: string, url: string, more: object = {}): object {
  return {
    metadata: { name: `v1.${group}`, annotations: { 'flotilla.dev/url': url } },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: 'a', name: 'b' },
      ...more,
    },
  }
}

async function createSecrets(admin: Caller, receiver: string) {
  const clusters = `${BASE_PATH}/clusters`
  const { id: clusterId } = await create(admin, clusters, {
    kind: 'Cluster',
    name: 'prod',
    spec: {},
  })
  const maps = `/clusters/${clusterId}/control-plane/api/v1/namespaces/default/configmaps`
  await create(admin, maps, { metadata: { name: 'secret' }, data: { text: SECRETS.ofPlane } })
  const url = `${receiver}/${SECRETS.ofWebhook}`
  const { id: webhookId } = await create(admin, `${BASE_PATH}/webhooks`, { url, state: 'paused' })
  return { clusterId, webhookId }
}
