import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
  V1MicroTime,
  type V1ConfigMap,
  VersionApi,
  Watch,
} from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const NAMESPACE = 'javascript'

let server: TestServer
let config: KubeConfig
let core: CoreV1Api

beforeAll(async () => {
  server = await startTestServer()
  const cluster = await server.post('/clusters', { kind: 'Cluster', name: 'javascript', spec: {} })
  config = new KubeConfig()
  config.loadFromOptions({
    clusters: [
      {
        name: 'plane',
        server: `${server.origin}/clusters/${cluster.body.id}/control-plane`,
        // The client rejects plain HTTP otherwise.
        skipTLSVerify: true,
      },
    ],
    users: [{ name: 'user' }],
    contexts: [{ name: 'plane', cluster: 'plane', user: 'user' }],
    currentContext: 'plane',
  })
  core = config.makeApiClient(CoreV1Api)
  await core.createNamespace({ body: { metadata: { name: NAMESPACE } } })
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (name: string, data: Record<string, string> = {}) =>
  core.createNamespacedConfigMap({ namespace: NAMESPACE, body: { metadata: { name }, data } })

const patched = (type: string) => setHeaderOptions('Content-Type', type)

describe('the JavaScript client of Kubernetes', () => {
  test('reads the version and the resources', async () => {
    const version = await config.makeApiClient(VersionApi).getCode()
    expect(version.gitVersion).toBe('v1.35.0+flotilla')
    const { resources } = await core.getAPIResources()
    expect(resources.map(({ name }) => name)).toContain('configmaps')
  })

  test('creates, reads, replaces, lists and deletes', async () => {
    const created = await create('life', { a: '1' })
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date)
    const target = { name: 'life', namespace: NAMESPACE }
    const read = await core.readNamespacedConfigMap(target)
    expect(read.data).toEqual({ a: '1' })
    const replaced = await core.replaceNamespacedConfigMap({
      ...target,
      body: { ...read, data: { a: '2' } },
    })
    expect(replaced.data).toEqual({ a: '2' })
    const stale = core.replaceNamespacedConfigMap({ ...target, body: { ...read, data: {} } })
    await expect(stale).rejects.toMatchObject({ code: 409 })
    const list = await core.listNamespacedConfigMap({
      namespace: NAMESPACE,
      fieldSelector: 'metadata.name=life',
    })
    expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(['life'])
    await core.deleteNamespacedConfigMap(target)
    await expect(core.readNamespacedConfigMap(target)).rejects.toBeInstanceOf(ApiException)
  })

  test('R20, R21: patches and applies', async () => {
    await create('patched', { a: '1' })
    const target = { name: 'patched', namespace: NAMESPACE }
    const merged = await core.patchNamespacedConfigMap(
      { ...target, body: { data: { b: '2' } } },
      patched(PatchStrategy.MergePatch),
    )
    expect(merged.data).toEqual({ a: '1', b: '2' })
    const json = await core.patchNamespacedConfigMap(
      { ...target, body: [{ op: 'remove', path: '/data/a' }] },
      patched(PatchStrategy.JsonPatch),
    )
    expect(json.data).toEqual({ b: '2' })
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'patched' },
      data: { c: '3' },
    }
    const applied = await core.patchNamespacedConfigMap(
      { ...target, fieldManager: 'js', body },
      patched(PatchStrategy.ServerSideApply),
    )
    expect(applied.data).toEqual({ b: '2', c: '3' })
    expect(applied.metadata?.managedFields?.map(({ manager }) => manager)).toContain('js')
  })

  test('R17: an informer follows every change', async () => {
    await create('informed-a')
    const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`
    const informer = makeInformer(config, path, () =>
      core.listNamespacedConfigMap({ namespace: NAMESPACE }),
    )
    const seen: string[] = []
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) => {
        if (metadata?.name?.startsWith('informed') === true) seen.push(`${verb} ${metadata.name}`)
      })
    }
    await informer.start()
    await create('informed-b')
    const target = { name: 'informed-b', namespace: NAMESPACE }
    const body = { data: { x: 'y' } }
    await core.patchNamespacedConfigMap({ ...target, body }, patched(PatchStrategy.MergePatch))
    await core.deleteNamespacedConfigMap(target)
    await expect
      .poll(() => seen)
      .toEqual(['add informed-a', 'add informed-b', 'update informed-b', 'delete informed-b'])
    expect(informer.get('informed-a', NAMESPACE)).toBeDefined()
    await informer.stop()
  })

  test('R16: a watch with a label selector sends the matching changes', async () => {
    const events: string[] = []
    const watch = await new Watch(config).watch(
      `/api/v1/namespaces/${NAMESPACE}/configmaps`,
      { labelSelector: 'watched=yes' },
      (phase, { metadata }: V1ConfigMap) => events.push(`${phase} ${metadata?.name}`),
      () => undefined,
    )
    await create('unwatched')
    const metadata = { name: 'watched', labels: { watched: 'yes' } }
    await core.createNamespacedConfigMap({ namespace: NAMESPACE, body: { metadata } })
    const body = { metadata: { labels: { watched: 'no' } } }
    await core.patchNamespacedConfigMap(
      { name: 'watched', namespace: NAMESPACE, body },
      patched(PatchStrategy.MergePatch),
    )
    await expect.poll(() => events).toEqual(['ADDED watched', 'DELETED watched'])
    watch.abort()
  })

  test('leases, roles and objects of any kind', async () => {
    const leases = config.makeApiClient(CoordinationV1Api)
    const renewTime = new V1MicroTime('2026-01-01T00:00:00.123456Z')
    const lease = await leases.createNamespacedLease({
      namespace: NAMESPACE,
      body: { metadata: { name: 'leader' }, spec: { holderIdentity: 'me', renewTime } },
    })
    expect(lease.spec?.holderIdentity).toBe('me')
    const roles = config.makeApiClient(RbacAuthorizationV1Api)
    const role = await roles.createNamespacedRole({
      namespace: NAMESPACE,
      body: {
        metadata: { name: 'reader' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
      },
    })
    expect(role.rules).toHaveLength(1)
    const objects = KubernetesObjectApi.makeApiClient(config)
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'any', namespace: NAMESPACE },
      stringData: { a: 'b' },
    }
    const created = await objects.create(secret)
    expect(created).toMatchObject({ data: { a: 'Yg==' } })
    await objects.delete(secret)
  })
})
