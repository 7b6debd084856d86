import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeTenant } from '../../../src/access/tenant.ts'
import { tenantPlaneOf } from '../../../src/access/tenant-plane.ts'
import { TENANT_ENV } from '../../auth/tenants.ts'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../../planes/identities.ts'

const AGENTS = '/apis/agents.x-k8s.io/v1beta1/namespaces'
const TEMPLATES = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/default/sandboxtemplates'
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const ACME = encodeTenant({ org: 'acme', project: 'web' })
const SYSTEM = `${ROOT}\nX-HyperFleet-System: true`
const of = (org: string): string => `${ROOT}\nX-Tenant-Org: ${org}\nX-Tenant-Project: web`

const podTemplate = (image: string) => ({
  spec: { containers: [{ name: 'main', image, command: ['true'] }] },
})

/** Registers images on a runtime that no process renews. */
async function registerImages(planes: PlaneServer, as: string): Promise<void> {
  const runtime = { metadata: { name: 'local' }, spec: { endpoint: 'unix:/none' } }
  const created = await planes.call(as, 'POST', RUNTIMES, runtime)
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const digest = `sha256:${'0'.repeat(64)}`
  const images = [
    { name: 'shared', digest },
    { name: 'of-acme', digest, tenant: ACME },
    { name: 'of-team', digest, namespace: 'team' },
  ]
  const status = { ...created.body, status: { images } }
  expect((await planes.call(as, 'PUT', `${RUNTIMES}/local/status`, status)).status).toBe(200)
}

describe('an image for one namespace, with roles', () => {
  let planes: PlaneServer
  beforeAll(async () => {
    planes = await startPlaneServer()
    await planes.call(ROOT, 'POST', '/api/v1/namespaces', { metadata: { name: 'team' } })
    const subject = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ada@example.com' }
    await planes.call(ROOT, 'POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'ada' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
      subjects: [subject],
    })
    await registerImages(planes, ROOT)
  })
  afterAll(() => planes[Symbol.asyncDispose]())

  let names = 0
  const create = (as: string, namespace: string, image: string) => {
    const metadata = { name: `box-${(names += 1)}` }
    const spec = { podTemplate: podTemplate(image), operatingMode: 'Suspended' }
    return planes.call(as, 'POST', `${AGENTS}/${namespace}/sandboxes`, { metadata, spec })
  }

  it.each([
    ['team', 'of-team', 201],
    ['team', 'shared', 201],
    ['default', 'shared', 201],
    ['default', 'unregistered', 201],
    ['default', 'of-team', 403],
    ['team', 'of-acme', 403],
  ])('answers a sandbox in %s with the image %s by %d', async (namespace, image, status) => {
    const answers = [await create(bearerOf('ada@example.com'), namespace, image)]
    // An image is for namespaces, whatever the roles of a user.
    answers.push(await create(ROOT, namespace, image))
    expect(answers.map((answer) => answer.status)).toEqual([status, status])
    if (status === 201) return
    expect(answers[0]?.body.message).toContain(`the image "${image}" is registered for other`)
  })

  it('is rejected in templates, and in changes of sandboxes', async () => {
    const template = {
      metadata: { name: 'template' },
      spec: { podTemplate: podTemplate('of-team') },
    }
    expect((await planes.call(ROOT, 'POST', TEMPLATES, template)).status).toBe(403)
    const { body } = await create(ROOT, 'default', 'shared')
    const path = `${AGENTS}/default/sandboxes/${body.metadata.name}`
    const changed = { ...body, spec: { ...body.spec, podTemplate: podTemplate('of-team') } }
    expect((await planes.call(ROOT, 'PUT', path, changed)).status).toBe(403)
  })
})

describe('an image for one tenant', () => {
  let planes: PlaneServer
  beforeAll(async () => {
    planes = await startPlaneServer(TENANT_ENV)
    for (const org of ['acme', 'umbrella']) {
      const name = tenantPlaneOf(encodeTenant({ org, project: 'web' }))
      const rule = { apiGroups: ['hyperfleet.io'], resources: ['tenants'], verbs: ['admin'] }
      await planes.call(SYSTEM, 'POST', `${RBAC}/clusterroles`, {
        metadata: { name: org },
        rules: [{ ...rule, resourceNames: [name] }],
      })
      await planes.call(SYSTEM, 'POST', `${RBAC}/clusterrolebindings`, {
        metadata: { name: org },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: org },
        subjects: [
          { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'root@example.com' },
        ],
      })
    }
    await registerImages(planes, SYSTEM)
  })
  afterAll(() => planes[Symbol.asyncDispose]())

  it.each([
    ['acme', 'of-acme', 201],
    ['acme', 'shared', 201],
    ['umbrella', 'shared', 201],
    ['umbrella', 'of-acme', 403],
  ])('answers a sandbox of %s with the image %s by %d', async (org, image, status) => {
    const cluster = await planes.call(of(org), 'POST', '/api/hyperfleet/v1/clusters', {
      kind: 'Cluster',
      name: image,
      spec: {},
    })
    expect(cluster.status, JSON.stringify(cluster.body)).toBe(201)
    const spec = { podTemplate: podTemplate(image), operatingMode: 'Suspended' }
    for (const plane of ['', `/clusters/${cluster.body.id}/control-plane`]) {
      const path = `${plane}${AGENTS}/default/sandboxes`
      const answer = await planes.call(of(org), 'POST', path, { metadata: { name: image }, spec })
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    }
  })
})
