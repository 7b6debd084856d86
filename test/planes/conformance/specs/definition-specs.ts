import { describe, expect, test } from 'vitest'
import type { PlaneClient } from '../plane-client.ts'
import { APPLY, failure } from '../suite.ts'
import { SITES_DEFINITION } from '../subjects.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const PORTS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['port'],
    properties: { port: { type: 'integer' } },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['port'],
}

/** The requests of specs of Kubernetes' e2e suite about definitions and their objects. */
export function definitionSpecs(plane: () => PlaneClient): void {
  const call = (method: string, path: string, body: unknown, type = 'application/json') =>
    plane().call(method, path, { body, type })

  /** Defines a cluster-scoped kind and returns the path of its objects once they are served. */
  async function define(plural: string, spec: object, version: object = {}): Promise<string> {
    const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1)
    const group = 'specs.example.com'
    const openAPIV3Schema = { type: 'object', properties: { spec } }
    await call('POST', DEFINITIONS, {
      ...SITES_DEFINITION,
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural, kind },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version },
        ],
      },
    })
    const path = `/apis/${group}/v1/${plural}`
    await expect.poll(async () => (await plane().call('GET', path)).status).toBe(200)
    return path
  }

  const body = (members: string) =>
    `\napiVersion: specs.example.com/v1\nkind: Yard\nmetadata:\n  name: mytest\n${members}`

  describe('specs about definitions', () => {
    test('FieldValidation should detect unknown and duplicate fields of applied objects', async () => {
      const template = {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { spec: { type: 'object' } },
      }
      const yards = await define('yards', {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { foo: { type: 'string' }, template, ports: PORTS },
      })
      const apply = (members: string, validation = 'Strict') =>
        call(
          'PATCH',
          `${yards}/mytest?fieldManager=m&fieldValidation=${validation}`,
          body(members),
          APPLY,
        )
      const undeclared = await apply('unknownField: unknown\nspec:\n  foo: foo1')
      expect(undeclared).toMatchObject(failure(400, 'BadRequest'))
      expect(undeclared.text).toContain('.unknownField: field not declared in schema')
      const metadata = await apply('  unknownMeta: unknown\nspec:\n  foo: foo1')
      expect(metadata.text).toContain('.metadata.unknownMeta: field not declared in schema')
      const twice = 'spec:\n  unknown: uk1\n  foo: foo1\n  foo: foo2\n  ports:\n  - port: 80'
      const duplicate = await apply(twice)
      expect(duplicate).toMatchObject(failure(400, 'BadRequest'))
      expect(duplicate.body.message).toContain('line 9: key "foo" already set in map')
      const warned = await apply(twice, 'Warn')
      expect(warned.status).toBe(201)
      expect(warned.headers.get('warning')).toContain('already set in map')
    })

    test('duplicate keys of other YAML bodies', async () => {
      const created = await call(
        'POST',
        '/api/v1/namespaces/default/configmaps?fieldValidation=Strict',
        'metadata:\n  name: twice\ndata:\n  a: x\n  a: y\n',
        'application/yaml',
      )
      expect(created).toMatchObject(failure(400, 'BadRequest'))
      expect(created.body.message).toContain(
        'strict decoding error: yaml: unmarshal errors:\n  line 5: key "a" already set in map',
      )
    })

    test('CustomResourceDefinition status sub-resource works', async () => {
      await define('docks', { type: 'object' })
      const path = `${DEFINITIONS}/docks.specs.example.com`
      const { body: read } = await plane().call('GET', `${path}/status`)
      const condition = { type: '', status: '', message: 'updated' }
      const conditions = [...read.status.conditions, condition]
      const updated = await call('PUT', `${path}/status`, {
        ...read,
        status: { ...read.status, conditions },
      })
      expect(updated.status).toBe(200)
      expect(updated.body.status.conditions).toContainEqual(condition)
    })

    test('requests to deprecated versions have a warning', async () => {
      const slips = await define('slips', { type: 'object' }, { deprecated: true })
      const { headers } = await plane().call('GET', slips)
      expect(headers.get('warning')).toBe('299 - "specs.example.com/v1 Slip is deprecated"')
    })

    test('finalizers of custom resources without a domain are a warning', async () => {
      const masts = await define('masts', { type: 'object' })
      const created = await call('POST', masts, {
        apiVersion: 'specs.example.com/v1',
        kind: 'Mast',
        metadata: { name: 'a', finalizers: ['nodomain'] },
      })
      expect(created.status).toBe(201)
      expect(created.headers.get('warning')).toContain('prefer a domain-qualified finalizer name')
      await call('PUT', `${masts}/a`, {
        ...created.body,
        metadata: { ...created.body.metadata, finalizers: [] },
      })
    })
  })
}
