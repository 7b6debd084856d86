import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearerOf, eventually, type PlaneServer, ROOT, startPlaneServer } from './identities.ts'

const RBAC = 'rbac.authorization.k8s.io'
const RBAC_PATH = `/apis/${RBAC}/v1`
const CLUSTERS = '/api/hyperfleet/v1/clusters'
const key = randomBytes(32).toString('base64')
const ada = bearerOf('ada@example.com')

let planes: PlaneServer
let one: string
let two: string

beforeAll(async () => {
  planes = await startPlaneServer({ SECRETS_ENCRYPTION_KEY: `2026:${key}` })
  const create = async (name: string): Promise<string> => {
    const created = await planes.call(ROOT, 'POST', CLUSTERS, { kind: 'Cluster', name, spec: {} })
    expect(created.status).toBe(201)
    return `/clusters/${created.body.id}/control-plane`
  }
  one = await create('one')
  two = await create('two')
})
afterAll(() => planes[Symbol.asyncDispose]())

const configMaps = (namespace = 'default') => `/api/v1/namespaces/${namespace}/configmaps`

function binding(name: string, role: string, user: string) {
  return {
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
  }
}

const roleBindings = (namespace: string) => `${RBAC_PATH}/namespaces/${namespace}/rolebindings`

test('R32: a request without a token is 401, also for clusters that do not exist', async () => {
  for (const target of [configMaps(), one + configMaps(), `/clusters/x/control-plane/api`]) {
    expect(await planes.call('', 'GET', target)).toMatchObject({
      status: 401,
      body: { kind: 'Status', reason: 'Unauthorized', code: 401 },
    })
  }
})

test('R32: a caller who may not see a kind gets 403 before 404', async () => {
  const missing = `${configMaps()}/missing`
  expect(await planes.call(ada, 'GET', missing)).toMatchObject({
    status: 403,
    body: {
      reason: 'Forbidden',
      message:
        'configmaps "missing" is forbidden: User "ada@example.com" cannot get resource "configmaps" in API group "" in the namespace "default"',
    },
  })
  expect((await planes.call(ada, 'GET', '/apis/no.such.group/v1/things')).status).toBe(403)
  expect((await planes.call(ROOT, 'GET', missing)).status).toBe(404)
  expect((await planes.call(ROOT, 'GET', '/apis/no.such.group/v1/things')).status).toBe(404)
})

test('R32: a role binding grants rights in its namespace and plane', async () => {
  const granted = await planes.call(
    ROOT,
    'POST',
    one + roleBindings('default'),
    binding('ada', 'view', 'ada@example.com'),
  )
  expect(granted).toMatchObject({ status: 201 })
  // The response to the write has waited for its effect.
  expect((await planes.call(ada, 'GET', one + configMaps())).status).toBe(200)
  for (const target of [
    one + configMaps('kube-system'),
    `${one}/api/v1/namespaces/default/secrets`,
    two + configMaps(),
    configMaps(),
  ]) {
    expect((await planes.call(ada, 'GET', target)).status).toBe(403)
  }
  expect((await planes.call(ada, 'POST', one + configMaps(), { metadata: {} })).status).toBe(403)
  expect((await planes.call(ada, 'GET', `${one}/api/v1/namespaces/default`)).status).toBe(200)
})

test('R32: the verb admin on a cluster makes its holder administrator of its plane', async () => {
  const eve = bearerOf('eve@example.com')
  expect((await planes.call(eve, 'GET', two + configMaps())).status).toBe(403)
  const role = {
    metadata: { name: 'admin-of-two' },
    rules: [
      {
        apiGroups: ['hyperfleet.io'],
        resources: ['clusters/control-plane'],
        resourceNames: ['two'],
        verbs: ['admin'],
      },
    ],
  }
  await planes.call(ROOT, 'POST', `${RBAC_PATH}/clusterroles`, role)
  const bound = binding('admin-of-two', 'admin-of-two', 'eve@example.com')
  await planes.call(ROOT, 'POST', `${RBAC_PATH}/clusterrolebindings`, bound)
  await eventually(() => planes.call(eve, 'GET', two + configMaps()), 200)
  const created = await planes.call(eve, 'POST', `${two}/api/v1/namespaces`, {
    metadata: { name: 'eve' },
  })
  expect(created.status).toBe(201)
  expect((await planes.call(eve, 'GET', one + configMaps())).status).toBe(403)
  expect((await planes.call(eve, 'GET', configMaps())).status).toBe(403)
})

test('R32: a right to the id of a cluster ends with it, and a right to its name covers the next one', async () => {
  const create = async () =>
    String(
      (await planes.call(ROOT, 'POST', CLUSTERS, { kind: 'Cluster', name: 'reused', spec: {} }))
        .body.id,
    )
  const remove = async (id: string) => {
    await planes.call(ROOT, 'DELETE', `${CLUSTERS}/${id}`)
    const reason = { reason: 'the end of a cluster' }
    await planes.call(ROOT, 'POST', `${CLUSTERS}/${id}/force-delete`, reason)
  }
  const first = await create()
  for (const [user, resourceName] of [
    ['by-id', first],
    ['by-name', 'reused'],
  ] as const) {
    const role = {
      metadata: { name: `admin-${user}` },
      rules: [
        {
          apiGroups: ['hyperfleet.io'],
          resources: ['clusters/control-plane'],
          resourceNames: [resourceName],
          verbs: ['admin'],
        },
      ],
    }
    await planes.call(ROOT, 'POST', `${RBAC_PATH}/clusterroles`, role)
    const bound = binding(`admin-${user}`, `admin-${user}`, `${user}@example.com`)
    await planes.call(ROOT, 'POST', `${RBAC_PATH}/clusterrolebindings`, bound)
  }
  const read = (user: string, id: string) =>
    planes.call(
      bearerOf(`${user}@example.com`),
      'GET',
      `/clusters/${id}/control-plane${configMaps()}`,
    )
  for (const user of ['by-id', 'by-name']) await eventually(() => read(user, first), 200)
  await remove(first)
  const second = await create()
  expect(second).not.toBe(first)
  await eventually(() => read('by-name', second), 200)
  expect((await read('by-id', second)).status).toBe(403)
})

test('R32: a user grants only rights that it holds', async () => {
  const bob = bearerOf('bob@example.com')
  const admin = binding('bob', 'admin', 'bob@example.com')
  await planes.call(ROOT, 'POST', one + roleBindings('default'), admin)
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
  const roles = `${one}${RBAC_PATH}/namespaces/default/roles`
  const create = (name: string, more: object[] = []) =>
    planes.call(bob, 'POST', roles, { metadata: { name }, rules: [...rules, ...more] })
  expect((await eventually(() => create('reader'), 201)).status).toBe(201)
  const denied = await create('more', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }])
  expect(denied).toMatchObject({
    status: 403,
    body: {
      message: expect.stringContaining(
        'is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
      ),
    },
  })
  const escalating = binding('root', 'cluster-admin', 'bob@example.com')
  expect((await planes.call(bob, 'POST', one + roleBindings('default'), escalating)).status).toBe(
    403,
  )
})

test('R32: roles and bindings are validated, and roleRef never changes', async () => {
  const roles = `${RBAC_PATH}/clusterroles`
  const invalid = await planes.call(ROOT, 'POST', roles, {
    metadata: { name: 'x' },
    rules: [{ verbs: ['get'] }],
  })
  expect(invalid).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  const path = `${RBAC_PATH}/clusterrolebindings`
  const created = await planes.call(ROOT, 'POST', path, binding('fixed', 'view', 'x'))
  expect(created.body.subjects).toEqual([{ apiGroup: RBAC, kind: 'User', name: 'x' }])
  const changed = { ...created.body, roleRef: { ...created.body.roleRef, name: 'edit' } }
  expect(await planes.call(ROOT, 'PUT', `${path}/fixed`, changed)).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('cannot change roleRef') },
  })
})

test('R32: default roles are listed in every plane, HyperFleet roles in the root plane', async () => {
  const namesIn = async (prefix: string): Promise<string[]> => {
    const { body } = await planes.call(ROOT, 'GET', `${prefix}${RBAC_PATH}/clusterroles`)
    return body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
  }
  expect(await namesIn(one)).toEqual(expect.arrayContaining(['admin', 'cluster-admin', 'view']))
  expect(await namesIn(one)).not.toContain('hyperfleet-reader')
  expect(await namesIn('')).toContain('hyperfleet-reader')
})

test('R32: an aggregated role shows and grants the rules of labelled roles', async () => {
  const roles = `${two}${RBAC_PATH}/clusterroles`
  const rule = { apiGroups: ['kplane.dev'], resources: ['fleets'], verbs: ['get'] }
  const labels = { [`${RBAC}/aggregate-to-view`]: 'true' }
  const created = await planes.call(ROOT, 'POST', roles, {
    metadata: { name: 'fleets', labels },
    rules: [rule],
  })
  expect(created.status).toBe(201)
  const view = await planes.call(ROOT, 'GET', `${roles}/view`)
  expect(view.body.rules).toContainEqual(rule)
  const written = await planes.call(ROOT, 'PUT', `${roles}/view`, view.body)
  expect(written).toMatchObject({ status: 200, body: view.body })
})

test('R32: an apply that creates an object needs the verb create', async () => {
  await planes.call(ROOT, 'POST', `${two}${RBAC_PATH}/namespaces/default/roles`, {
    metadata: { name: 'patcher' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch', 'get'] }],
  })
  await planes.call(ROOT, 'POST', two + roleBindings('default'), {
    ...binding('patcher', 'patcher', 'pat@example.com'),
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'patcher' },
  })
  const pat = bearerOf('pat@example.com')
  const apply = (name: string) =>
    planes.apply(pat, `${two}${configMaps()}/${name}?fieldManager=pat`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { a: 'b' },
    })
  expect(await apply('new')).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('cannot create resource "configmaps"') },
  })
  await planes.call(ROOT, 'POST', two + configMaps(), { metadata: { name: 'old' } })
  expect((await apply('old')).status).toBe(200)
})

test('R34: a caller with permission acts as another user', async () => {
  const who = (as: string) =>
    planes.call(as, 'POST', `${one}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {})
  const as = `${ROOT}\nImpersonate-User: ada@example.com\nImpersonate-Group: dev`
  expect(await who(as)).toMatchObject({
    status: 201,
    body: {
      status: {
        userInfo: { username: 'ada@example.com', groups: ['dev', 'system:authenticated'] },
      },
    },
  })
  const secrets = `${one}/api/v1/namespaces/default/secrets`
  expect((await planes.call(as, 'GET', secrets)).status).toBe(403)
  expect(await who(`${ada}\nImpersonate-User: root@example.com`)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('cannot impersonate resource "users"') },
  })
})

async function tokenOf(prefix: string, account: string): Promise<string> {
  const path = `${prefix}/api/v1/namespaces/default/serviceaccounts/${account}/token`
  const { status, body } = await planes.call(ROOT, 'POST', path, { spec: {} })
  expect(status).toBe(201)
  return `Bearer ${body.status.token}`
}

test("R35: one plane's token is invalid in another", async () => {
  const token = await tokenOf(one, 'default')
  const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  expect(await planes.call(token, 'POST', one + review, {})).toMatchObject({
    status: 201,
    body: { status: { userInfo: { username: 'system:serviceaccount:default:default' } } },
  })
  expect((await planes.call(token, 'POST', two + review, {})).status).toBe(401)
  expect((await planes.call(token, 'POST', review, {})).status).toBe(401)
  expect((await planes.call(token, 'GET', '/api/hyperfleet/v1/clusters')).status).toBe(401)
})

test('R35: a token is invalid after the deletion of its service account', async () => {
  const accounts = `${one}/api/v1/namespaces/default/serviceaccounts`
  await planes.call(ROOT, 'POST', accounts, { metadata: { name: 'robot' } })
  const token = await tokenOf(one, 'robot')
  expect((await planes.call(token, 'GET', `${one}/version`)).status).not.toBe(401)
  await planes.call(ROOT, 'DELETE', `${accounts}/robot`)
  expect((await planes.call(token, 'GET', `${one}/version`)).status).toBe(401)
  await planes.call(ROOT, 'POST', accounts, { metadata: { name: 'robot' } })
  expect((await planes.call(token, 'GET', `${one}/version`)).status).toBe(401)
})

test('R35: reviews and the documents of OpenID verify tokens', async () => {
  const token = await tokenOf(one, 'default')
  const review = await planes.call(
    ROOT,
    'POST',
    `${one}/apis/authentication.k8s.io/v1/tokenreviews`,
    {
      spec: { token: token.slice('Bearer '.length) },
    },
  )
  expect(review.body.status).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:default' },
  })
  expect(await planes.call(token, 'GET', `${one}/openid/v1/jwks`)).toMatchObject({
    status: 200,
    body: { keys: [{ kty: 'EC', alg: 'ES256' }] },
  })
  const { body } = await planes.call(token, 'GET', `${one}/.well-known/openid-configuration`)
  expect(body.issuer).toBe(`https://flotilla.local${one}`)
})

test('R32: reviews of access decide for the plane of the request', async () => {
  const review = (prefix: string) =>
    planes.call(ada, 'POST', `${prefix}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { verb: 'list', resource: 'configmaps', namespace: 'default' } },
    })
  expect((await review(one)).body.status.allowed).toBe(true)
  expect((await review(two)).body.status.allowed).toBe(false)
})

const FLOW_CONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1'
const LEVELS = `${FLOW_CONTROL}/prioritylevelconfigurations`
const SCHEMAS = `${FLOW_CONTROL}/flowschemas`
const JOBS_LEVEL = {
  metadata: { name: 'jobs' },
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 5,
      borrowingLimitPercent: 0,
      limitResponse: { type: 'Reject' },
    },
  },
}
const POLL = { timeout: 60_000 }
/** The creations of config maps by the administrator. */
const JOBS_SCHEMA = {
  metadata: { name: 'jobs' },
  spec: {
    priorityLevelConfiguration: { name: 'jobs' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'root@example.com' } }],
        resourceRules: [
          { verbs: ['create'], apiGroups: [''], resources: ['configmaps'], namespaces: ['*'] },
        ],
      },
    ],
  },
}

/** Begins to create a config map, which has its seats until its body is complete or it is disposed. */
function beginCreation(name: string): Disposable & { finish: () => Promise<number | undefined> } {
  const request = http.request(planes.server.origin + configMaps(), {
    method: 'POST',
    headers: { authorization: ROOT, 'content-type': 'application/json' },
  })
  // Disposal is an error of a request without a response.
  request.on('error', () => undefined)
  request.write('{"metadata":')
  return {
    finish: async () => {
      request.end(JSON.stringify({ name }) + '}')
      const [response]: IncomingMessage[] = await once(request, 'response')
      return response?.resume().statusCode
    },
    [Symbol.dispose]: () => void request.destroy(),
  }
}

/** The seats of the requests of a class; null if the server does not have the class. */
async function seatsOf(requestClass: string): Promise<number | null> {
  const response = await fetch(`${planes.server.metricsOrigin}/metrics`)
  const line = new RegExp(`^flotilla_request_seats\\{class="${requestClass}"\\} (.*)$`, 'm')
  const [, seats = null] = line.exec(await response.text()) ?? []
  return seats === null ? null : Number(seats)
}

test('a level that rejects limits the requests of its flow schema only', async () => {
  expect((await planes.call(ada, 'POST', LEVELS, JOBS_LEVEL)).status).toBe(403)
  expect((await planes.call(ada, 'POST', SCHEMAS, JOBS_SCHEMA)).status).toBe(403)
  expect((await planes.call(ROOT, 'POST', SCHEMAS, JOBS_SCHEMA)).status).toBe(201)
  const dangling = await planes.call(ROOT, 'GET', `${SCHEMAS}/jobs`)
  expect(dangling.body).toMatchObject({
    spec: { matchingPrecedence: 1000 },
    status: { conditions: [{ type: 'Dangling', status: 'True', reason: 'NotFound' }] },
  })
  expect((await planes.call(ROOT, 'POST', LEVELS, JOBS_LEVEL)).status).toBe(201)
  const found = await planes.call(ROOT, 'GET', `${SCHEMAS}/jobs`)
  expect(found.body.status.conditions).toMatchObject([{ type: 'Dangling', status: 'False' }])

  await expect.poll(() => seatsOf('jobs'), POLL).toBe(0)
  using first = beginCreation('first-job')
  await expect.poll(() => seatsOf('jobs'), POLL).toBeGreaterThan(0)
  const second = { metadata: { name: 'second-job' } }
  expect(await planes.call(ROOT, 'POST', configMaps(), second)).toMatchObject({
    status: 429,
    body: { reason: 'TooManyRequests', code: 429 },
  })
  // Those of others, and other requests of the administrator, are decided as before.
  expect((await planes.call(ada, 'POST', configMaps(), second)).status).toBe(403)
  expect((await planes.call(ROOT, 'GET', configMaps())).status).toBe(200)
  expect((await planes.call(ROOT, 'DELETE', `${SCHEMAS}/jobs`)).status).toBe(200)
  const create = async () => (await planes.call(ROOT, 'POST', configMaps(), second)).status
  await expect.poll(create, POLL).toBe(201)
  expect(await first.finish()).toBe(201)
})

test('responses and metrics show the level of the user that a request acts as', async () => {
  const schema = await planes.call(ROOT, 'POST', SCHEMAS, {
    metadata: { name: 'shown' },
    spec: {
      priorityLevelConfiguration: { name: 'shown' },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'noxu' } }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  })
  // A server that has applied the level has applied the earlier flow schema, too.
  const level = await planes.call(ROOT, 'POST', LEVELS, {
    ...JOBS_LEVEL,
    metadata: { name: 'shown' },
  })
  const send = (target: string, headers: Record<string, string>) =>
    fetch(planes.server.origin + target, { headers })
  const seats = async (): Promise<string | undefined> => {
    const response = await send('/metrics', { authorization: ROOT })
    const line = /^apiserver_flowcontrol_nominal_limit_seats\{priority_level="shown"\} (.*)$/m
    return line.exec(await response.text())?.[1]
  }
  // 5 of 138 shares of 133 seats.
  await expect.poll(seats, POLL).toBe('5')
  const shownTo = async (target: string, headers: Record<string, string>) => {
    const { headers: shown } = await send(target, { authorization: ROOT, ...headers })
    const names = ['FlowSchema', 'PriorityLevel']
    return names.map((name) => shown.get(`X-Kubernetes-PF-${name}-UID`))
  }
  const uidOf = async (path: string) =>
    (await planes.call(ROOT, 'GET', path)).body.metadata.uid as string
  expect(await shownTo('/version', { 'Impersonate-User': 'noxu' })).toEqual([
    schema.body.metadata.uid,
    level.body.metadata.uid,
  ])
  const others = [await uidOf(`${SCHEMAS}/catch-all`), await uidOf(`${LEVELS}/users`)]
  expect(await shownTo('/version', { 'Impersonate-User': 'foo' })).toEqual(others)
  expect(await shownTo(configMaps(), {})).toEqual(others)
  expect(await shownTo(`${one}/version`, { 'Impersonate-User': 'noxu' })).toEqual(others)
  expect((await send('/version', { 'Impersonate-User': 'noxu' })).status).toBe(401)
  expect((await send('/metrics', { authorization: ada })).status).toBe(403)
  expect((await send(`${one}/metrics`, { authorization: ROOT })).status).toBe(404)
  for (const path of [`${SCHEMAS}/shown`, `${LEVELS}/shown`]) {
    expect((await planes.call(ROOT, 'DELETE', path)).status).toBe(200)
  }
})

test('every server has flow schemas and levels that cannot be deleted', async () => {
  const levels = await planes.call(ROOT, 'GET', LEVELS)
  const names = levels.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
  expect(names).toEqual(
    expect.arrayContaining(['adapters', 'catch-all', 'controllers', 'exempt', 'tenants', 'users']),
  )
  for (const path of [`${LEVELS}/users`, `${SCHEMAS}/catch-all`]) {
    expect((await planes.call(ROOT, 'DELETE', path)).status).toBe(403)
  }
  expect((await planes.call(ROOT, 'GET', one + SCHEMAS)).status).toBe(404)
})

test('the data of a secret is encrypted in row, outbox and log', async () => {
  const secrets = `${one}/api/v1/namespaces/default/secrets`
  const data = { password: Buffer.from('plaintext-in-the-database').toString('base64') }
  const created = await planes.call(ROOT, 'POST', secrets, {
    metadata: { name: 'hidden', annotations: { copy: JSON.stringify(data) } },
    data,
  })
  expect(created).toMatchObject({ status: 201, body: { data } })
  expect((await planes.call(ROOT, 'GET', `${secrets}/hidden`)).body).toEqual(created.body)
  expect((await planes.call(ROOT, 'GET', secrets)).body.items[0].data).toEqual(data)
  const client = new pg.Client({ connectionString: planes.server.databaseUrl })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  let rows = 0
  let keyIds = 0
  for (const { name } of tables.rows) {
    const found = await client.query<{ content: string }>(
      `select t::text as content from ${name} t`,
    )
    rows += found.rows.length
    keyIds += found.rows.filter(({ content }) => content.includes('flotilla:v1:2026:')).length
    for (const { content } of found.rows) expect(content).not.toContain(data.password)
  }
  await client.end()
  expect(rows).toBeGreaterThan(0)
  expect(keyIds).toBeGreaterThan(1)
})
