import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../../planes/identities.ts'
import { POD_TEMPLATE } from '../kinds/sandbox-api.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

let planes: PlaneServer
beforeAll(async () => {
  planes = await startPlaneServer()
  const metadata = { name: 'guarded' }
  const spec = { podTemplate: POD_TEMPLATE }
  await planes.call(ROOT, 'POST', SANDBOXES, { metadata, spec })
})
afterAll(() => planes[Symbol.asyncDispose]())

/** Creates a user who has one role in the namespace. */
async function userWith(name: string, roleRef: object): Promise<string> {
  const bindings = `${RBAC}/namespaces/default/rolebindings`
  const subject = {
    kind: 'User',
    name: `${name}@example.com`,
    apiGroup: 'rbac.authorization.k8s.io',
  }
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
    subjects: [subject],
  }
  expect((await planes.call(ROOT, 'POST', bindings, binding)).status).toBe(201)
  return bearerOf(`${name}@example.com`)
}

async function userWithRule(name: string, verb: string, resource: string): Promise<string> {
  const rules = [{ apiGroups: ['agents.x-k8s.io'], resources: [resource], verbs: [verb] }]
  const role = { metadata: { name }, rules }
  const roles = `${RBAC}/namespaces/default/roles`
  expect((await planes.call(ROOT, 'POST', roles, role)).status).toBe(201)
  return userWith(name, { kind: 'Role', name })
}

const REQUESTS = {
  suspend: ['POST', 'create', {}],
  resume: ['POST', 'create', {}],
  exec: ['POST', 'create', { command: ['/bin/true'] }],
  logs: ['GET', 'get', undefined],
  activity: ['POST', 'create', {}],
  snapshots: ['POST', 'create', {}],
  fork: ['POST', 'create', {}],
} as const

const isForbidden = async (user: string, subresource: keyof typeof REQUESTS) => {
  const [method, , body] = REQUESTS[subresource]
  const target = `${SANDBOXES}/guarded/${subresource}`
  return (await planes.call(user, method, target, body)).status === 403
}

test.each(Object.entries(REQUESTS))('%s is a permission of its own', async (name, [, verb]) => {
  const user = await userWithRule(`only-${name}`, verb, `sandboxes/${name}`)
  const forbidden: string[] = []
  for (const each of Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]) {
    if (await isForbidden(user, each)) forbidden.push(each)
  }
  expect(forbidden).toEqual(Object.keys(REQUESTS).filter((each) => each !== name))
})

test('the role view reads sandboxes but may not look inside; edit may', async () => {
  const viewer = await userWith('viewer', { kind: 'ClusterRole', name: 'view' })
  expect((await planes.call(viewer, 'GET', `${SANDBOXES}/guarded`)).status).toBe(200)
  expect((await planes.call(viewer, 'GET', `${SANDBOXES}/guarded/activity`)).status).toBe(200)
  expect((await planes.call(viewer, 'GET', `${SANDBOXES}/guarded/snapshots`)).status).toBe(200)
  expect(await isForbidden(viewer, 'exec')).toBe(true)
  expect(await isForbidden(viewer, 'logs')).toBe(true)
  const editor = await userWith('editor', { kind: 'ClusterRole', name: 'edit' })
  expect(await isForbidden(editor, 'exec')).toBe(false)
  expect(await isForbidden(editor, 'logs')).toBe(false)
})
