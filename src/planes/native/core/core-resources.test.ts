import { describe, expect, it } from 'vitest'
import { must } from '../../../lib/assert.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { NativeResource, WriteContext } from '../../model/native-resource.ts'
import { CONFIG_MAPS } from './config-maps/config-maps.ts'
import { NAMESPACES } from './namespaces/namespaces.ts'
import { SECRETS } from './secrets/secrets.ts'
import { SERVICE_ACCOUNTS } from './service-accounts/service-accounts.ts'

const CONTEXT: WriteContext = {
  plane: 'root',
  user: { name: 'admin', uid: '', groups: [], extra: {} },
  version: 'v1',
  subresource: '',
  now: new Date(0),
}

function object(
  kind: string,
  fields: Omit<ApiObject, 'apiVersion' | 'kind' | 'metadata'>,
): ApiObject {
  return { ...fields, apiVersion: 'v1', kind, metadata: { name: 'a', namespace: 'default' } }
}

async function errorsOf(
  { strategy }: NativeResource,
  next: ApiObject,
  old: ApiObject | null = null,
  context = CONTEXT,
) {
  const errors = (await strategy?.validate?.(next, old, context)) ?? []
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

describe('config maps', () => {
  it('R3: rejects invalid keys and keys that occur twice', async () => {
    const map = object('ConfigMap', {
      data: { 'a b': '', '..x': '', c: '' },
      binaryData: { c: 'AA==' },
    })
    expect(await errorsOf(CONFIG_MAPS, map)).toEqual([
      expect.stringContaining(
        'data[a b]: Invalid value: "a b": a valid config key must consist of',
      ),
      `data[..x]: Invalid value: "..x": must not start with '..'`,
      'data[c]: Invalid value: "c": duplicate of key present in binaryData',
    ])
  })

  it('R3: rejects more than 1 MiB of data', async () => {
    const map = object('ConfigMap', { data: { a: 'x'.repeat(1024 * 1024 + 1) } })
    expect(await errorsOf(CONFIG_MAPS, map)).toEqual([
      ': Too long: may not be more than 1048576 bytes',
    ])
  })

  it('rejects values that are not base64', async () => {
    expect(
      await errorsOf(CONFIG_MAPS, object('ConfigMap', { binaryData: { a: 'x' } })),
    ).toHaveLength(1)
  })

  it('keeps the data of an immutable config map', async () => {
    const old = object('ConfigMap', { immutable: true, data: { a: '1' } })
    expect(await errorsOf(CONFIG_MAPS, object('ConfigMap', { data: { a: '2' } }), old)).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ])
    expect(await errorsOf(CONFIG_MAPS, old, old)).toEqual([])
  })
})

describe('secrets', () => {
  it('adds stringData to data and sets the type', () => {
    const secret = object('Secret', { stringData: { a: 'text' }, data: { a: 'AA==', b: 'AA==' } })
    expect(SECRETS.strategy?.prepareCreate?.(secret, CONTEXT)).toEqual(
      object('Secret', { data: { a: 'dGV4dA==', b: 'AA==' }, type: 'Opaque' }),
    )
  })

  it('stores base64 without line breaks', () => {
    const secret = object('Secret', { data: { a: 'AAAA\nAA==\n' } })
    expect(SECRETS.strategy?.prepareCreate?.(secret, CONTEXT)['data']).toEqual({ a: 'AAAAAA==' })
  })

  it('rejects another type in an update', async () => {
    const [old, next] = ['Opaque', 'x'].map((type) => object('Secret', { type }))
    expect(await errorsOf(SECRETS, must(next, 'an object'), old)).toEqual([
      'type: Invalid value: "x": field is immutable',
    ])
  })

  it('requires the keys of the type', async () => {
    const type = 'kubernetes.io/tls'
    expect(await errorsOf(SECRETS, object('Secret', { type, data: { 'tls.crt': '' } }))).toEqual([
      'data[tls.key]: Required value',
    ])
    const docker = { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'eA==' } }
    expect(await errorsOf(SECRETS, object('Secret', docker))).toEqual([
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": must be a JSON object',
    ])
  })
})

describe('namespaces', () => {
  const created = must(
    NAMESPACES.strategy?.prepareCreate?.(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
      CONTEXT,
    ),
    'a namespace',
  )

  it('sets finalizer, phase and label', () => {
    expect(created).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team', labels: { 'kubernetes.io/metadata.name': 'team' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
  })

  it('changes the finalizers of the spec only through finalize', () => {
    const old = created
    const next = { ...old, spec: {} }
    const prepare = NAMESPACES.strategy?.prepareUpdate
    expect(prepare?.(next, old, CONTEXT)).toEqual(old)
    expect(prepare?.(next, old, { ...CONTEXT, subresource: 'finalize' })['spec']).toEqual({})
  })

  it('creates the default service account', () => {
    expect(NAMESPACES.strategy?.companions?.(created, CONTEXT)).toMatchObject([
      { kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'team' } },
    ])
  })

  it('gives every plane four namespaces with a service account', () => {
    const plane = { plane: 'root', createdTime: new Date(0), uidOf: (seed: string) => seed }
    const names = NAMESPACES.initialObjects?.(plane).map(({ metadata }) => metadata.name)
    expect(names).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system'])
    expect(SERVICE_ACCOUNTS.initialObjects?.(plane)[0]?.metadata).toEqual({
      name: 'default',
      namespace: 'default',
      uid: 'serviceaccounts/default/default',
      creationTimestamp: '1970-01-01T00:00:00Z',
    })
  })
})
