import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { creation, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const { paths }: Document = parse(await readFile('openapi/openapi.yaml', 'utf8'))
const OPERATIONS = Object.entries(paths).flatMap(([template, operations]) =>
  template.includes('{')
    ? METHODS.filter((method) => method in operations).map((method) => ({ method, template }))
    : [],
)

/** Bodies that pass the validation, so that the parameters are used. */
const BODIES: readonly (readonly [RegExp, object])[] = [
  [/\/statuses$/, report('validator')],
  [/\/force-delete$/, { reason: 'test' }],
  [/\/nodepools$/, creation('NodePool')],
  [/^\/webhooks\/[^/]+$/, { description: 'test' }],
  [/^\/(clusters|nodepools)\/[^/]+$|\/nodepools\/[^/]+$/, { spec: {} }],
]

let server: TestServer
/** Of a cluster and of a webhook, by the name of the parameter. */
const ids = new Map<string, string>()
beforeAll(async () => {
  server = await startTestServer()
  ids.set('cluster_id', (await server.post('/clusters', creation('Cluster'))).body.id)
  const webhook = await server.post('/webhooks', { url: 'https://hooks.example.com/' })
  ids.set('webhook_id', webhook.body.id)
})
afterAll(() => server[Symbol.asyncDispose]())

test('the document has operations with parameters', () => {
  expect(OPERATIONS.length).toBeGreaterThan(50)
})

// PostgreSQL cannot store U+0000, so no resource has such an ID or name.
test.each(OPERATIONS)('$method $template rejects U+0000', async ({ method, template }) => {
  const below = template.replaceAll(/\{(\w+)\}/g, (all, name) => ids.get(name) ?? all)
  const body = BODIES.find(([path]) => path.test(template))?.[1] ?? {}
  const type = method === 'patch' ? 'application/merge-patch+json' : 'application/json'
  for (const place of new Set([template, below])) {
    if (!place.includes('{')) continue
    const path = BASE_PATH + place.replaceAll(/\{\w+\}/g, 'a%00b')
    const response = await fetch(server.origin + path, {
      method: method.toUpperCase(),
      headers: { 'Content-Type': type },
      ...(method !== 'get' && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `${path}: ${text}`).toBeGreaterThanOrEqual(400)
    expect(response.status, `${path}: ${text}`).toBeLessThan(500)
    // The path has a route.
    expect(text).not.toContain('HYPERFLEET-NTF-000')
  }
})
