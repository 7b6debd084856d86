import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OpenapiFileError, loadSpecSchemas } from '../../src/hyperfleet/openapi/load.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { openapiFiles } from './openapi-file.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const openapiFileWith = openapiFiles()

const fileWith = (schemas: object): Promise<string> => openapiFileWith(schemas, '3.0.3')

it('commits a document that swagger-parser accepts', async () => {
  const file = new URL('../../openapi/openapi.yaml', import.meta.url).pathname
  const document = await SwaggerParser.validate(file)
  expect(Object.keys(document.paths ?? {})).toContain('/clusters/{cluster_id}/nodepools')
})

describe('with OPENAPI_SCHEMA_PATH', () => {
  let server: TestServer

  beforeAll(async () => {
    const file = await fileWith({
      ClusterSpec: {
        type: 'object',
        required: ['platform'],
        properties: {
          platform: { $ref: '#/components/schemas/Platform' },
          replicas: { type: 'integer', minimum: 1 },
        },
      },
      Platform: {
        type: 'object',
        required: ['region'],
        properties: { region: { type: 'string', maxLength: 5 } },
      },
    })
    server = await startTestServer({ env: { OPENAPI_SCHEMA_PATH: file } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const create = (spec: object) =>
    server.post('/clusters', {
      kind: 'Cluster',
      name: `c-${Math.random().toString(36).slice(2)}`,
      spec,
    })

  it('accepts a spec that conforms to the configured schema', async () => {
    expect((await create({ platform: { region: 'north' } })).status).toBe(201)
  })

  it('names the path of every violation of the configured schema', async () => {
    const response = await create({ platform: { region: 'too long' }, replicas: 0 })
    expect(response.status).toBe(400)
    const fields = response.body.errors.map((error: { field: string }) => error.field)
    expect(fields.sort()).toEqual(['spec.platform.region', 'spec.replicas'])
  })

  it('names a missing field of the configured schema', async () => {
    const response = await create({ platform: {} })
    expect(response.body.errors[0].field).toBe('spec.platform.region')
    expect(response.body.detail).toContain('spec.platform.region is required')
  })

  it('applies the configured schema to PATCH', async () => {
    const { body } = await create({ platform: { region: 'north' } })
    const response = await server.patch(`/clusters/${body.id}`, { spec: {} })
    expect(response.status).toBe(400)
    expect(response.body.errors[0].field).toBe('spec.platform')
  })

  it('shows the configured schema in the document', async () => {
    const { body } = await server.get('/openapi')
    expect(body.components.schemas.ClusterSpec.required).toEqual(['platform'])
  })

  it('accepts any spec of kinds that the file does not name', async () => {
    const { body } = await create({ platform: { region: 'north' } })
    const pool = { kind: 'NodePool', name: 'pool', spec: { anything: [1] } }
    expect((await server.post(`/clusters/${body.id}/nodepools`, pool)).status).toBe(201)
  })
})

describe('an unusable OPENAPI_SCHEMA_PATH', () => {
  it('lists every schema whose type is not object', async () => {
    const file = await fileWith({
      ClusterSpec: { type: 'string' },
      NodePoolSpec: { type: 'array', items: {} },
    })
    const failure = loadSpecSchemas(kinds, file)
    await expect(failure).rejects.toThrow(OpenapiFileError)
    await expect(failure).rejects.toThrow(/ClusterSpec must have[^]*NodePoolSpec must have/)
  })

  it('names the expected schemas if the file has none of them', async () => {
    const failure = loadSpecSchemas(kinds, await fileWith({ Other: { type: 'object' } }))
    await expect(failure).rejects.toThrow('ClusterSpec, NodePoolSpec')
  })

  it('names a missing file', async () => {
    await expect(loadSpecSchemas(kinds, '/nowhere/spec.yaml')).rejects.toThrow('/nowhere/spec.yaml')
  })
})
