import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../lib/json/json.ts'
import type { WriteContext } from '../../model/native-resource.ts'
import { API_SERVICES } from './api-services.ts'

const CONTEXT: WriteContext = {
  plane: 'root',
  user: { name: 'a', uid: '', groups: [], extra: {} },
  version: 'v1',
  subresource: '',
  now: new Date(0),
}
const SPEC = {
  group: 'metrics.example.com',
  version: 'v1',
  groupPriorityMinimum: 100,
  versionPriority: 10,
}

function service(spec: JsonObject, name = 'v1.metrics.example.com') {
  return { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec }
}

async function fieldsOf(object: ReturnType<typeof service>) {
  const errors = await API_SERVICES.strategy?.validate?.(object, null, CONTEXT)
  return errors?.map(({ field }) => field)
}

it('R37: requires the name version.group', async () => {
  expect(await fieldsOf(service(SPEC))).toEqual([])
  expect(await fieldsOf(service(SPEC, 'v2.metrics.example.com'))).toEqual(['metadata.name'])
})

it('R37: rejects priorities out of range and incomplete services', async () => {
  const spec = { ...SPEC, groupPriorityMinimum: 20_001, versionPriority: 0 }
  expect(await fieldsOf(service({ ...spec, service: { name: 'a', port: 0 } }))).toEqual([
    'spec.groupPriorityMinimum',
    'spec.versionPriority',
    'spec.service.namespace',
    'spec.service.port',
  ])
  expect(await fieldsOf(service({ ...SPEC, insecureSkipTLSVerify: true }))).toEqual([
    'spec.insecureSkipTLSVerify',
  ])
})

it('R37: marks local group versions as available', () => {
  const prepare = API_SERVICES.strategy?.prepareCreate
  expect(prepare?.(service(SPEC), CONTEXT)['status']).toMatchObject({
    conditions: [{ type: 'Available', status: 'True', reason: 'Local' }],
  })
  const remote = service({ ...SPEC, service: { namespace: 'a', name: 'b' } })
  expect(prepare?.(remote, CONTEXT)).toEqual(remote)
})
