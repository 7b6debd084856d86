import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { POD_TEMPLATE, sandboxApi } from './sandbox-api.ts'

let server: TestServer
let api: ReturnType<typeof sandboxApi>

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' } })
  api = sandboxApi(server.origin)
})
afterAll(() => server[Symbol.asyncDispose]())

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const NAME = 'sandboxes.agents.x-k8s.io'

/** The definition of agent-sandbox, with a version that planes do not have. */
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME },
  spec: {
    group: 'agents.x-k8s.io',
    names: {
      kind: 'Sandbox',
      listKind: 'SandboxList',
      plural: 'sandboxes',
      singular: 'sandbox',
      shortNames: ['sandbox'],
    },
    scope: 'Namespaced',
    versions: ['v1beta1', 'v1beta2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1beta2',
      schema: {
        openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    })),
  },
}

test('definitions of built-in kinds are stored with a warning and have no effect', async () => {
  const path = `${DEFINITIONS}/${NAME}?fieldManager=kubectl`
  const applied = await api.call('PATCH', path, DEFINITION, 'application/apply-patch+yaml')
  expect(applied).toMatchObject({
    status: 201,
    warnings: ['Sandbox of agents.x-k8s.io is built in: this definition has no effect'],
  })
  await expect
    .poll(async () => (await api.call('GET', `${DEFINITIONS}/${NAME}`)).body.status.conditions)
    .toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }))
  const { body } = await api.call('GET', '/apis/agents.x-k8s.io')
  const versions = body.versions.map(({ version }: { readonly version: string }) => version)
  expect(versions).toEqual(['v1beta1', 'v1alpha1'])
  const list = '/apis/agents.x-k8s.io/v1beta2/namespaces/default/sandboxes'
  expect((await api.call('GET', list)).status).toBe(404)
})

test('the deletion of such a definition keeps the objects', async () => {
  expect((await api.createSandbox('kept', { podTemplate: POD_TEMPLATE })).status).toBe(201)
  expect((await api.call('DELETE', `${DEFINITIONS}/${NAME}`)).status).toBe(200)
  await expect.poll(async () => (await api.call('GET', `${DEFINITIONS}/${NAME}`)).status).toBe(404)
  const { status, body } = await api.getSandbox('kept')
  expect([status, body.metadata.deletionTimestamp]).toEqual([200, undefined])
})
