import { describe, expect, test } from 'vitest'
import type { PlaneClient } from '../plane-client.ts'
import { failure } from '../suite.ts'

const MAPS = '/api/v1/namespaces/kube-public/configmaps'
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'

/** The requests of specs of Kubernetes' e2e suite about HTTP, options and lists. */
export function requestSpecs(plane: () => PlaneClient): void {
  const list = (path: string, query: Readonly<Record<string, string>> = {}) =>
    plane().call('GET', path, { query })
  const create = (path: string, body: unknown) => plane().call('POST', path, { body })

  describe('specs about requests', () => {
    test('Server request timeout should be 400 if the timeout is invalid', async () => {
      const invalid = await list('/api/v1/namespaces', { timeout: 'invalid' })
      expect(invalid).toMatchObject(failure(400, 'BadRequest'))
      expect(invalid.body.message).toBe('invalid timeout specified in the request URL')
      expect((await list('/api/v1/namespaces', { timeout: '1m30s' })).status).toBe(200)
    })

    test('responses have an audit id, also failed ones', async () => {
      const headers = { 'X-Request-ID': 'one' }
      const found = await plane().call('GET', '/api/v1/namespaces', { headers })
      expect(found.headers.get('audit-id')).toBe('one')
      const missing = await plane().call('GET', `${MAPS}/missing`)
      expect(missing.headers.get('audit-id')).toBe(missing.headers.get('x-request-id'))
    })

    test('clients repeat a request for a revision of the future', async () => {
      const { body } = await list(MAPS)
      const resourceVersion = String(BigInt(body.metadata.resourceVersion) + 1_000_000n)
      const { status, headers } = await list(MAPS, { resourceVersion })
      expect([status, headers.get('retry-after')]).toEqual([504, '1'])
    })

    test.each([
      [{ propagationPolicy: 'Later' }, 'propagationPolicy'],
      [{ propagationPolicy: 'Orphan', orphanDependents: 'true' }, 'propagationPolicy'],
      [{ dryRun: 'Some' }, 'dryRun'],
    ])('options of a deletion have causes: %j', async (query, field) => {
      await create(MAPS, { metadata: { name: 'kept' } })
      const response = await plane().call('DELETE', `${MAPS}/kept`, { query })
      expect(response).toMatchObject({
        ...failure(422, 'Invalid'),
        body: { details: { group: 'meta.k8s.io', kind: 'DeleteOptions', causes: [{ field }] } },
      })
      expect((await plane().call('GET', `${MAPS}/kept`)).status).toBe(200)
    })

    test.each([
      { resourceVersionMatch: 'Exact' },
      { resourceVersion: '1', resourceVersionMatch: 'Newest' },
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
    ])('options of a list have causes: %j', async (query) => {
      expect(await list(MAPS, query)).toMatchObject({
        ...failure(422, 'Invalid'),
        body: { details: { kind: 'ListOptions', causes: [{ field: 'resourceVersionMatch' }] } },
      })
    })

    test('Tables of a resource without metadata are 406', async () => {
      const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      const body = { spec: { resourceAttributes: { verb: 'get', resource: 'secrets' } } }
      const table = await plane().call('POST', reviews, { body, accept: TABLE })
      expect(table).toMatchObject(failure(406, 'NotAcceptable'))
      const accept = `${TABLE},application/json`
      const review = await plane().call('POST', reviews, { body, accept })
      expect(review.body.kind).toBe('SelfSubjectAccessReview')
    })

    test('List of client-go: items of native kinds have no kind', async () => {
      await create(MAPS, { metadata: { name: 'listed' } })
      const query = { fieldSelector: 'metadata.name=listed' }
      const { body } = await list(MAPS, query)
      expect(Object.keys(body.items[0])).toEqual(['metadata'])
      const accept =
        'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
      const metadata = await plane().call('GET', MAPS, { query, accept })
      expect(metadata.body.kind).toBe('PartialObjectMetadataList')
      expect(Object.keys(metadata.body.items[0])).toEqual(['metadata'])
    })

    test('pages have the number of the remaining objects', async () => {
      const maps = '/api/v1/namespaces/kube-node-lease/configmaps'
      for (const name of ['a', 'b', 'c', 'd', 'e']) await create(maps, { metadata: { name } })
      const first = await list(maps, { limit: '2' })
      expect(first.body.metadata.remainingItemCount).toBe(3)
      const token = first.body.metadata.continue
      const second = await list(maps, { limit: '2', continue: token })
      expect(second.body.metadata.remainingItemCount).toBe(1)
      const last = await list(maps, { limit: '2', continue: second.body.metadata.continue })
      expect(last.body.metadata.remainingItemCount).toBeUndefined()
      const accounts = await list('/api/v1/namespaces', { limit: '1' })
      const all = await list('/api/v1/namespaces')
      expect(accounts.body.metadata.remainingItemCount).toBe(all.body.items.length - 1)
      const selected = await list(maps, { limit: '1', labelSelector: '!x' })
      expect(selected.body.metadata).not.toHaveProperty('remainingItemCount')
    })

    test('Events API should list events with field selection filtering on source', async () => {
      const events = '/api/v1/namespaces/kube-public/events'
      const regarding = { kind: 'ConfigMap', name: 'a', namespace: 'kube-public' }
      await create('/apis/events.k8s.io/v1/namespaces/kube-public/events', {
        metadata: { name: 'new' },
        regarding,
        reportingController: 'source-a',
        reportingInstance: 'i',
        action: 'Do',
        reason: 'R',
        type: 'Normal',
        eventTime: '2026-01-01T00:00:00.000000Z',
      })
      const source = { component: 'source-b' }
      const old = { metadata: { name: 'old' }, involvedObject: regarding, source }
      expect((await create(events, old)).status).toBe(201)
      const names = async (fieldSelector: string) => {
        const { body } = await list(events, { fieldSelector })
        return body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
      }
      expect(await names('source=source-a')).toEqual(['new'])
      expect(await names('source=source-b')).toEqual(['old'])
      await using watch = await plane().watch(events, { fieldSelector: 'source=source-b' })
      expect((await watch.next())?.object.metadata.name).toBe('old')
    })

    test('kubectl explain describes metadata as Kubernetes does', async () => {
      const { body } = await plane().call('GET', '/openapi/v3/api/v1')
      const { properties } = body.components.schemas['io.k8s.api.core.v1.ConfigMap']
      expect(properties.apiVersion.description).toMatch(/^APIVersion defines /)
      const meta = body.components.schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']
      expect(properties.metadata.description).toMatch(/^Standard object's metadata/)
      expect(meta.properties.creationTimestamp.description).toMatch(
        /^CreationTimestamp is a timestamp /,
      )
    })
  })
}
