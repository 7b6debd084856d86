import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { conditionsOf, creation, report } from '../support/fixtures.ts'
import { sandbox } from '../sandbox/kind.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

describe('a kind that shared code does not name', () => {
  let server: TestServer
  let parent: string
  let collection: string
  let count = 0

  beforeAll(async () => {
    server = await startTestServer({ kinds: [...kinds, sandbox] })
    parent = (await server.post('/clusters', creation('Cluster'))).body.id
    collection = `/clusters/${parent}/sandboxes`
  })
  afterAll(() => server[Symbol.asyncDispose]())

  function body(members: object = {}) {
    count += 1
    return { kind: 'Sandbox', name: `s${count}`, spec: { image: 'alpine' }, ...members }
  }
  const make = async (members: object = {}) => (await server.post(collection, body(members))).body

  test('is created below its parent and read on both paths', async () => {
    const sent = body({ labels: { a: 'b' } })
    const answer = await server.post(collection, sent)
    expect(answer).toMatchObject({ status: 201, body: sent })
    const { id, href, owner_references: owner } = answer.body
    expect(href).toBe(`/api/hyperfleet/v1/sandboxes/${id}`)
    expect(answer.headers.get('location')).toBe(href)
    expect(owner).toEqual({
      kind: 'Cluster',
      id: parent,
      href: `/api/hyperfleet/v1/clusters/${parent}`,
    })
    for (const path of [href, `${collection}/${id}`]) {
      expect((await server.get(path)).body).toEqual(answer.body)
    }
  })

  test('is validated by its own rules', async () => {
    const detail = async (members: object) => {
      const answer = await server.post(collection, body(members))
      expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
      return answer.body.detail
    }
    expect(await detail({ kind: 'NodePool' })).toContain("kind must be 'Sandbox'")
    expect(await detail({ name: 's' })).toContain('name must be at least 2 characters')
    expect(await detail({ name: 'sandboxes' })).toContain('name must be at most 8 characters')
    expect(await detail({ spec: {} })).toContain('spec.image is required')
    expect(await detail({ spec: { image: 'a', replicas: -1 } })).toContain('spec.replicas')
    expect(await detail({ spec: { image: 5, replicas: 1.5 } })).toMatch(
      /spec\.image.*spec\.replicas/,
    )
  })

  test('has unique names within its parent, and errors with its own name', async () => {
    const { name } = await make()
    const taken = await server.post(collection, body({ name }))
    expect(taken).toMatchObject({ status: 409, body: { code: 'HYPERFLEET-CNF-001' } })
    expect(taken.body.detail).toContain('This Sandbox already exists')
    const other = (await server.post('/clusters', creation('Cluster'))).body
    expect((await server.post(`/clusters/${other.id}/sandboxes`, body({ name }))).status).toBe(201)
    const missing = await server.get('/sandboxes/nowhere')
    expect(missing.body.detail).toBe("Sandbox with id='nowhere' not found")
    const orphan = await server.post('/clusters/nowhere/sandboxes', body())
    expect(orphan.body.detail).toBe("Cluster with id='nowhere' not found")
  })

  test('is patched', async () => {
    const { id } = await make()
    const path = `${collection}/${id}`
    expect((await server.patch(path, { spec: { image: 'debian' } })).body).toMatchObject({
      generation: 2,
      spec: { image: 'debian' },
    })
    expect((await server.patch(`/sandboxes/${id}`, { labels: { a: 'c' } })).body.labels).toEqual({
      a: 'c',
    })
    expect((await server.patch(path, { spec: {} })).status).toBe(400)
    expect((await server.patch(path, {})).status).toBe(400)
  })

  test('accepts reports and follows its own required adapters', async () => {
    const { id } = await make()
    const statuses = `${collection}/${id}/statuses`
    expect((await server.post(statuses, report('runner'))).status).toBe(201)
    const shown = async () => conditionsOf((await server.get(`/sandboxes/${id}`)).body)
    expect((await shown()).get('Ready')).toMatchObject({ status: 'False', observed_generation: 1 })
    expect((await server.post(`/sandboxes/${id}/statuses`, report('net'))).status).toBe(201)
    const conditions = await shown()
    expect(conditions.get('Ready')).toMatchObject({
      status: 'True',
      message: 'Sandbox is as declared',
    })
    expect(conditions.get('Available')).toMatchObject({
      status: 'True',
      message: 'Sandbox can be entered',
    })
    expect(conditions.get('RunnerSuccessful')).toMatchObject({ status: 'True' })
    const list = await server.get(`${statuses}?orderBy=adapter`)
    expect(list.body).toMatchObject({
      total: 2,
      items: [{ adapter: 'net' }, { adapter: 'runner' }],
    })
    const wrong = await server.post(`/nodepools/${id}/statuses`, report('net'))
    expect(wrong.status).toBe(404)
  })

  test('is listed, searched and ordered', async () => {
    const { id, name } = await make({ labels: { tier: 'gold' } })
    for (const path of [collection, '/sandboxes']) {
      const search = encodeURIComponent(`owner_id='${parent}' and labels.tier='gold'`)
      const list = await server.get(
        `${path}?search=${search}&orderBy=name desc&fields=name,owner_references`,
      )
      expect(list.body).toMatchObject({ kind: 'SandboxList', total: 1, items: [{ id, name }] })
    }
    expect((await server.get('/nodepools')).body.total).toBe(0)
    expect((await server.get('/sandboxes?pageSize=1')).body.total).toBeGreaterThan(1)
    expect((await server.get('/clusters/nowhere/sandboxes')).status).toBe(404)
  })

  test('has the routes of every kind with a parent', async () => {
    const allowed = async (path: string) =>
      (await server.request('PROPFIND', path)).headers.get('allow')
    expect(await allowed('/sandboxes')).toBe('GET, HEAD')
    expect(await allowed(collection)).toBe('GET, HEAD, POST')
    for (const item of ['/sandboxes/x', `${collection}/x`]) {
      expect(await allowed(item)).toBe('DELETE, GET, HEAD, PATCH')
      expect(await allowed(`${item}/statuses`)).toBe('GET, HEAD, POST, PUT')
      expect(await allowed(`${item}/force-delete`)).toBe('POST')
    }
  })

  test('is in the OpenAPI document', async () => {
    const { paths, components, tags } = (await server.get('/openapi')).body
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/sandboxes',
        '/clusters/{cluster_id}/sandboxes/{sandbox_id}/statuses',
      ]),
    )
    expect(components.schemas.SandboxSpec.required).toEqual(['image'])
    expect(components.schemas.SandboxCreateRequest.properties.name).toMatchObject({
      minLength: 2,
      maxLength: 8,
    })
    expect(tags).toContainEqual({ name: 'Sandbox' })
  })

  test('takes its required adapters from configuration', async () => {
    const env = { HYPERFLEET_SANDBOX_ADAPTERS: '["only"]' }
    await using configured = await startTestServer({ kinds: [...kinds, sandbox], env })
    const cluster = (await configured.post('/clusters', creation('Cluster'))).body
    const { id } = (await configured.post(`/clusters/${cluster.id}/sandboxes`, body())).body
    await configured.post(`/sandboxes/${id}/statuses`, report('only'))
    const shown = conditionsOf((await configured.get(`/sandboxes/${id}`)).body)
    expect(shown.get('Ready')).toMatchObject({ status: 'True' })
  })
})

describe('shared code', () => {
  /** They address the planes of clusters. */
  const ALLOWED = /^(access\/access-settings\.ts$|(audit|shards|snapshots)\/http\/)/
  const NOT_SHIPPED = /(\.test|\/fixtures)\.ts$/

  /** The code without comments; strings that contain comment signs stay. */
  function codeOf(text: string): string {
    return text.replaceAll(
      /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[^]*?\*\/|\/\/.*/g,
      (_all, string: string | undefined) => string ?? '',
    )
  }

  /** Names of built-in kinds, in any case and number, also as parts of other names. */
  function kindNamesIn(code: string): readonly string[] {
    return code.match(/cluster|node_?-?pool/gi) ?? []
  }

  test('is separated from its comments', () => {
    expect(codeOf("a('//x') // Cluster\n/* node\npool */ b")).toBe("a('//x') \n b")
    for (const code of ['isCluster', "'clusters'", 'NODE_POOL', 'nodePools', '`node-pool`']) {
      expect(kindNamesIn(codeOf(code))).toHaveLength(1)
    }
  })

  test('names no kind', async () => {
    const root = new URL('../../src/', import.meta.url)
    const capabilities = ['access/', 'adapter-work/', 'audit/', 'history/', 'overview/', 'shards/']
    const more = ['snapshots/', 'store/', 'telemetry/', 'webhooks/', 'http/', 'lib/']
    const parts = ['hyperfleet/configured-kinds/', 'hyperfleet/statuses/']
    const folders = [...capabilities, ...more, ...parts]
    const found: string[] = []
    let files = 0
    for (const folder of folders) {
      const entries = await readdir(fileURLToPath(new URL(folder, root)), { recursive: true })
      const paths = entries.map((entry) => folder + entry).filter((path) => path.endsWith('.ts'))
      for (const path of paths.filter((path) => !NOT_SHIPPED.test(path) && !ALLOWED.test(path))) {
        files += 1
        const names = kindNamesIn(codeOf(await readFile(new URL(path, root), 'utf8')))
        if (names.length > 0) found.push(`${path}: ${names.join(', ')}`)
      }
    }
    expect(files).toBeGreaterThan(100)
    expect(found).toEqual([])
  })
})
