import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RESOURCE_LIST } from '../../src/planes/delegation/fixtures.ts'
import { serveHttp, serveHttps } from '../../src/http/egress/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { testCertificates } from '../drivers/support/test-certificates.ts'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from './identities.ts'

let planes: PlaneServer

beforeAll(async () => {
  planes = await startPlaneServer({ WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1,127.0.0.1' })
})
afterAll(() => planes[Symbol.asyncDispose]())

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** Delegates a group to a new server. Returns the requests that it receives for objects. */
async function delegate(group: string, to = planes): Promise<readonly Received[]> {
  const received: Received[] = []
  const url = await serveHttp((request, response) => {
    const { method, headers } = request
    response.setHeader('Content-Type', 'application/json')
    if (request.url === `/apis/${group}/v1`) {
      response.end(JSON.stringify({ ...RESOURCE_LIST, groupVersion: `${group}/v1` }))
      return
    }
    if (request.url === '/openapi/v3') {
      response.end(JSON.stringify({ paths: { [`apis/${group}/v1`]: {} } }))
      return
    }
    received.push({ method, url: request.url, headers })
    if (request.url?.includes('watch=')) response.write('{"type":"ADDED"}\n')
    else response.end(JSON.stringify({ kind: 'WidgetList', path: request.url }))
  })
  const body = {
    metadata: { name: `v1.${group}`, annotations: { 'flotilla.dev/url': url } },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: 'a', name: 'b' },
    },
  }
  expect((await to.call(ROOT, 'POST', SERVICES, body)).status).toBe(201)
  await expect
    .poll(() => to.call(ROOT, 'GET', `/apis/${group}/v1`))
    .toMatchObject({ status: 200, body: { resources: [{ name: 'widgets' }, {}, {}] } })
  return received
}

const USER = bearerOf('user@example.com')

/** Sends a request target as it is, which `fetch` would normalize. */
async function sendRaw(
  path: string,
  authorization = ROOT,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const { hostname, port } = new URL(planes.server.origin)
  const outgoing = request({ hostname, port, path, headers: { authorization } }).end()
  const [answer]: IncomingMessage[] = await once(outgoing, 'response')
  const { statusCode: status } = must(answer, 'a response')
  return { status, body: await text(must(answer, 'a response')) }
}

/** Lets the user do everything with widgets of a group in one namespace, or with the named ones. */
async function grantInNamespace(
  namespace: string,
  group: string,
  resourceNames?: readonly string[],
): Promise<void> {
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
  await planes.call(ROOT, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  const rules = [
    { apiGroups: [group], resources: ['*'], verbs: ['*'], ...(resourceNames && { resourceNames }) },
  ]
  const role = await planes.call(ROOT, 'POST', `${roles}/roles`, {
    metadata: { name: group },
    rules,
  })
  expect(role.status).toBe(201)
  const binding = await planes.call(ROOT, 'POST', `${roles}/rolebindings`, {
    metadata: { name: group },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: group },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'user@example.com' }],
  })
  expect(binding.status).toBe(201)
}

test('R37: a group version of another server is served with the identity of the user', async () => {
  const received = await delegate('one.example.com')
  const path = '/apis/one.example.com/v1/namespaces/default/widgets'
  const answer = await planes.call(ROOT, 'GET', `${path}?limit=2`)
  expect(answer).toEqual({ status: 200, body: { kind: 'WidgetList', path: `${path}?limit=2` } })
  const { headers } = must(received.at(-1), 'a request')
  expect(headers['x-remote-user']).toBe('root@example.com')
  expect(headers['x-remote-group']).toContain('system:authenticated')
  expect(headers.authorization).toBeUndefined()
})

test('R37: users need permission for delegated resources', async () => {
  const received = await delegate('two.example.com')
  const denied = await planes.call(
    bearerOf('jane@example.com'),
    'GET',
    '/apis/two.example.com/v1/widgets',
  )
  expect(denied).toMatchObject({ status: 403, body: { kind: 'Status', reason: 'Forbidden' } })
  expect(received).toEqual([])
})

const AMBIGUOUS = [
  '..',
  '.',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '%2e',
  '%252e%252e',
  '%25252e%25252e',
  '..;',
  '..;a=b',
  '%2e%2e%3b',
  '..%3f',
  '.%2e%23a',
  '..%253fa',
  '..\\..',
  '..%5c..',
  '\\',
  'a%5Cb',
  'a%2fb',
  'a%2Fb',
  'a%252fb',
  '..%2f..',
]

test.each(AMBIGUOUS)('R37: a path with the segment %s is rejected', async (segment) => {
  const paths = ['/apis/g.example.com/v1/namespaces/mine/widgets', '/api/v1/namespaces', '/apis']
  for (const path of paths) {
    const { status, body } = await sendRaw(`${path}/${segment}/widgets`)
    expect([path, status]).toEqual([path, 400])
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 })
  }
})

test('R37: a role in a namespace gives no access to another one', async () => {
  const received = await delegate('six.example.com')
  await grantInNamespace('mine', 'six.example.com')
  const own = '/apis/six.example.com/v1/namespaces/mine/widgets'
  expect(await sendRaw(`${own}/a..b`, USER)).toMatchObject({ status: 200 })
  expect(received.map(({ url }) => url)).toEqual([`${own}/a..b`])
  const attacks = AMBIGUOUS.map((segment) => `${own}/${segment}/${segment}/other/widgets`)
  // A fragment must not turn backslashes into slashes of the authorized path.
  const fragments = ['a\\b#', 'a\\..\\..\\other#b'].map((segment) => `${own}/${segment}`)
  const absolute = `${planes.server.origin}\\apis${own.slice('/apis'.length)}`
  for (const path of [
    ...attacks,
    ...fragments,
    absolute,
    `${own}//a`,
    `${own}/a//`,
    `${own}/a/../../../other/widgets`,
  ]) {
    expect([path, (await sendRaw(path, USER)).status]).toEqual([path, 400])
  }
  expect(received).toHaveLength(1)
})

test('R37: requests in absolute form and with fragments have the authorized path', async () => {
  const received = await delegate('seven.example.com')
  const path = '/apis/seven.example.com/v1/widgets'
  const { origin } = planes.server
  for (const target of [`${origin}${path}?a=1`, `${path}?a=1?b=2`, `${path}?a=1#b`, `${path}#b`]) {
    expect([target, (await sendRaw(target)).status]).toEqual([target, 200])
  }
  expect(received.map(({ url }) => url)).toEqual([
    `${path}?a=1`,
    `${path}?a=1?b=2`,
    `${path}?a=1%23b`,
    path,
  ])
})

test('R37: a role for one object allows no list with several field selectors', async () => {
  const received = await delegate('eight.example.com')
  await grantInNamespace('mine', 'eight.example.com', ['a'])
  const path = '/apis/eight.example.com/v1/namespaces/mine/widgets?fieldSelector=metadata.name%3Da'
  expect(await sendRaw(path, USER)).toMatchObject({ status: 200 })
  expect(await sendRaw(`${path}&fieldSelector=`, USER)).toMatchObject({ status: 403 })
  expect(received).toHaveLength(1)
})

test('R37: only a server whose certificate the authority has signed is used', async () => {
  const { ca, cert, key } = await testCertificates('private')
  const { ca: other } = await testCertificates('private')
  const { port } = await serveHttps(
    ({ url = '' }, response) => {
      const [, , group = ''] = url.split('/')
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ ...RESOURCE_LIST, groupVersion: `${group}/v1` }))
    },
    { cert: cert.toString(), key: key.toString() },
  )
  const answersWith = async (group: string, authority: string) => {
    const body = {
      metadata: {
        name: `v1.${group}`,
        annotations: { 'flotilla.dev/url': `https://127.0.0.1:${port}` },
      },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        caBundle: Buffer.from(authority).toString('base64'),
      },
    }
    expect((await planes.call(ROOT, 'POST', SERVICES, body)).status).toBe(201)
    return planes.call(ROOT, 'GET', `/apis/${group}/v1/widgets`)
  }
  expect(await answersWith('private.example.com', ca.toString())).toMatchObject({
    status: 200,
    body: { kind: 'APIResourceList' },
  })
  expect(await answersWith('other.example.com', other.toString())).toMatchObject({ status: 503 })
})

test('R37: an address that is not http or https is rejected', async () => {
  const body = {
    metadata: { name: 'v1.file.example.com', annotations: { 'flotilla.dev/url': 'file:///a' } },
    spec: {
      group: 'file.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
    },
  }
  const { status, body: answer } = await planes.call(ROOT, 'POST', SERVICES, body)
  expect(status).toBe(422)
  expect(answer.details.causes).toMatchObject([{ field: 'metadata.annotations[flotilla.dev/url]' }])
})

test('R37: a watch is streamed through the server', async () => {
  await delegate('three.example.com')
  const aborted = new AbortController()
  const url = `${planes.server.origin}/apis/three.example.com/v1/widgets?watch=true`
  const answer = await fetch(url, { headers: { authorization: ROOT }, signal: aborted.signal })
  const { value } = await must(answer.body, 'a body').getReader().read()
  expect(Buffer.from(value ?? []).toString()).toBe('{"type":"ADDED"}\n')
  const ended = once(aborted.signal, 'abort')
  aborted.abort()
  await ended
})

test('R37: discovery and OpenAPI list the group', async () => {
  await delegate('four.example.com')
  const groups = await planes.call(ROOT, 'GET', '/apis')
  expect(groups.body.groups).toContainEqual(
    expect.objectContaining({
      name: 'four.example.com',
      preferredVersion: { groupVersion: 'four.example.com/v1', version: 'v1' },
    }),
  )
  const index = await planes.call(ROOT, 'GET', '/openapi/v3')
  expect(index.body.paths['apis/four.example.com/v1'].serverRelativeURL).toContain('?hash=')
})

test('R37: an unavailable server affects its own group only', async () => {
  const group = 'down.example.com'
  const body = {
    metadata: { name: `v1.${group}`, annotations: { 'flotilla.dev/url': 'http://127.0.0.1:1' } },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: 'a', name: 'b' },
    },
  }
  await planes.call(ROOT, 'POST', SERVICES, body)
  await expect
    .poll(() => planes.call(ROOT, 'GET', `/apis/${group}/v1/widgets`))
    .toMatchObject({ status: 503, body: { kind: 'Status', reason: 'ServiceUnavailable' } })
  expect((await planes.call(ROOT, 'GET', '/api/v1/namespaces')).status).toBe(200)
  expect((await planes.call(ROOT, 'GET', '/apis')).status).toBe(200)
})

test('R37: local group versions have APIServices and cannot be delegated', async () => {
  const local = await planes.call(ROOT, 'GET', `${SERVICES}/v1.coordination.k8s.io`)
  expect(local.body.status.conditions).toMatchObject([{ type: 'Available', reason: 'Local' }])
  const path = `${SERVICES}/v1.coordination.k8s.io`
  const annotations = { 'flotilla.dev/url': 'http://127.0.0.1:1' }
  const metadata = { ...local.body.metadata, annotations }
  const changed = await planes.call(ROOT, 'PUT', path, { ...local.body, metadata })
  expect(changed.status).toBe(200)
  expect((await planes.call(ROOT, 'GET', '/apis/coordination.k8s.io/v1/leases')).status).toBe(200)
})

test('R37: a shutdown ends delegated watches instead of waiting for them', async () => {
  const own = await startPlaneServer({
    WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1',
    // Longer than the timeout of a test, which fails if the shutdown waits.
    SHUTDOWN_TIMEOUT_MS: '120000',
  })
  await delegate('five.example.com', own)
  const url = `${own.server.origin}/apis/five.example.com/v1/widgets?watch=true`
  const watch = await fetch(url, { headers: { authorization: ROOT } })
  const ended = watch.text().then(
    () => 'complete',
    () => 'broken off',
  )
  await own[Symbol.asyncDispose]()
  expect(await ended).toBe('broken off')
})
