import { readFile } from 'node:fs/promises'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startTestServer, type TestServer } from '../support/test-server.ts'

interface Schema {
  readonly example?: unknown
  readonly default?: unknown
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly example?: unknown
  readonly schema: Schema
}

interface Media {
  readonly example?: unknown
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface Case {
  readonly method: Method
  readonly template: string
  readonly operation: Operation
}

const text = await readFile(new URL('../../openapi/openapi.yaml', import.meta.url), 'utf8')
const document = await SwaggerParser.dereference(parse(text))
const paths: Record<string, Partial<Record<Method, Operation>>> = Object(document.paths)

/** Operations that a reader of the page tries first: creates, reports and lists. */
const TRIED = /^(list|create|report|put|getSnapshots)/

const cases = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item).flatMap(([method, operation]): Case[] => {
    if (!TRIED.test(operation.operationId)) return []
    return isMethod(method) ? [{ method, template, operation }] : []
  }),
)

function isMethod(text: string): text is Method {
  return ['get', 'post', 'put', 'patch', 'delete'].includes(text)
}

describe('"Try it out" on the page of the document', () => {
  let server: TestServer
  /** The path parameters, which a reader must enter. */
  let ids: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    server = await startTestServer()
    const cluster = await server.post('/clusters', { kind: 'Cluster', name: 'parent', spec: {} })
    const { id } = cluster.body
    const pool = { kind: 'NodePool', name: 'workers', spec: {} }
    const { body } = await server.post(`/clusters/${id}/nodepools`, pool)
    const view = await server.post('/views', {
      kind: 'View',
      name: 'prefilled',
      spec: { kind: 'Cluster' },
    })
    const webhook = await server.post('/webhooks', { url: 'https://hooks.example.com/' })
    const webhookId = webhook.body.id
    ids = {
      cluster_id: id,
      nodepool_id: body.id,
      resource_id: id,
      webhook_id: webhookId,
      view_id: view.body.id,
    }
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('covers the lists and creates of every kind', () => {
    const names = cases.map(({ operation }) => operation.operationId)
    expect(names).toEqual(
      expect.arrayContaining([
        'listClusters',
        'createCluster',
        'createNodePoolOfCluster',
        'listResources',
        'reportClusterStatus',
        'putNodePoolStatus',
      ]),
    )
  })

  it.each(cases.map((one) => ({ ...one, name: one.operation.operationId })))(
    '$name succeeds with the prefilled values',
    async ({ method, template, operation }) => {
      const parameters = operation.parameters ?? []
      const query = new URLSearchParams()
      const headers = new Headers()
      for (const parameter of parameters) {
        const value = prefilled(parameter)
        if (value === undefined) continue
        if (parameter.in === 'query') query.set(parameter.name, value)
        if (parameter.in === 'header') headers.set(parameter.name, value)
      }
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)
      const body = prefilledBody(operation)
      if (body !== undefined) headers.set('Content-Type', 'application/json')
      const response = await server.request(
        method.toUpperCase(),
        `${path}?${query.toString()}`,
        body === undefined ? undefined : JSON.stringify(body),
        Object.fromEntries(headers),
      )
      expect(response.status, response.text).toBeGreaterThanOrEqual(200)
      expect(response.status, response.text).toBeLessThan(300)
    },
  )
})

/** The text that Swagger UI prefills for a parameter, or undefined. */
function prefilled({ example, schema }: Parameter): string | undefined {
  const value = example ?? schema.example ?? schema.default
  if (value === undefined) return undefined
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** The prefilled body of the first media type. Without an example, Swagger UI would generate one. */
function prefilledBody({ operationId, requestBody }: Operation): unknown {
  if (requestBody === undefined) return undefined
  const [media] = Object.values(requestBody.content)
  const example = media?.example ?? media?.schema.example
  expect(example, `${operationId} has an example`).toBeDefined()
  return example
}
