import { expect, test } from 'vitest'
import { backupOf, restoreTo } from '../support/memory-backup.ts'
import { TABLES } from '../../src/cmd/tables.ts'
import { callerWith, made, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { readDocsPage } from '../documentation/documentation-pages.ts'
import { query } from '../shards/query.ts'
import { register, SHARD_KEY } from '../shards/shard-servers.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { createTestDatabase } from '../support/test-database.ts'

const OBJECTS = `
  select resource, namespace, name from objects
  where resource in ('configmaps', 'sandboxruntimes.sandbox.flotilla.dev')
  order by name`
const WEBHOOKS = 'select state from webhooks order by url'
const RUNTIME = 'sandboxruntimes.sandbox.flotilla.dev'

/** The statements of the page for copies that other tools make. */
const { text: page } = await readDocsPage('backup')
const [, statements = ''] = /### Separate a copy.*?```sql\n(.*?)```/s.exec(page) ?? []

/** The rows by which a database acts on other systems. */
async function actorsOf(url: string) {
  const objects = await query<Record<'resource' | 'namespace' | 'name', string>>(url, OBJECTS)
  const webhooks = await query<{ state: string }>(url, WEBHOOKS)
  return {
    objects: objects.map(({ resource, namespace, name }) => [resource, namespace, name].join('/')),
    webhooks: webhooks.map(({ state }) => state),
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- the tests look into any JSON
async function create(server: TestServer, path: string, body: object): Promise<any> {
  const response = await fetch(server.origin + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  expect(response.status, text).toBe(201)
  return JSON.parse(text)
}

test('the page contains every statement for copies', () => {
  const inOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim()
  for (const { onCopy } of TABLES) {
    if (onCopy !== undefined) expect(inOneLine(statements)).toContain(`${inOneLine(onCopy)};`)
  }
})

test('a copy does not act for its original', async () => {
  await using source = await createTestDatabase()
  {
    await using server = await startTestServer({ databaseUrl: source.url })
    await create(server, '/api/hyperfleet/v1/webhooks', { url: 'https://hooks.example.com/a' })
    await create(server, '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes', {
      metadata: { name: 'machine' },
      spec: { endpoint: 'unix:/run/original.sock' },
    })
    await create(server, '/api/v1/namespaces/kube-system/configmaps', {
      metadata: { name: 'flotilla-installation' },
    })
    await create(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' } })
  }
  const backup = await backupOf(source.url)
  const all = [
    'configmaps/kube-system/flotilla-installation',
    'configmaps/default/kept',
    `${RUNTIME}//machine`,
  ]
  await using restored = await createTestDatabase('embedded', { template: null })
  await restoreTo(restored.url, backup)
  expect(await actorsOf(restored.url)).toEqual({ objects: all, webhooks: ['active'] })
  await using copy = await createTestDatabase('embedded', { template: null })
  await restoreTo(copy.url, backup, { isCopy: true })
  expect(await actorsOf(copy.url)).toEqual({
    objects: ['configmaps/default/kept'],
    webhooks: ['paused'],
  })
  await query(source.url, statements)
  expect(await actorsOf(source.url)).toEqual(await actorsOf(copy.url))
})

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'

/** A token of the service account `builder`. */
async function newToken(server: TestServer): Promise<string> {
  const { status } = await create(server, `${ACCOUNTS}/builder/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  })
  return status.token
}

async function accepts(server: TestServer, token: string): Promise<boolean> {
  const { status } = await create(server, '/apis/authentication.k8s.io/v1/tokenreviews', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token },
  })
  return status.authenticated === true
}

test('tokens of service accounts are valid only at the copy or only at the original', async () => {
  await using original = await startTestServer()
  await create(original, ACCOUNTS, { metadata: { name: 'builder' } })
  const token = await newToken(original)
  const backup = await backupOf(original.databaseUrl)
  await using database = await createTestDatabase('embedded', { template: null })
  await restoreTo(database.url, backup, { isCopy: true })
  await using copy = await startTestServer({ databaseUrl: database.url })
  expect([await accepts(original, token), await accepts(copy, token)]).toEqual([true, false])
  const ofCopy = await newToken(copy)
  expect([await accepts(original, ofCopy), await accepts(copy, ofCopy)]).toEqual([false, true])
})

/** The rows that lead to other databases, or limit the tenants of this one. */
const SHARD_ROWS = `
  select name from shard union all select name from shards
  union all select tenant from tenant_moves union all select tenant from tenant_shards
  union all select tenant from tenant_states`

test('a copy of a shard belongs to no shard', async () => {
  await using source = await createTestDatabase()
  const { url } = source
  for (const name of ['a', 'b']) await register(url, { name, database: url, servers: [] })
  {
    const SHARD = { SHARD: 'name=a', SHARD_DIRECTORY_URL: url, SHARD_KEY }
    await using server = await startTestServer({
      databaseUrl: url,
      env: { ...TENANT_ENV, ...SHARD },
    })
    await query(url, `update shards set accepts_tenants = false where name = 'b'`)
    await made(callerWith(server, tenantHeaders('acme')), '/clusters', creation('Cluster'))
  }
  await query(
    url,
    `insert into tenant_moves (tenant, source, target, step)
    select tenant, 'a', 'b', 'started' from tenant_states`,
  )
  const backup = await backupOf(url)
  await using copy = await createTestDatabase('embedded', { template: null })
  await restoreTo(copy.url, backup, { isCopy: true })
  expect(await query(copy.url, SHARD_ROWS)).toEqual([])
  // A copy by another tool contains the triggers too, which reject tenants without a state.
  await query(url, statements)
  expect(await query(url, SHARD_ROWS)).toEqual([])
  await using server = await startTestServer({ databaseUrl: url, env: TENANT_ENV })
  for (const tenant of ['acme', 'umbrella']) {
    await made(callerWith(server, tenantHeaders(tenant)), '/clusters', creation('Cluster'))
  }
})

test('a backup without shards replaces a shard, whose tenants then write again', async () => {
  await using plain = await createTestDatabase()
  const [backup, caller] = [await backupOf(plain.url), tenantHeaders('acme')] as const
  await using target = await createTestDatabase()
  const { url } = target
  await register(url, { name: 'a', database: url, servers: [] })
  const env = { ...TENANT_ENV, SHARD: 'name=a', SHARD_DIRECTORY_URL: url, SHARD_KEY }
  {
    await using server = await startTestServer({ databaseUrl: url, env })
    await made(callerWith(server, caller), '/clusters', creation('Cluster'))
  }
  const ofShard = await backupOf(url)
  await restoreTo(url, ofShard, { replace: true })
  const fences = `select count(*)::integer as count from pg_trigger where tgname like 'fence_%'`
  expect(await query(url, fences)).not.toEqual([{ count: 0 }])
  await restoreTo(url, backup, { replace: true })
  expect(await query(url, fences)).toEqual([{ count: 0 }])
  await using server = await startTestServer({ databaseUrl: url, env: TENANT_ENV })
  await made(callerWith(server, caller), '/clusters', creation('Cluster'))
})
