import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../../planes/identities.ts'
import { POD_TEMPLATE } from './sandbox-api.ts'

const AGENTS = '/apis/agents.x-k8s.io/v1beta1'
const SANDBOXES = `${AGENTS}/namespaces/default/sandboxes`
const SNAPSHOTS = `${AGENTS}/namespaces/default/snapshots`
const EXTENSIONS = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/default'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

let planes: PlaneServer

beforeAll(async () => {
  planes = await startPlaneServer()
  await mustCreate(SANDBOXES, { metadata: { name: 'one' }, spec: { podTemplate: POD_TEMPLATE } })
  await mustCreate(SNAPSHOTS, {
    metadata: { name: 'saved' },
    spec: { sandboxRef: { name: 'one' } },
  })
  for (const role of ['view', 'edit']) await bind(role)
  await grant('author', [['sandboxes', '']])
  await grant('restorer', [
    ['sandboxes', ''],
    ['snapshots/restore', 'saved'],
  ])
  await grant('forker', [
    ['sandboxes', ''],
    ['sandboxes/fork', 'one'],
  ])
})
afterAll(() => planes[Symbol.asyncDispose]())

async function mustCreate(path: string, body: object): Promise<void> {
  const { status } = await planes.call(ROOT, 'POST', path, body)
  if (status !== 201) throw new Error(`POST ${path} answers ${status}`)
}

function bind(role: string): Promise<void> {
  return mustCreate(`${RBAC}/clusterrolebindings`, {
    metadata: { name: role },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [
      { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `${role}@example.com` },
    ],
  })
}

/** Lets a user create resources, each with the name of one object or of any. */
async function grant(user: string, resources: readonly (readonly [string, string])[]) {
  await mustCreate(`${RBAC}/clusterroles`, {
    metadata: { name: user },
    rules: resources.map(([resource, name]) => ({
      apiGroups: ['agents.x-k8s.io'],
      resources: [resource],
      verbs: ['create'],
      ...(name !== '' && { resourceNames: [name] }),
    })),
  })
  await bind(user)
}

async function isForbidden(user: string, method: string, path: string): Promise<boolean> {
  const body = method === 'POST' ? { metadata: { name: user } } : undefined
  const as = bearerOf(`${user}@example.com`)
  return (await planes.call(as, method, path, body)).status === 403
}

it.each([
  ['nobody', 'GET', SANDBOXES, true],
  ['view', 'GET', SANDBOXES, false],
  ['view', 'GET', `${AGENTS}/snapshotclasses`, false],
  ['view', 'GET', `${EXTENSIONS}/sandboxclaims`, false],
  ['view', 'GET', `${SANDBOXES}/one/logs`, true],
  ['view', 'POST', SANDBOXES, true],
  ['view', 'POST', `${SANDBOXES}/one/exec`, true],
  ['edit', 'POST', SANDBOXES, false],
  ['edit', 'POST', `${SANDBOXES}/one/suspend`, false],
  ['edit', 'POST', `${SANDBOXES}/one/exec`, false],
  ['edit', 'POST', `${EXTENSIONS}/sandboxtemplates`, false],
  ['edit', 'POST', `${AGENTS}/snapshotclasses`, true],
  ['edit', 'POST', `${AGENTS}/snapshotproviders`, true],
  ['edit', 'POST', '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes', true],
  ['author', 'POST', `${SANDBOXES}/one/exec`, true],
  ['author', 'POST', `${SANDBOXES}/one/fork`, true],
])('R32: %s, %s %s: forbidden is %s', async (user, method, path, expected) => {
  await expect.poll(() => isForbidden(user, method, path)).toBe(expected)
})

describe('a sandbox that begins with a snapshot', () => {
  const restore = (user: string, snapshotName = 'saved') =>
    planes.call(bearerOf(`${user}@example.com`), 'POST', SANDBOXES, {
      metadata: { generateName: `${user}-` },
      spec: { podTemplate: POD_TEMPLATE, restoreFrom: { snapshotName } },
    })

  it('is rejected without the permission to restore', async () => {
    const { status, body } = await restore('author')
    expect(status).toBe(403)
    expect(JSON.stringify(body)).toContain(
      'cannot create resource \\"snapshots/restore\\" for the snapshot \\"saved\\"',
    )
  })

  it('is accepted with the permission to restore this snapshot', async () => {
    expect((await restore('restorer')).status).toBe(201)
    expect((await restore('restorer', 'other')).status).toBe(403)
  })

  it('is accepted with the permission to fork the sandbox of the snapshot', async () => {
    expect((await restore('forker')).status).toBe(201)
    expect((await restore('forker', 'other')).status).toBe(403)
  })
})
