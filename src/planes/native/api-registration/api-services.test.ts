import { expect, it } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
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

const ADDRESS = 'metadata.annotations[flotilla.dev/url]'

function service(spec: JsonObject, name = 'v1.metrics.example.com'): ApiObject {
  return { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec }
}

function serviceAt(url: string, spec: JsonObject = {}): ApiObject {
  const { metadata, ...object } = service({ ...SPEC, ...spec })
  return { ...object, metadata: { ...metadata, annotations: { 'flotilla.dev/url': url } } }
}

async function fieldsOf(object: ApiObject, old: ApiObject | null = null) {
  const errors = await API_SERVICES.strategy?.validate?.(object, old, CONTEXT)
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

it.each([
  'file:///etc/passwd',
  'gopher://metrics.example.com',
  'https://user:secret@metrics.example.com',
  'https://user@metrics.example.com',
  '//metrics.example.com',
  '/metrics',
  'https:metrics.example.com',
  'https:///metrics.example.com',
  'https:\\\\metrics.example.com',
  ' https://metrics.example.com',
  'https://',
  `https://metrics.example.com/${'x'.repeat(2048)}`,
])('R37: rejects the address %s', async (url) => {
  expect(await fieldsOf(serviceAt(url))).toEqual([ADDRESS])
  expect(await fieldsOf(serviceAt(url), serviceAt('https://a.example'))).toEqual([ADDRESS])
  expect(await fieldsOf(serviceAt(url), serviceAt(url))).toEqual([])
})

it.each([
  'https://user:secret@metrics.example.com',
  'https:user:secret@metrics.example.com',
  'https://user:sec/secret@metrics.example.com',
  'user:secret@metrics.example.com',
])('R37: shows no password in the error of %s', async (url) => {
  const object = serviceAt(url)
  const errors = await API_SERVICES.strategy?.validate?.(object, null, CONTEXT)
  expect(JSON.stringify(errors)).not.toContain('secret')
})

it('R37: accepts a certificate authority of an https server', async () => {
  const caBundle = 'LS0t'
  const url = 'https://metrics.example.com/prefix'
  expect(await fieldsOf(serviceAt(url, { caBundle }))).toEqual([])
  const skipping = { caBundle, insecureSkipTLSVerify: true }
  expect(await fieldsOf(serviceAt(url, skipping))).toEqual(['spec.insecureSkipTLSVerify'])
  expect(await fieldsOf(serviceAt('http://a.example', { caBundle }))).toEqual([ADDRESS])
  expect(await fieldsOf(service({ ...SPEC, caBundle }))).toEqual(['spec.caBundle'])
})

it('R37: marks local group versions as available', () => {
  const prepare = API_SERVICES.strategy?.prepareCreate
  expect(prepare?.(service(SPEC), CONTEXT)['status']).toMatchObject({
    conditions: [{ type: 'Available', status: 'True', reason: 'Local' }],
  })
  const remote = service({ ...SPEC, service: { namespace: 'a', name: 'b' } })
  expect(prepare?.(remote, CONTEXT)).toEqual(remote)
  const addressed = serviceAt('https://metrics.example.com')
  expect(prepare?.(addressed, CONTEXT)).toEqual(addressed)
})
