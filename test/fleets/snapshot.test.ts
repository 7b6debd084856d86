import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../planes/identities.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

interface Part {
  readonly group: string
  readonly resource: string
  readonly itemCount: number
  readonly items: readonly { readonly metadata: Readonly<Record<string, unknown>> }[]
}

const GROUPS = ['example.com', 'example.org']

function definition(group: string): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
        },
      ],
    },
  }
}

describe('the snapshot of a plane', () => {
  let server: TestServer
  let plane: string

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLE: 'all' } })
    const { body } = await server.post('/clusters', { kind: 'Cluster', name: 'one', spec: {} })
    plane = `/clusters/${body.id}/control-plane`
    await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })
    for (const group of GROUPS) {
      await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(group))
      const path = `/apis/${group}/v1/namespaces/default/widgets`
      const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' } }
      while ((await post(path, widget)).status !== 201) await sleep(20)
    }
  })
  afterAll(() => server[Symbol.asyncDispose]())

  async function post(path: string, body: object): Promise<Response> {
    return fetch(server.origin + plane + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })
  }

  const get = (path: string) => fetch(server.origin + plane + path)

  async function partsOf(query: string): Promise<readonly Part[]> {
    const response = await get(`/snapshot?warm=true${query}`)
    expect(response.status).toBe(200)
    return JSON.parse(await response.text()).resources
  }

  const namesOf = (parts: readonly Part[]) =>
    parts.map(({ group, resource }) => (group === '' ? resource : `${resource}.${group}`))

  it('includes objects of the plane and custom resources beside clusters, nodepools and statuses', async () => {
    await server.post(`${plane.split('/').slice(0, 3).join('/')}/nodepools`, {
      kind: 'NodePool',
      name: 'pool',
      spec: {},
    })
    const names = namesOf(await partsOf(''))
    expect(names).toEqual(
      expect.arrayContaining([
        'clusters.hyperfleet',
        'nodepools.hyperfleet',
        'configmaps',
        'customresourcedefinitions.apiextensions.k8s.io',
        'widgets.example.com',
        'widgets.example.org',
      ]),
    )
    const all = namesOf(await partsOf('&includeEmpty=true'))
    expect(all).toContain('statuses.hyperfleet')
  })

  it('filters by plural', async () => {
    expect(namesOf(await partsOf('&resource=pods,configmaps'))).toEqual(['configmaps'])
    expect(namesOf(await partsOf('&resource=clusters'))).toEqual(['clusters.hyperfleet'])
  })

  it('filters by plural and group if the plural is ambiguous', async () => {
    expect(namesOf(await partsOf('&resource=widgets'))).toEqual([
      'widgets.example.com',
      'widgets.example.org',
    ])
    expect(namesOf(await partsOf('&resource=widgets.example.org'))).toEqual(['widgets.example.org'])
  })

  it('has no items for unknown names', async () => {
    expect(await partsOf('&resource=pods')).toEqual([])
    expect(await partsOf('&resource=pods&strict=false')).toEqual([])
  })

  it('rejects unknown names if it is strict', async () => {
    const response = await get('/snapshot?resource=pods,configmaps&strict=true')
    expect(response.status).toBe(400)
    expect((await get('/snapshot?resource=configmaps&strict=true')).status).toBe(200)
  })

  it('is always strict below the HyperFleet API', async () => {
    const [, , cluster = ''] = plane.split('/')
    expect((await server.get(`/clusters/${cluster}/snapshot?resource=pods`)).status).toBe(400)
    const known = await server.get(`/clusters/${cluster}/snapshot?resource=nodepools`)
    expect(known.status).toBe(200)
  })

  it('keeps the group hyperfleet for parts of the HyperFleet API', async () => {
    const parts = await partsOf('&resource=clusters,nodepools,statuses&includeEmpty=true')
    expect(new Set(parts.map(({ group }) => group))).toEqual(new Set(['hyperfleet']))
  })

  it('has problems as errors, while other errors in a plane are Status objects', async () => {
    const missing = '/clusters/missing/control-plane'
    const snapshot = await fetch(`${server.origin}${missing}/snapshot`)
    expect(snapshot.status).toBe(404)
    expect(snapshot.headers.get('content-type')).toContain('application/problem+json')
    const other = await fetch(`${server.origin}${missing}/api/v1/namespaces`)
    expect(JSON.parse(await other.text())).toMatchObject({ kind: 'Status', code: 404 })
    const invalid = await get('/snapshot?warm=maybe')
    expect(invalid.status).toBe(400)
    expect(invalid.headers.get('content-type')).toContain('application/problem+json')
  })

  it('omits managedFields', async () => {
    const text = await (await get('/snapshot?warm=true')).text()
    expect(text).toContain('"configmaps"')
    expect(text).not.toContain('managedFields')
  })

  it('sends deltas with watch=true', async () => {
    const stopped = new AbortController()
    const response = await fetch(
      `${server.origin}${plane}/snapshot?watch=true&resource=configmaps`,
      {
        signal: stopped.signal,
      },
    )
    let text = ''
    for await (const chunk of response.body ?? []) {
      if (text === '')
        await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'b' } })
      text += Buffer.from(chunk).toString()
      if (text.includes('"ADDED"')) break
    }
    stopped.abort()
    expect(text).toContain('"SNAPSHOT"')
    expect(text).toContain('"resource":"configmaps"')
  })

  it('names the cluster and the time in headers', async () => {
    const { headers } = await get('/snapshot?warm=true')
    expect(headers.get('x-snapshot-cluster')).toBe(plane.split('/')[2])
    expect(headers.get('x-snapshot-time')).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('is available when readyz is 200', async () => {
    expect((await get('/readyz')).status).toBe(200)
    const missing = await fetch(`${server.origin}/clusters/missing/control-plane/readyz`)
    expect(missing.status).toBe(404)
  })
})

describe('the snapshot of a plane with authorization', () => {
  let planes: PlaneServer
  let plane: string

  beforeAll(async () => {
    planes = await startPlaneServer()
    const cluster = { metadata: { name: 'one' }, spec: {} }
    await planes.call(ROOT, 'POST', '/apis/hyperfleet.io/v1/clusters', cluster)
    plane = '/clusters/one/control-plane'
    for (const resource of ['configmaps', 'secrets']) {
      const path = `${plane}/api/v1/namespaces/default/${resource}`
      await planes.call(ROOT, 'POST', path, { metadata: { name: 'a' } })
    }
  })
  afterAll(() => planes[Symbol.asyncDispose]())

  it('contains only objects that the caller may list', async () => {
    const reader = bearerOf('reader@example.com')
    const grant = async (at: string, role: string) => {
      const { status } = await planes.call(
        ROOT,
        'POST',
        `${at}/apis/rbac.authorization.k8s.io/v1/clusterrolebindings`,
        {
          metadata: { name: 'reader' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
          subjects: [
            { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader@example.com' },
          ],
        },
      )
      expect(status).toBe(201)
    }
    await grant('', 'hyperfleet-reader')
    await grant(plane, 'view')
    const path = `${plane}/snapshot?warm=true&resource=configmaps,secrets`
    const namesFor = async (as: string) => {
      const { body } = await planes.call(as, 'GET', path)
      return body.resources.map(({ resource }: Part) => resource)
    }
    expect(await namesFor(ROOT)).toEqual(['configmaps', 'secrets'])
    await expect.poll(() => namesFor(reader)).toEqual(['configmaps'])
  })
})
