import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type PlaneClient, planeClient } from './conformance/plane-client.ts'
import { APPLY, JSON_PATCH, MERGE, STRATEGIC } from './conformance/suite.ts'
import { installSites } from './conformance/subjects.ts'
import { proofSize } from '../support/proof-size.ts'

let server: TestServer
let plane: PlaneClient
beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all' } })
  const cluster = await server.post('/clusters', { kind: 'Cluster', name: 'hostile', spec: {} })
  plane = planeClient(server.origin, `/clusters/${cluster.body.id}/control-plane`)
  await installSites(plane)
})
afterAll(() => server[Symbol.asyncDispose]())

const MAPS = '/api/v1/namespaces/default/configmaps'
const SITES = '/apis/conformance.example.com/v1/namespaces/default/sites'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const COLLECTIONS = [MAPS, SITES, CRDS, '/api/v1/namespaces', '/api/v1/namespaces/default/secrets']

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'a.b',
  '\0',
]

/** Any JSON, with keys that plain objects inherit. */
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, -1, 1e21, 2 ** 53, '', 'x', '\0', '\ud800', '[', '$(a)'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 4 })), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value

const MEMBERS = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'data', 'items', '__proto__']
const METADATA = ['name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences']
const FIELDS = ['managedFields', 'resourceVersion', 'uid', 'generateName', 'creationTimestamp']

const object = fc
  .record({
    members: fc.dictionary(fc.constantFrom(...MEMBERS), json, { maxKeys: 4 }),
    metadata: fc.dictionary(fc.constantFrom(...METADATA, ...FIELDS), json, { maxKeys: 4 }),
  })
  .map(({ members, metadata }) => ({ ...members, metadata: { name: 'x', ...metadata } }))

async function answers(
  method: string,
  path: string,
  options: Parameters<PlaneClient['call']>[2],
): Promise<void> {
  const response = await plane.call(method, path, options)
  const context = `${method} ${path} ${JSON.stringify(options)}: ${response.text}`
  expect(response.status, context).toBeLessThan(500)
  expect(response.status, context).toBeGreaterThanOrEqual(200)
}

describe('R3: hostile input is never a 5xx', () => {
  test('R3: bodies of creates and updates', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COLLECTIONS),
        fc.constantFrom('POST', 'PUT'),
        object,
        async (path, method, body) => {
          await answers(method, method === 'POST' ? path : `${path}/x`, {
            body: JSON.stringify(body),
            query: { dryRun: 'All' },
          })
        },
      ),
      { numRuns: proofSize(300) },
    )
  })

  test('R20: patches', async () => {
    for (const path of [MAPS, SITES]) {
      await plane.call('POST', path, { body: { metadata: { name: 'patched' } } })
    }
    const pointer = fc.constantFrom(
      '',
      '/',
      '/metadata',
      '/metadata/labels/a',
      '/data/-',
      '/__proto__/x',
    )
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'other'),
      path: pointer,
      from: pointer,
      value: json,
    })
    const directives = fc.dictionary(
      fc.constantFrom(
        '$patch',
        '$retainKeys',
        '$setElementOrder/a',
        '$deleteFromPrimitiveList/b',
        'data',
      ),
      json,
      { maxKeys: 3 },
    )
    const patch = fc.oneof(
      fc.tuple(fc.constant(JSON_PATCH), fc.oneof(json, fc.array(operation, { maxLength: 4 }))),
      fc.tuple(fc.constantFrom(MERGE, APPLY), fc.oneof(json, object)),
      fc.tuple(fc.constant(STRATEGIC), fc.oneof(json, object, directives)),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(MAPS, SITES), patch, async (path, [type, body]) => {
        const query = { fieldManager: 'hostile', dryRun: 'All' }
        await answers('PATCH', `${path}/patched`, { type, body: JSON.stringify(body), query })
      }),
      { numRuns: proofSize(400) },
    )
  })

  test('R10: parameters of lists and watches', async () => {
    const text = fc.oneof(
      fc.constantFrom(
        '',
        '0',
        '-1',
        '1e9',
        '18446744073709551616',
        'a in (',
        '!',
        'a=\\',
        '\0',
        '(',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    )
    const query = fc.dictionary(
      fc.constantFrom(
        'labelSelector',
        'fieldSelector',
        'limit',
        'continue',
        'resourceVersion',
        'resourceVersionMatch',
        'pretty',
        'includeObject',
        'sendInitialEvents',
      ),
      text,
      { maxKeys: 3, noNullPrototype: true },
    )
    const accept = fc.constantFrom(
      'application/json',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      ',,;;=',
      'application/yaml;q=9',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COLLECTIONS),
        query,
        accept,
        async (path, given, accepted) => {
          // A revision from the future is a 504 by contract.
          const { resourceVersion = '' } = given
          const isFuture = /^\d{2,}$/.test(resourceVersion)
          const checked = isFuture ? { ...given, resourceVersion: '1' } : given
          await answers('GET', path, { query: checked, accept: accepted })
          const isWatch = { ...checked, watch: 'true', timeoutSeconds: '1' }
          if (path === SITES) await answers('GET', path, { query: isWatch, accept: accepted })
        },
      ),
      {
        numRuns: proofSize(60),
        // A watch without events ends with an empty body.
        examples: [[SITES, { labelSelector: 'no=object' }, 'application/json']],
      },
    )
  })

  test('R38: paths', async () => {
    const part = fc.constantFrom(
      'api',
      'apis',
      'v1',
      'namespaces',
      'default',
      'configmaps',
      'status',
      'scale',
      'finalize',
      'watch',
      '..',
      '.',
      '%00',
      '%2F',
      '%zz',
      '__proto__',
      'constructor',
      'openapi',
      'v2',
      'v3',
      'x'.repeat(300),
      'conformance.example.com',
      'sites',
      'token',
      'proxy',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        async (parts, method) => {
          const target = parts.join('/')
          if (method === 'DELETE' && /sites|namespaces$/.test(target)) return
          await answers(method, `/${target}`, {})
        },
      ),
      { numRuns: proofSize(300) },
    )
  })

  test('R36: definitions', async () => {
    const schema = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.record(
        {
          type: fc.constantFrom('object', 'array', 'string', 'integer', 'other', 5),
          properties: fc.dictionary(fc.constantFrom('a', '__proto__', 'metadata'), tie('schema'), {
            maxKeys: 2,
          }),
          items: tie('schema'),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          pattern: fc.constantFrom('(a+)+$', '[', '^a{1,9999}$', 'x'),
          default: json,
          'x-kubernetes-validations': fc.array(
            fc.record({
              rule: fc.constantFrom('self', 'true', 'self.all(x, x.all(y, true))', '1/0', '('),
            }),
            { maxLength: 2 },
          ),
          'x-kubernetes-list-type': fc.constantFrom('set', 'map', 'other'),
        },
        { requiredKeys: ['type'] },
      ),
    })).schema
    await fc.assert(
      fc.asyncProperty(schema, json, async (openAPIV3Schema, extra) => {
        const body = {
          metadata: { name: 'things.hostile.example.com' },
          spec: {
            group: 'hostile.example.com',
            scope: 'Namespaced',
            names: { plural: 'things', kind: 'Thing', singular: 'thing', categories: extra },
            versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
          },
        }
        await answers('POST', CRDS, { body: JSON.stringify(body), query: { dryRun: 'All' } })
      }),
      { numRuns: proofSize(200) },
    )
  })

  test('R3: long and deep bodies in every format', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const bodies: readonly [string, string][] = [
      ['application/json', deep],
      ['application/json', `{"metadata":{"labels":{${'"k":"v",'.repeat(200_000)}"z":"v"}}}`],
      ['application/yaml', 'a: &a [x]\n'.repeat(2000)],
      ['application/yaml', '- '.repeat(20_000)],
      ['application/yaml', `{${'"'.repeat(65_000)}`],
      ['application/vnd.kubernetes.protobuf', 'k8s\0'.repeat(1000)],
    ]
    for (const [type, body] of bodies) await answers('POST', MAPS, { type, body })
    for (const type of [JSON_PATCH, MERGE, STRATEGIC, APPLY]) {
      await answers('PATCH', `${MAPS}/patched`, { type, body: deep, query: { fieldManager: 'x' } })
    }
    expect((await plane.call('GET', MAPS)).status).toBe(200)
  })
})
