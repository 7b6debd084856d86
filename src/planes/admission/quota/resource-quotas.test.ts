import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { configurationsWith, requestWith, typeOf } from '../fixtures.ts'
import { quotaStatus } from './quota-status.ts'
import { resourceQuotas } from './resource-quotas.ts'

function quota(name: string, hard: JsonObject, spec: JsonObject = {}): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace: 'ns' },
    spec: { hard, ...spec },
  }
}

const plugin = (...quotas: readonly ApiObject[]) =>
  resourceQuotas({
    configurations: configurationsWith({ resourcequotas: quotas }),
    count: async (_plane, wanted) => wanted.map(() => 5),
  })

const WIDGET = typeOf('example.com', 'Widget')

test.each([
  [{ 'count/configmaps': '5' }, 5],
  [{ configmaps: '2k' }, 2000],
  [{ configmaps: 7 }, 7],
  [{ configmaps: '7', 'count/configmaps': '3' }, 3],
])('R31: the quota %j limits config maps to %i', async (hard, max) => {
  expect(await plugin(quota('q', hard)).limit?.(requestWith())).toMatchObject({ max })
})

test('R31: the smallest of several quotas applies, and custom resources are counted', async () => {
  const [one, two] = [
    quota('one', { 'count/widgets.example.com': '9' }),
    quota('two', { 'count/widgets.example.com': '4' }),
  ]
  expect(await plugin(one, two).limit?.(requestWith({ type: WIDGET }))).toMatchObject({ max: 4 })
})

test.each([
  [quota('q', { 'count/secrets': '1' }), {}],
  [quota('q', { 'limits.cpu': '1' }), {}],
  [quota('q', { configmaps: '1' }, { scopes: ['BestEffort'] }), {}],
  [quota('q', { configmaps: '1' }), { namespace: 'other' }],
  [quota('q', { configmaps: '1' }), { subresource: 'status' }],
])('R31: the quota %j does not limit the creation %j', async (other, request) => {
  expect(await plugin(other).limit?.(requestWith(request))).toBeNull()
})

test('R31: a creation beyond the quota is 403, in a dry run too', async () => {
  const quotas = plugin(quota('objects', { 'count/configmaps': '5' }))
  const message =
    'configmaps "a" is forbidden: exceeded quota: objects, requested: count/configmaps=1, used: count/configmaps=5, limited: count/configmaps=5'
  const limit = await quotas.limit?.(requestWith())
  expect(await limit?.exceeded()).toMatchObject({ code: 403, message })
  await expect(quotas.validate?.(requestWith({ dryRun: true }))).rejects.toThrow(message)
})

test('R31: the status of a quota has the current counts', async () => {
  const complete = quotaStatus(async (_plane, wanted) => wanted.map((_item, index) => index + 1))
  const stored = ['one', 'two'].map((name) => ({
    plane: 'p',
    resource: 'resourcequotas',
    namespace: 'ns',
    name,
    uid: name,
    revision: 1n,
    body: quota(name, { 'count/configmaps': '5', secrets: '2', 'limits.cpu': '1' }),
    managedFields: [],
  }))
  const completed = await complete(stored)
  expect(completed.map(({ body }) => body['status'])).toEqual([
    {
      hard: { 'count/configmaps': '5', secrets: '2', 'limits.cpu': '1' },
      used: { 'count/configmaps': '1', secrets: '2', 'limits.cpu': '0' },
    },
    {
      hard: { 'count/configmaps': '5', secrets: '2', 'limits.cpu': '1' },
      used: { 'count/configmaps': '3', secrets: '4', 'limits.cpu': '0' },
    },
  ])
})
