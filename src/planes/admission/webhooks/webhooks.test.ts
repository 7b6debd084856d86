import pino from 'pino'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import { serveHttp, testEgress } from '../../../http/egress/fixtures.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../../model/admission.ts'
import type { ApiObject } from '../../model/api-object.ts'
import {
  configMap,
  configurationsWith,
  patchReply,
  requestWith,
  serveWebhook,
  typeOf,
} from '../fixtures.ts'
import { createWebhookClient } from '../webhook-client.ts'
import type { WebhookDependencies } from './call-webhook.ts'
import { mutatingWebhooks } from './mutating-webhooks.ts'
import { validatingWebhooks } from './validating-webhooks.ts'

const ALL = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }
const ALLOW = { allowed: true }

/** A webhook configuration whose only webhook has the name of the configuration. */
function hook(name: string, url: string, members: JsonObject = {}): ApiObject {
  const webhook = { name, clientConfig: { url }, rules: [ALL], sideEffects: 'None', ...members }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'WebhookConfiguration',
    metadata: { name },
    webhooks: [webhook],
  }
}

function dependenciesOf(kind: string, hooks: readonly ApiObject[]): WebhookDependencies {
  const resource = `${kind}webhookconfigurations.admissionregistration.k8s.io`
  return {
    configurations: configurationsWith({ [resource]: hooks }),
    client: createWebhookClient({ egress: testEgress() }),
    compile: (text) => ({
      evaluate: async ({ request }) => {
        if (text === 'fail') throw new Error('no such key: x')
        return request['operation'] === text
      },
    }),
    authorizer: { authorize: async () => ({ allowed: true, reason: '' }) },
    readNamespace: async (_plane, name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { team: name } },
    }),
    convert: async ({ group }, object, version) => ({
      ...object,
      apiVersion: `${group}/${version}`,
    }),
    log: pino({ level: 'silent' }),
  }
}

const validating = (...hooks: readonly ApiObject[]): AdmissionPlugin =>
  validatingWebhooks(dependenciesOf('validating', hooks))
const mutating = (...hooks: readonly ApiObject[]): AdmissionPlugin =>
  mutatingWebhooks(dependenciesOf('mutating', hooks))

function mutate(plugin: AdmissionPlugin, request = requestWith()): Promise<ApiObject> {
  const { object } = request
  if (!plugin.mutate || object === null) throw new Error('nothing to mutate')
  return plugin.mutate({ ...request, object })
}

async function failureOf(promise: Promise<unknown> | undefined): Promise<KubeError> {
  const error: unknown = await promise?.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof KubeError) return error
  throw new Error(`expected a KubeError, found ${String(error)}`)
}

const append = (letter: string) => (request: JsonObject) => {
  const object = JSON.parse(JSON.stringify(request['object']))
  const trace = `${object.data?.trace ?? ''}${letter}`
  return patchReply([{ op: 'add', path: '/data/trace', value: trace }])
}

describe('validating webhooks', () => {
  test('R31: a webhook receives the review of the request', async () => {
    const { url, requests } = await serveWebhook(() => ALLOW)
    await validating(hook('a', url)).validate?.(requestWith({ dryRun: true }))
    expect(requests).toEqual([
      {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'a',
        namespace: 'ns',
        operation: 'CREATE',
        userInfo: { username: 'jane', groups: ['devs'] },
        dryRun: true,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
        object: configMap(),
        oldObject: null,
      },
    ])
  })

  test('R31: a denial has the Status of the webhook', async () => {
    const status = { code: 403, reason: 'Forbidden', message: 'not on Fridays' }
    const { url } = await serveWebhook(() => ({ allowed: false, status }))
    const error = await failureOf(validating(hook('a.example.com', url)).validate?.(requestWith()))
    expect(error).toMatchObject({
      code: 403,
      statusReason: 'Forbidden',
      message: 'admission webhook "a.example.com" denied the request: not on Fridays',
    })
  })

  test.each([
    [{}, 400, 'denied the request without explanation'],
    [{ status: { code: 200, reason: 'Odd' } }, 400, 'denied the request: Odd'],
    [{ status: { code: 1e9, message: 'm' } }, 400, 'denied the request: m'],
  ])('R31: a denial with %j has the code %i', async (reply, code, message) => {
    const { url } = await serveWebhook(() => ({ allowed: false, ...reply }))
    const error = await failureOf(validating(hook('a', url)).validate?.(requestWith()))
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
  })

  test('R31: webhooks run in parallel, and the first one in order decides', async () => {
    let waiting = 0
    const release: (() => void)[] = []
    const origin = await serveHttp((incoming, response) => {
      let body = ''
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
      incoming.on('end', () => {
        const { uid } = JSON.parse(body).request
        const message = incoming.url?.slice(1, 2) ?? ''
        const status = { message }
        const review = { uid, allowed: false, status }
        release.push(() => {
          response.end(
            JSON.stringify({
              kind: 'AdmissionReview',
              apiVersion: 'admission.k8s.io/v1',
              response: review,
            }),
          )
        })
        waiting += 1
        // Responds only when both calls wait, the last one first.
        if (waiting === 2) for (const answer of release.toReversed()) answer()
      })
    })
    const plugin = validating(hook('b', `${origin}/b`), hook('a', `${origin}/a`))
    const error = await failureOf(plugin.validate?.(requestWith()))
    expect(error.message).toBe('admission webhook "a" denied the request: a')
  })

  test('R31: a failed call is 500 with failurePolicy Fail and ignored with Ignore', async () => {
    const url = 'http://127.0.0.1:1/'
    const error = await failureOf(validating(hook('a', url)).validate?.(requestWith()))
    expect(error).toMatchObject({ code: 500, statusReason: 'InternalError' })
    expect(error.message).toMatch(
      /^Internal error occurred: failed calling webhook "a": failed to call webhook: Post "http:\/\/127.0.0.1:1\/\?timeout=10s": /,
    )
    const open = hook('a', url, { failurePolicy: 'Ignore' })
    await validating(open).validate?.(requestWith())
  })

  test('R31: timeoutSeconds ends a call', async () => {
    const url = await serveHttp(() => undefined)
    const plugin = validating(hook('a', url, { timeoutSeconds: 1 }))
    const error = await failureOf(plugin.validate?.(requestWith()))
    expect(error.message).toContain('no response within 1000 ms')
  })

  test.each([
    [{ uid: 'other', allowed: true }, 'expected response.uid='],
    [{ allowed: true, patch: 'AA==' }, 'patchType other than JSONPatch'],
  ])('R31: the response %j is invalid', async (reply, problem) => {
    const { url } = await serveWebhook(() => reply)
    const error = await failureOf(validating(hook('a', url)).validate?.(requestWith()))
    expect(error.message).toContain(problem)
  })

  test('R31: warnings of a webhook are sent with the response', async () => {
    const warnings: string[] = []
    const { url } = await serveWebhook(() => ({ allowed: true, warnings: ['careful', 5] }))
    const warn = (text: string): void => void warnings.push(text)
    await validating(hook('a', url)).validate?.(requestWith({ warn }))
    expect(warnings).toEqual(['careful'])
  })

  test('R31: a dry run never calls a webhook with side effects', async () => {
    const { url, requests } = await serveWebhook(() => ALLOW)
    const plugin = validating(hook('a', url, { sideEffects: 'Some' }))
    const error = await failureOf(plugin.validate?.(requestWith({ dryRun: true })))
    expect(error).toMatchObject({
      code: 400,
      message: 'admission webhook "a" does not support dry run',
    })
    expect(requests).toEqual([])
  })

  const rule = (members: JsonObject): JsonObject => ({ rules: [{ ...ALL, ...members }] })
  const labelled = { object: configMap({}, { labels: { a: 'b' } }) }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } }
  const ofNamespace = {
    type: typeOf('', 'Namespace', { namespaced: false }),
    namespace: '',
    name: 'n',
    object: namespace,
  }
  test.each<[JsonObject, Partial<AdmissionRequest>, boolean]>([
    [rule({ operations: ['UPDATE'] }), {}, false],
    [rule({ operations: ['CREATE', 'UPDATE'] }), {}, true],
    [rule({ apiGroups: ['apps'] }), {}, false],
    [rule({ apiGroups: [''] }), {}, true],
    [rule({ resources: ['configmaps'] }), {}, true],
    [rule({ resources: ['configmaps'] }), { subresource: 'status' }, false],
    [rule({ resources: ['configmaps/status'] }), { subresource: 'status' }, true],
    [rule({ resources: ['configmaps/*'] }), { subresource: 'status' }, true],
    [rule({ resources: ['*'] }), { subresource: 'status' }, false],
    [rule({ resources: ['*/status'] }), {}, false],
    [rule({ scope: 'Cluster' }), {}, false],
    [rule({ scope: 'Namespaced' }), {}, true],
    [rule({ scope: 'Cluster' }), ofNamespace, true],
    [rule({ scope: 'Namespaced' }), ofNamespace, false],
    [{ objectSelector: { matchLabels: { a: 'b' } } }, {}, false],
    [{ objectSelector: { matchLabels: { a: 'b' } } }, labelled, true],
    [{ objectSelector: { matchLabels: { a: 'b' } } }, { oldObject: labelled.object }, true],
    [{ namespaceSelector: { matchLabels: { team: 'ns' } } }, {}, true],
    [{ namespaceSelector: { matchLabels: { team: 'other' } } }, {}, false],
    [{ namespaceSelector: { matchLabels: { team: 'other' } } }, { namespace: '' }, true],
    [{ namespaceSelector: { matchLabels: { team: 'n' } } }, ofNamespace, false],
    [{ matchConditions: [{ name: 'c', expression: 'CREATE' }] }, {}, true],
    [{ matchConditions: [{ name: 'c', expression: 'DELETE' }] }, {}, false],
    [
      {
        matchConditions: [
          { name: 'c', expression: 'fail' },
          { name: 'd', expression: 'DELETE' },
        ],
      },
      {},
      false,
    ],
    [{ matchConditions: [{ name: 'c', expression: 'fail' }], failurePolicy: 'Ignore' }, {}, false],
  ])('R31: whether %j is called for %j: %s', async (members, request, isCalled) => {
    const { url, requests } = await serveWebhook(() => ALLOW)
    await validating(hook('a', url, members)).validate?.(requestWith(request))
    expect(requests.length).toBe(isCalled ? 1 : 0)
  })

  test('R31: a failing match condition is 500 with failurePolicy Fail', async () => {
    const matchConditions = [{ name: 'c', expression: 'fail' }]
    const plugin = validating(hook('a', 'http://127.0.0.1:1', { matchConditions }))
    const error = await failureOf(plugin.validate?.(requestWith()))
    expect(error.message).toContain("match condition 'c': no such key: x")
  })

  test('R31: matchPolicy Equivalent converts to the version of the rule', async () => {
    const { url, requests } = await serveWebhook(() => ALLOW)
    const type = typeOf('example.com', 'Thing', { versions: ['v2', 'v1'] })
    const object = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'a' } }
    const request = requestWith({ type, version: 'v2', object })
    const rules = [{ ...ALL, apiVersions: ['v1'] }]
    await validating(hook('a', url, { rules, matchPolicy: 'Exact' })).validate?.(request)
    expect(requests).toEqual([])
    await validating(hook('a', url, { rules })).validate?.(request)
    expect(requests).toMatchObject([
      {
        kind: { version: 'v1' },
        requestKind: { version: 'v2' },
        object: { apiVersion: 'example.com/v1' },
      },
    ])
  })

  test('R31: configurations of admission are exempt', async () => {
    const { url, requests } = await serveWebhook(() => ({ allowed: false }))
    const type = typeOf('admissionregistration.k8s.io', 'ValidatingWebhookConfiguration')
    await validating(hook('a', url)).validate?.(requestWith({ type }))
    expect(requests).toEqual([])
  })
})

describe('mutating webhooks', () => {
  test('R31: webhooks change the object in the order of their configurations', async () => {
    const [a, b] = [await serveWebhook(append('a')), await serveWebhook(append('b'))]
    const object = await mutate(mutating(hook('b', b.url), hook('a', a.url)))
    expect(object).toEqual(configMap({ trace: 'ab' }))
  })

  test('R31: IfNeeded repeats a webhook once if a later one changes the object', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' }
    const [a, b] = [await serveWebhook(append('a')), await serveWebhook(append('b'))]
    const plugin = mutating(hook('a', a.url, again), hook('b', b.url, again))
    expect(await mutate(plugin)).toEqual(configMap({ trace: 'aba' }))
  })

  test('R31: IfNeeded does not repeat a webhook if later ones change nothing', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' }
    const [a, b] = [await serveWebhook(append('a')), await serveWebhook(() => ALLOW)]
    const plugin = mutating(hook('a', a.url, again), hook('b', b.url))
    expect(await mutate(plugin)).toEqual(configMap({ trace: 'a' }))
  })

  test('R31: a patch cannot change the identity of an object or pollute prototypes', async () => {
    const { url } = await serveWebhook(() =>
      patchReply([
        { op: 'add', path: '/metadata/name', value: 'other' },
        { op: 'add', path: '/metadata/namespace', value: 'kube-system' },
        { op: 'add', path: '/metadata/uid', value: 'x' },
        { op: 'add', path: '/apiVersion', value: 'v9' },
        { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
        { op: 'add', path: '/data/__proto__', value: { polluted: 'yes' } },
      ]),
    )
    const object = await mutate(mutating(hook('a', url)))
    expect(object.metadata).toEqual({ name: 'a', labels: { a: 'b' } })
    expect(object.apiVersion).toBe('v1')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test.each([
    [[{ op: 'remove', path: '/data/missing' }]],
    [[{ op: 'replace', path: '', value: {} }]],
    [[{ op: 'remove', path: '/metadata' }]],
    [[{ op: 'nonsense', path: '/data' }]],
    [[{ op: 'test', path: '/data', value: 'x' }]],
  ])('R31: a patch that does not fit is 500: %j', async (operations) => {
    const { url } = await serveWebhook(() => patchReply(operations))
    expect(await failureOf(mutate(mutating(hook('a', url))))).toMatchObject({ code: 500 })
  })

  test('R31: a webhook denies a deletion, and cannot change it', async () => {
    const request = requestWith({ operation: 'DELETE', object: null, oldObject: configMap() })
    const denying = await serveWebhook(() => ({ allowed: false }))
    const denied = await failureOf(mutating(hook('a', denying.url)).validate?.(request))
    expect(denied.message).toContain('denied the request')
    const changing = await serveWebhook(() => patchReply([{ op: 'remove', path: '/data' }]))
    const failed = await failureOf(mutating(hook('a', changing.url)).validate?.(request))
    expect(failed.message).toContain('attempted to modify the object')
  })

  test('R31: a patch in another version is converted back', async () => {
    const { url } = await serveWebhook(() =>
      patchReply([{ op: 'add', path: '/spec', value: { size: 1 } }]),
    )
    const type = typeOf('example.com', 'Thing', { versions: ['v2', 'v1'] })
    const object = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 'a' } }
    const rules = [{ ...ALL, apiVersions: ['v1'] }]
    const request = requestWith({ type, version: 'v2', object })
    expect(await mutate(mutating(hook('a', url, { rules })), request)).toEqual({
      ...object,
      spec: { size: 1 },
    })
  })
})

test('R31: many validating webhooks of a request are called in groups', async () => {
  let open = 0
  let most = 0
  const { url } = await serveWebhook(() => ALLOW)
  const counted = await serveHttp((incoming, response) => {
    open += 1
    most = Math.max(most, open)
    incoming.resume().once('end', () => {
      fetch(url, { method: 'POST', body: '{"request":{}}' }).then(
        () => {
          open -= 1
          response.end('{}')
        },
        () => response.destroy(),
      )
    })
  })
  const hooks = Array.from({ length: 40 }, (_, index) =>
    hook(`h${index}`, counted, { failurePolicy: 'Ignore' }),
  )
  await validating(...hooks).validate?.(requestWith())
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(16)
})
