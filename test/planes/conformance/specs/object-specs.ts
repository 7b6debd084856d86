import { describe, expect, test } from 'vitest'
import type { PlaneClient } from '../plane-client.ts'
import { failure, MERGE, STRATEGIC } from '../suite.ts'

/** The requests of specs of Kubernetes' e2e suite about single kinds. */
export function objectSpecs(plane: () => PlaneClient): void {
  const namespace = 'e2e-objects'
  const core = `/api/v1/namespaces/${namespace}`

  const call = (method: string, path: string, body: unknown, type = 'application/json') =>
    plane().call(method, path, { body, type })

  describe('specs about objects', () => {
    test('ResourceQuota should apply changes to a resourcequota status', async () => {
      await call('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
      const quotas = `${core}/resourcequotas`
      const hard = { cpu: '500m', memory: '500Mi' }
      const created = await call('POST', quotas, { metadata: { name: 'q' }, spec: { hard } })
      expect(created.status).toBe(201)
      const { body: read } = await plane().call('GET', `${quotas}/q`)
      expect(read.status).toEqual({ hard, used: { cpu: '0', memory: '0' } })
      await using watch = await plane().watch(quotas, {
        resourceVersion: created.body.metadata.resourceVersion,
      })
      await call('PUT', `${quotas}/q/status`, { ...read, status: { hard } })
      expect((await watch.next())?.object.status.hard).toEqual(hard)
      const more = { cpu: '1', memory: '1Gi' }
      await call('PATCH', `${quotas}/q`, { spec: { hard: more } }, STRATEGIC)
      await call('PATCH', `${quotas}/q/status`, { status: { hard: more } }, STRATEGIC)
      expect((await watch.next())?.object.status.hard).toEqual(more)
      const twice = { cpu: '2', memory: '2Gi' }
      const again = await call(
        'PATCH',
        `${quotas}/q/status`,
        { status: { hard: twice } },
        STRATEGIC,
      )
      expect(again.body.status.hard).toEqual(twice)
      expect((await watch.next())?.object.status.hard).toEqual(twice)
      const reset = await plane().call('GET', `${quotas}/q/status`)
      expect(reset.body).toMatchObject({ spec: { hard: more }, status: { hard: more } })
    })

    test('bindings with empty groups get those of their kinds', async () => {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`
      const group = 'rbac.authorization.k8s.io'
      const created = await call('POST', path, {
        metadata: { name: 'b' },
        roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'view' },
        subjects: [
          { apiGroup: '', kind: 'User', name: 'a' },
          { apiGroup: '', kind: 'ServiceAccount', name: 'default', namespace },
        ],
      })
      expect(created).toMatchObject({
        status: 201,
        body: {
          roleRef: { apiGroup: group },
          subjects: [{ apiGroup: group }, { name: 'default' }],
        },
      })
      const same = await call('PATCH', `${path}/b`, { roleRef: { apiGroup: '' } }, MERGE)
      expect(same.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion)
    })

    test('Namespaces should apply changes to a namespace status', async () => {
      const status = `/api/v1/namespaces/${namespace}/status`
      const conditions = [{ type: 'StatusPatch', status: 'True', reason: 'E2E' }]
      const change = { metadata: { annotations: { patched: 'yes' } }, status: { conditions } }
      const patched = await call('PATCH', status, change, MERGE)
      expect(patched.body).toMatchObject({ metadata: { annotations: { patched: 'yes' } } })
      const { body } = await plane().call('GET', `/api/v1/namespaces/${namespace}`)
      expect(body.metadata.annotations).toEqual({ patched: 'yes' })
      const updated = await call('PUT', status, {
        ...body,
        spec: { finalizers: [] },
        metadata: { ...body.metadata, annotations: {} },
      })
      expect(updated.body).toMatchObject({ spec: body.spec, metadata: { annotations: {} } })
    })

    test('finalizers of native kinds need a domain', async () => {
      const maps = `${core}/configmaps`
      const map = (name: string, finalizer: string) => ({
        metadata: { name, finalizers: [finalizer] },
      })
      expect(await call('POST', maps, map('f', 'nodomain'))).toMatchObject({
        ...failure(422, 'Invalid'),
        body: { details: { causes: [{ field: 'metadata.finalizers[0]' }] } },
      })
      expect((await call('POST', maps, map('f', 'orphan'))).status).toBe(201)
    })
  })
}
