import { expect, it } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import type { JsonObject } from '../../../../lib/json/json.ts'
import type { ApiObject } from '../../../model/api-object.ts'
import type { WriteContext } from '../../../model/native-resource.ts'
import { RESOURCE_QUOTAS } from './resource-quotas.ts'

const CONTEXT: WriteContext = {
  plane: 'root',
  user: { name: 'a', uid: '', groups: [], extra: {} },
  version: 'v1',
  subresource: '',
  now: new Date(0),
}

function quota(spec: JsonObject, status: JsonObject = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec, status }
}

async function errorsOf(object: ApiObject, old: ApiObject | null = null) {
  const errors = await RESOURCE_QUOTAS.strategy?.validate?.(object, old, CONTEXT)
  return errors?.map(({ field, message }) => `${field}: ${message}`)
}

it('stores numbers as quantities', () => {
  const prepared = RESOURCE_QUOTAS.strategy?.prepareCreate?.(
    quota({ hard: { 'count/configmaps': 5 } }),
    CONTEXT,
  )
  expect(prepared?.['spec']).toEqual({ hard: { 'count/configmaps': '5' } })
})

it('rejects limits that are not quantities, are negative, or no whole number of objects', async () => {
  expect(
    await errorsOf(
      quota({
        hard: { 'count/configmaps': '1.5k', 'limits.cpu': '1500m', cpu: '500m', memory: '1e3' },
      }),
    ),
  ).toEqual([])
  const hard = { 'count/configmaps': 'x', secrets: '-1', services: '500m', 'a b': '1' }
  expect(await errorsOf(quota({ hard }))).toEqual([
    'spec.hard[count/configmaps]: Invalid value: "x": must be a valid resource quantity',
    'spec.hard[secrets]: Invalid value: "-1": must be greater than or equal to 0',
    'spec.hard[services]: Invalid value: "500m": must be an integer',
    expect.stringContaining('spec.hard[a b]: Invalid value: "a b": name part must consist of'),
  ])
})

it('keeps the scopes', async () => {
  const [old, next] = [['BestEffort'], ['Terminating']].map((scopes) => quota({ scopes }))
  expect(await errorsOf(must(next, 'a quota'), must(old, 'a quota'))).toHaveLength(1)
})

it('shows usage and limits', () => {
  const [version] = RESOURCE_QUOTAS.type.versions
  const cells = version?.printerColumns.map(({ cell }) =>
    cell?.(
      quota({}, { hard: { secrets: '3', 'limits.cpu': '2', pods: '1' }, used: { secrets: '2' } }),
      CONTEXT.now,
    ),
  )
  expect(cells).toEqual([undefined, 'pods: 0/1, secrets: 2/3', 'limits.cpu: 0/2', undefined])
})
