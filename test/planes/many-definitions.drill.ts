import { expect, it } from 'vitest'
import { proofSize } from '../support/proof-size.ts'
import { startTestServer } from '../support/test-server.ts'

const COUNT = proofSize(500)
const CONNECTIONS = 10
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function definition(index: number) {
  const spec = { type: 'object', properties: { size: { type: 'integer', minimum: 0 } } }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things${index}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: `things${index}`, kind: `Thing${index}` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
}

async function call(origin: string, path: string, body?: object) {
  const response = await fetch(
    origin + path,
    body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    },
  )
  return { status: response.status, body: JSON.parse(await response.text()) }
}

it('R36: serves hundreds of definitions of a plane, also in a server that has just started', async () => {
  await using server = await startTestServer({ env: { ROLE: 'all' } })
  const create = async (first: number): Promise<void> => {
    for (let index = first; index < COUNT; index += CONNECTIONS) {
      const { status } = await call(server.origin, DEFINITIONS, definition(index))
      expect(status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_item, index) => create(index)))
  const served = async (): Promise<number> => {
    const { body } = await call(server.origin, '/apis/example.com/v1')
    return body.resources?.length ?? 0
  }
  await expect.poll(served, { interval: 200 }).toBe(COUNT)

  await using other = await startTestServer({ databaseUrl: server.databaseUrl })
  const discovery = await call(other.origin, '/apis/example.com/v1')
  expect(discovery.body.resources).toHaveLength(COUNT)
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing7', metadata: { name: 'a' } }
  const path = '/apis/example.com/v1/things7'
  expect((await call(other.origin, path, { ...thing, spec: { size: -1 } })).status).toBe(422)
  expect((await call(other.origin, path, { ...thing, spec: { size: 1 } })).status).toBe(201)
  expect((await call(server.origin, `${path}/a`)).body.spec).toEqual({ size: 1 })
})
