import { afterAll, beforeAll, expect, it } from 'vitest'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../planes/identities.ts'

const FLEETS = '/apis/kplane.dev/v1/fleets'
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'

let planes: PlaneServer

beforeAll(async () => {
  planes = await startPlaneServer()
  await planes.call(ROOT, 'POST', FLEETS, { metadata: { name: 'rl' }, spec: { replicas: 0 } })
  for (const role of ['view', 'edit', 'kplane-claim']) {
    const { status } = await planes.call(ROOT, 'POST', BINDINGS, {
      metadata: { name: role },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: `${role}@example.com` },
      ],
    })
    if (status !== 201) throw new Error(`the role ${role} was not bound: ${status}`)
  }
})
afterAll(() => planes[Symbol.asyncDispose]())

async function isForbidden(user: string, method: string, path: string): Promise<boolean> {
  const as = bearerOf(`${user}@example.com`)
  const body = method === 'POST' ? { metadata: { name: user }, spec: { replicas: 0 } } : undefined
  return (await planes.call(as, method, path, body)).status === 403
}

it.each([
  ['nobody', ['GET', FLEETS], true],
  ['nobody', ['POST', `${FLEETS}/rl/claim`], true],
  ['view', ['GET', FLEETS], false],
  ['view', ['GET', `${FLEETS}/rl/members`], false],
  ['view', ['GET', `${FLEETS}/rl/members?watch=true&timeoutSeconds=1`], false],
  ['view', ['POST', FLEETS], true],
  ['view', ['POST', `${FLEETS}/rl/claim`], true],
  ['edit', ['POST', FLEETS], false],
  ['edit', ['POST', `${FLEETS}/rl/claim`], false],
  ['edit', ['POST', `${FLEETS}/rl/members`], true],
  ['edit', ['POST', `${FLEETS}/rl/comparison`], true],
  ['kplane-claim', ['POST', `${FLEETS}/rl/claim`], false],
  ['kplane-claim', ['POST', `${FLEETS}/rl/renew`], false],
  ['kplane-claim', ['POST', `${FLEETS}/rl/release`], false],
  ['kplane-claim', ['GET', FLEETS], true],
])('R32: the role %s decides about %j: forbidden is %s', async (user, [method, path], expected) => {
  await expect.poll(() => isForbidden(user, method ?? '', path ?? '')).toBe(expected)
})
