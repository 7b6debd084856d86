import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patchReply, serveWebhook } from '../../src/planes/admission/fixtures.ts'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  const env = { WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1', LOG_LEVEL: 'fatal' }
  server = await startTestServer({ env })
})
afterAll(() => server[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(server.origin + path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: {
        'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
    }),
  })
  return {
    status: response.status,
    warning: response.headers.get('warning'),
    body: JSON.parse(await response.text()),
  }
}

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1'

/** Creates a namespace for a test, with the label `test`. */
async function namespace(name: string): Promise<string> {
  const metadata = { name, labels: { test: name } }
  expect((await call('POST', '/api/v1/namespaces', { metadata })).status).toBe(201)
  return `/api/v1/namespaces/${name}/configmaps`
}

const RULE = {
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
}

function configuration(name: string, url: string, members: JsonObject = {}): JsonObject {
  const webhook = {
    name: `${name}.example.com`,
    clientConfig: { url },
    rules: [RULE],
    namespaceSelector: { matchLabels: { test: name } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...members,
  }
  return { metadata: { name }, webhooks: [webhook] }
}

describe('admission in a plane', () => {
  test('R31: mutating webhooks change objects and validating ones see the result', async () => {
    const maps = await namespace('mutated')
    const mutating = await serveWebhook(() => ({
      ...patchReply([{ op: 'add', path: '/metadata/labels', value: { injected: 'yes' } }]),
      warnings: ['changed'],
    }))
    const validating = await serveWebhook((request) => {
      const object = JSON.parse(JSON.stringify(request['object']))
      const isAllowed = object.data?.key !== 'bad'
      return { allowed: isAllowed, warnings: ['noted'], status: { code: 403, message: 'bad key' } }
    })
    for (const [kind, { url }] of Object.entries({ mutating, validating })) {
      const created = await call(
        'POST',
        `${REGISTRATION}/${kind}webhookconfigurations`,
        configuration('mutated', url),
      )
      expect(created.status).toBe(201)
    }
    await expect
      .poll(() => call('POST', `${maps}?dryRun=All`, { metadata: { name: 'probe' } }))
      .toMatchObject({ body: { metadata: { labels: { injected: 'yes' } } } })
    const created = await call('POST', maps, { metadata: { name: 'a' }, data: { key: 'good' } })
    expect(created).toMatchObject({ status: 201, warning: expect.stringContaining('noted') })
    expect(validating.requests.at(-1)).toMatchObject({
      operation: 'CREATE',
      object: { metadata: { name: 'a', labels: { injected: 'yes' } } },
    })
    const denied = await call('PATCH', `${maps}/a`, { data: { key: 'bad' } })
    expect(denied).toMatchObject({
      status: 403,
      warning: expect.stringContaining('changed'),
      body: {
        kind: 'Status',
        message: 'admission webhook "mutated.example.com" denied the request: bad key',
      },
    })
    expect((await call('GET', `${maps}/a`)).body.data).toEqual({ key: 'good' })
  })

  test('R31: a webhook on a host that is not allowed fails closed', async () => {
    const maps = await namespace('blocked')
    const body = configuration('blocked', 'https://169.254.169.254/latest')
    await call('POST', `${REGISTRATION}/validatingwebhookconfigurations`, body)
    await expect
      .poll(() => call('POST', `${maps}?dryRun=All`, { metadata: { name: 'a' } }))
      .toMatchObject({
        status: 500,
        body: {
          reason: 'InternalError',
          message: expect.stringContaining('169.254.169.254 is not listed'),
        },
      })
    const removed = await call('DELETE', `${REGISTRATION}/validatingwebhookconfigurations/blocked`)
    expect(removed.status).toBe(200)
    await expect
      .poll(() => call('POST', maps, { metadata: { name: 'a' } }))
      .toMatchObject({ status: 201 })
  })

  test('R31: a policy in CEL denies requests, and invalid expressions are 422', async () => {
    const maps = await namespace('governed')
    const spec = {
      matchConstraints: { resourceRules: [RULE] },
      validations: [
        { expression: 'object.metadata.name.startsWith("ok-")', message: 'names begin with ok-' },
      ],
    }
    const policies = `${REGISTRATION}/validatingadmissionpolicies`
    const invalid = { ...spec, validations: [{ expression: 'object.' }] }
    const rejected = await call('POST', policies, { metadata: { name: 'bad' }, spec: invalid })
    expect(rejected).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
    expect(rejected.body.details.causes[0].field).toBe('spec.validations[0].expression')
    expect((await call('POST', policies, { metadata: { name: 'names' }, spec })).status).toBe(201)
    const binding = {
      metadata: { name: 'names' },
      spec: {
        policyName: 'names',
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: { matchLabels: { test: 'governed' } } },
      },
    }
    await call('POST', policies.replace('policies', 'policybindings'), binding)
    await expect
      .poll(() => call('POST', `${maps}?dryRun=All`, { metadata: { name: 'bad' } }))
      .toMatchObject({
        status: 422,
        body: {
          message: `configmaps "bad" is forbidden: ValidatingAdmissionPolicy 'names' with binding 'names' denied request: names begin with ok-`,
        },
      })
    expect((await call('POST', maps, { metadata: { name: 'ok-a' } })).status).toBe(201)
  })

  test('R31: concurrent creations stay within a quota, whose status has the counts', async () => {
    const maps = await namespace('limited')
    const quotas = maps.replace('configmaps', 'resourcequotas')
    const quota = { metadata: { name: 'objects' }, spec: { hard: { 'count/configmaps': '5' } } }
    expect((await call('POST', quotas, quota)).status).toBe(201)
    let created: string[] = []
    // The first object shows when the quota is in effect.
    await expect
      .poll(async () => {
        const names = Array.from({ length: 6 }, (_, index) => `probe-${index}`)
        const tries = names.map((name) => call('POST', maps, { metadata: { name } }))
        const statuses = (await Promise.all(tries)).map(({ status }) => status)
        if (!statuses.includes(403)) await call('DELETE', maps)
        created = names.filter((_, index) => statuses[index] === 201)
        return created.length
      })
      .toBe(5)
    const exceeded = await call('POST', maps, { metadata: { name: 'one-more' } })
    expect(exceeded).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message:
          'configmaps "one-more" is forbidden: exceeded quota: objects, requested: count/configmaps=1, used: count/configmaps=5, limited: count/configmaps=5',
      },
    })
    expect((await call('GET', `${quotas}/objects`)).body.status).toEqual({
      hard: { 'count/configmaps': '5' },
      used: { 'count/configmaps': '5' },
    })
    expect((await call('DELETE', `${maps}/${created[0]}`)).status).toBe(200)
    const raced = await Promise.all(
      ['x', 'y', 'z'].map((name) => call('POST', maps, { metadata: { name } })),
    )
    const statuses = raced.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, 403, 403])
  })

  test('R29: the namespaces that a plane needs may not be deleted', async () => {
    expect(await call('DELETE', '/api/v1/namespaces/default')).toMatchObject({
      status: 403,
      body: { message: 'namespaces "default" is forbidden: this namespace may not be deleted' },
    })
  })

  test('R31: webhooks of one plane are not called for another', async () => {
    const { url, requests } = await serveWebhook(() => ({ allowed: false }))
    const body = configuration('elsewhere', url, { namespaceSelector: {} })
    const { body: cluster } = await server.post('/clusters', creation('Cluster'))
    const plane = `/clusters/${cluster.id}/control-plane`
    await call('POST', `${plane}${REGISTRATION}/validatingwebhookconfigurations`, body)
    const maps = '/api/v1/namespaces/default/configmaps'
    await expect
      .poll(() => call('POST', plane + maps, { metadata: { name: 'a' } }))
      .toMatchObject({ status: 400 })
    const before = requests.length
    expect((await call('POST', maps, { metadata: { name: 'b' } })).status).toBe(201)
    expect(requests.length).toBe(before)
  })
})
