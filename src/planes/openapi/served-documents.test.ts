import { describe, expect, it } from 'vitest'
import { decodeMessage } from '../../../test/support/decode-message.ts'
import { must } from '../../lib/assert.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { objectOf, objectsOf } from '../../lib/json/json-fields.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import { GNOSTIC_MESSAGES } from './gnostic/gnostic-messages.ts'
import { GNOSTIC_V3_MESSAGES } from './gnostic/gnostic-v3-messages.ts'
import { createOpenApi } from './open-api.ts'
import { RecentlyUsed } from './recently-used.ts'

const NATIVE = { types: NATIVE_RESOURCES.map(({ type }) => type) }
const CORE = { group: '', version: 'v1' }

/** The values of a list of named values. */
function named(list: JsonValue | undefined): ReadonlyMap<JsonValue | undefined, JsonObject> {
  return new Map(objectsOf(list).map(({ name, value }) => [name, objectOf(value)]))
}

describe('OpenAPI documents', () => {
  it('has a URL with a hash for every group version', () => {
    const openApi = createOpenApi()
    const prefix = '/clusters/a/control-plane'
    const delegated = [{ group: 'metrics.k8s.io', version: 'v1', hash: 'x' }]
    const { paths } = JSON.parse(openApi.index(NATIVE, prefix, delegated).body)
    expect(Object.keys(paths)).toEqual([
      'api/v1',
      'apis/apiregistration.k8s.io/v1',
      'apis/coordination.k8s.io/v1',
      'apis/metrics.k8s.io/v1',
    ])
    const { etag } = must(openApi.groupVersion(NATIVE, CORE), 'a document')
    expect(paths['api/v1'].serverRelativeURL).toBe(
      `${prefix}/openapi/v3/api/v1?hash=${JSON.parse(etag)}`,
    )
    expect(openApi.groupVersion(NATIVE, { group: 'apps', version: 'v1' })).toBeNull()
  })

  it('changes the hash of a group version with its types only', () => {
    const openApi = createOpenApi()
    const others = { types: NATIVE.types.filter(({ plural }) => plural !== 'leases') }
    const etag = (types: typeof NATIVE) => openApi.groupVersion(types, CORE)?.etag
    expect(etag(others)).toBe(etag(NATIVE))
    const fewer = { types: NATIVE.types.filter(({ plural }) => plural !== 'secrets') }
    expect(etag(fewer)).not.toBe(etag(NATIVE))
  })

  it('shares documents between planes with equal types', () => {
    const openApi = createOpenApi()
    const copy = { types: [...NATIVE.types] }
    expect(openApi.groupVersion(copy, CORE)).toBe(openApi.groupVersion(NATIVE, CORE))
  })

  it('survives a round trip through protobuf', async () => {
    const { body } = await createOpenApi().complete(NATIVE, 'protobuf')
    const decoded = decodeMessage(GNOSTIC_MESSAGES, 'Document', body)
    const definitions = named(objectOf(decoded['definitions'])['additionalProperties'])
    const configMap = definitions.get('io.k8s.api.core.v1.ConfigMap')
    expect(configMap).toMatchObject({
      type: { value: ['object'] },
      vendorExtension: [
        {
          name: 'x-kubernetes-group-version-kind',
          value: { yaml: '[{"group":"","kind":"ConfigMap","version":"v1"}]' },
        },
      ],
      properties: {
        additionalProperties: expect.arrayContaining([
          {
            name: 'data',
            value: expect.objectContaining({
              additionalProperties: {
                schema: { description: 'UTF-8 text.', type: { value: ['string'] } },
              },
            }),
          },
          {
            name: 'metadata',
            value: expect.objectContaining({
              ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
            }),
          },
        ]),
      },
    })
    const paths = named(objectOf(decoded['paths'])['path'])
    expect(paths.get('/api/v1/namespaces/{name}')).toMatchObject({
      patch: {
        parameters: expect.arrayContaining([
          {
            parameter: {
              nonBodyParameter: {
                queryParameterSubSchema: expect.objectContaining({
                  name: 'dryRun',
                  type: 'string',
                }),
              },
            },
          },
        ]),
      },
    })
  })

  it('survives a round trip of version 3 through protobuf', () => {
    const { body } = must(createOpenApi().groupVersion(NATIVE, CORE, 'protobuf'), 'a document')
    const decoded = decodeMessage(GNOSTIC_V3_MESSAGES, 'Document', body)
    const schemas = named(
      objectOf(objectOf(decoded['components'])['schemas'])['additionalProperties'],
    )
    expect(schemas.get('io.k8s.api.core.v1.ConfigMap')).toMatchObject({
      schema: {
        type: 'object',
        specificationExtension: [
          {
            name: 'x-kubernetes-group-version-kind',
            value: { yaml: '[{"group":"","kind":"ConfigMap","version":"v1"}]' },
          },
        ],
        properties: {
          additionalProperties: expect.arrayContaining([
            {
              name: 'metadata',
              value: {
                schema: expect.objectContaining({
                  allOf: [
                    {
                      reference: {
                        ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
                      },
                    },
                  ],
                }),
              },
            },
          ]),
        },
      },
    })
    const paths = named(objectOf(decoded['paths'])['path'])
    expect(paths.get('/api/v1/namespaces/{name}')).toMatchObject({
      patch: {
        parameters: expect.arrayContaining([
          { parameter: expect.objectContaining({ name: 'dryRun', in: 'query' }) },
        ]),
        requestBody: {
          requestBody: {
            content: {
              additionalProperties: expect.arrayContaining([
                expect.objectContaining({ name: 'application/merge-patch+json' }),
              ]),
            },
          },
        },
      },
    })
  })

  it('keeps the values that were used last, within its bound', () => {
    const kept = new RecentlyUsed<string>(10, ({ length }) => length)
    kept.add('a', '1234')
    kept.add('b', '1234')
    expect(kept.get('a')).toBe('1234')
    kept.add('c', '1234')
    expect(kept.get('a')).toBe('1234')
    expect(kept.get('b')).toBeNull()
    kept.add('d', '12345678901')
    expect(kept.get('d')).toBeNull()
  })
})
