import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PoolFixture, startPoolFixture, TEMPLATE } from './pool-fixture.ts'

let fixture: PoolFixture
beforeAll(async () => {
  fixture = await startPoolFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const EXTENSIONS = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/default'

async function createPool(name: string, replicas: number, more: object = {}): Promise<void> {
  const sandboxTemplateRef = { name: `${name}-template` }
  await fixture.create('SandboxTemplate', sandboxTemplateRef.name, TEMPLATE)
  const pool = await fixture.create('SandboxWarmPool', name, {
    replicas,
    sandboxTemplateRef,
    ...more,
  })
  expect(pool.status).toBe(201)
  await waitForPool(name, replicas)
}

async function waitForPool(name: string, replicas: number): Promise<void> {
  await expect.poll(async () => (await fixture.waiting(name)).length).toBe(replicas)
}

async function createClaim(name: string, pool: string, spec: object = {}): Promise<void> {
  const { status } = await fixture.create('SandboxClaim', name, {
    warmPoolRef: { name: pool },
    ...spec,
  })
  expect(status).toBe(201)
}

const readyOf = async (claim: string) => {
  const { status } = await fixture.read('sandboxclaims', claim)
  const find = ({ type }: { type: string }) => type === 'Ready'
  return status?.conditions?.find(find) ?? null
}

const sandboxOf = async (claim: string): Promise<string> => {
  const name = async () => (await fixture.read('sandboxclaims', claim)).status?.sandbox?.name ?? ''
  await expect.poll(name).not.toBe('')
  return name()
}

describe('a warm pool', () => {
  test('creates its sandboxes from the template and reports them', async () => {
    await createPool('basic', 3)
    for (const name of await fixture.waiting('basic')) await fixture.reportReady(name)
    await expect
      .poll(async () => (await fixture.read('sandboxwarmpools', 'basic')).status)
      .toMatchObject({
        replicas: 3,
        readyReplicas: 3,
        selector: expect.stringMatching(/^agents\.x-k8s\.io\/warm-pool-sandbox=[0-9a-f]{8}$/),
      })
    const [sandbox] = await fixture.sandboxes(({ metadata }) => metadata.name.startsWith('basic-'))
    expect(sandbox.metadata).toMatchObject({
      labels: { 'agents.x-k8s.io/launch-type': 'warm' },
      annotations: { 'agents.x-k8s.io/sandbox-template-ref': 'basic-template' },
      ownerReferences: [{ kind: 'SandboxWarmPool', name: 'basic', controller: true }],
    })
    expect(sandbox.spec.podTemplate.spec.containers[0].command).toEqual(['/bin/sleep', '1000'])
  })

  test('is scaled through the subresource, and deletes unready sandboxes first', async () => {
    await createPool('scaled', 3)
    const [first = ''] = await fixture.waiting('scaled')
    await fixture.reportReady(first)
    await expect
      .poll(async () => (await fixture.read('sandboxwarmpools', 'scaled')).status)
      .toMatchObject({ replicas: 3, readyReplicas: 1 })
    const path = `${EXTENSIONS}/sandboxwarmpools/scaled/scale`
    const { metadata, ...scale } = (await fixture.api.call('GET', path)).body
    // The controller may change the pool after the GET.
    const { resourceVersion: _any, ...identity } = metadata
    const wanted = { ...scale, metadata: identity, spec: { replicas: 1 } }
    const { status } = await fixture.api.call('PUT', path, wanted)
    expect(status).toBe(200)
    await waitForPool('scaled', 1)
    expect(await fixture.waiting('scaled')).toEqual([first])
  })

  test('replaces outdated sandboxes with Recreate only', async () => {
    await createPool('recreated', 2, { updateStrategy: { type: 'Recreate' } })
    await createPool('kept', 2)
    const before = [...(await fixture.waiting('recreated')), ...(await fixture.waiting('kept'))]
    for (const pool of ['recreated', 'kept']) {
      const path = `${EXTENSIONS}/sandboxtemplates/${pool}-template`
      const podTemplate = { spec: { containers: [{ name: 'main', command: ['/bin/true'] }] } }
      const patch = { spec: { podTemplate } }
      await fixture.api.call('PATCH', path, patch, 'application/merge-patch+json')
    }
    await expect
      .poll(async () =>
        (await fixture.waiting('recreated')).filter((name) => !before.includes(name)),
      )
      .toHaveLength(2)
    expect((await fixture.waiting('kept')).every((name) => before.includes(name))).toBe(true)
  })

  test('waits for its template and says so', async () => {
    await fixture.create('SandboxWarmPool', 'early', {
      replicas: 1,
      sandboxTemplateRef: { name: 'late' },
    })
    await expect
      .poll(async () => (await fixture.read('sandboxwarmpools', 'early')).status?.conditions?.[0])
      .toMatchObject({ type: 'Ready', status: 'False', reason: 'TemplateNotFound' })
    await fixture.create('SandboxTemplate', 'late', TEMPLATE)
    await waitForPool('early', 1)
  })
})

describe('a claim', () => {
  test('adopts a ready sandbox of the pool, which is replaced', async () => {
    await createPool('warm', 2)
    const [, ready = ''] = await fixture.waiting('warm')
    await fixture.reportReady(ready)
    await createClaim('adopts', 'warm', {
      additionalPodMetadata: { labels: { 'sandbox.users.io/team': 'a' } },
    })
    expect(await sandboxOf('adopts')).toBe(ready)
    const { metadata } = await fixture.read('sandboxclaims', 'adopts')
    expect(metadata.annotations).toEqual({ 'agents.x-k8s.io/sandbox-name': ready })
    const [sandbox] = await fixture.sandboxes((each) => each.metadata.name === ready)
    expect(sandbox.metadata.ownerReferences).toMatchObject([
      { kind: 'SandboxClaim', name: 'adopts', uid: metadata.uid, controller: true },
    ])
    expect(sandbox.metadata.labels).toMatchObject({
      'agents.x-k8s.io/claim-uid': metadata.uid,
      'agents.x-k8s.io/launch-type': 'warm',
    })
    expect(sandbox.metadata.labels).not.toHaveProperty(['agents.x-k8s.io/warm-pool-sandbox'])
    expect(sandbox.spec.podTemplate.metadata.labels).toMatchObject({
      'sandbox.users.io/team': 'a',
      'agents.x-k8s.io/claim-uid': metadata.uid,
    })
    expect(await readyOf('adopts')).toMatchObject({ status: 'True', reason: 'Test' })
    await waitForPool('warm', 2)
  })

  test('with environment variables starts a new sandbox if the template allows it', async () => {
    await createPool('variables', 1)
    const env = [{ name: 'TOKEN', value: 'x' }]
    await createClaim('rejected', 'variables', { env })
    await expect
      .poll(() => readyOf('rejected'))
      .toMatchObject({ status: 'False', reason: 'EnvVarsInjectionRejected' })
    await fixture.create('SandboxTemplate', 'open', {
      ...TEMPLATE,
      envVarsInjectionPolicy: 'Allowed',
    })
    const pool = { replicas: 1, sandboxTemplateRef: { name: 'open' } }
    await fixture.create('SandboxWarmPool', 'open', pool)
    await createClaim('injected', 'open', { env })
    expect(await sandboxOf('injected')).toBe('injected')
    const [sandbox] = await fixture.sandboxes(({ metadata }) => metadata.name === 'injected')
    expect(sandbox.spec.podTemplate.spec.containers[0].env).toEqual(env)
    expect(sandbox.metadata.labels['agents.x-k8s.io/launch-type']).toBe('cold')
  })

  test('adds volumes of a claim if the template permits it', async () => {
    const volume = (name: string, storage: string) => ({
      metadata: { name },
      spec: { resources: { requests: { storage } } },
    })
    await createPool('fixed', 1)
    await createClaim('refused', 'fixed', { volumeClaimTemplates: [volume('data', '1Gi')] })
    await expect
      .poll(() => readyOf('refused'))
      .toMatchObject({ status: 'False', reason: 'VolumeClaimTemplatesError' })
    for (const volumeClaimTemplatesPolicy of ['Allowed', 'Overrides']) {
      const name = volumeClaimTemplatesPolicy.toLowerCase()
      await fixture.create('SandboxTemplate', name, {
        ...TEMPLATE,
        volumeClaimTemplates: [volume('home', '1Gi')],
        volumeClaimTemplatesPolicy,
      })
      const pool = { replicas: 1, sandboxTemplateRef: { name } }
      await fixture.create('SandboxWarmPool', name, pool)
    }
    await createClaim('added', 'allowed', { volumeClaimTemplates: [volume('data', '2Gi')] })
    expect(await sandboxOf('added')).toBe('added')
    const { body } = await fixture.api.getSandbox('added')
    expect(body.spec.volumeClaimTemplates).toEqual([volume('home', '1Gi'), volume('data', '2Gi')])
    await createClaim('replacing', 'allowed', { volumeClaimTemplates: [volume('home', '2Gi')] })
    await expect
      .poll(() => readyOf('replacing'))
      .toMatchObject({ reason: 'VolumeClaimTemplatesError' })
    await createClaim('replaced', 'overrides', { volumeClaimTemplates: [volume('home', '2Gi')] })
    expect(await sandboxOf('replaced')).toBe('replaced')
    const replaced = await fixture.api.getSandbox('replaced')
    expect(replaced.body.spec.volumeClaimTemplates).toEqual([volume('home', '2Gi')])
    const unnamed = await fixture.create('SandboxClaim', 'unnamed', {
      warmPoolRef: { name: 'overrides' },
      volumeClaimTemplates: [volume('Not A Name', '2Gi')],
    })
    expect(unnamed).toMatchObject({ status: 422 })
  })

  test('names a missing pool, and gets its sandbox when the pool is created', async () => {
    await createClaim('patient', 'absent')
    await expect
      .poll(() => readyOf('patient'))
      .toMatchObject({ status: 'False', reason: 'WarmPoolNotFound' })
    await createPool('absent', 0)
    expect(await sandboxOf('patient')).toBe('patient')
  })

  test('rejects metadata with reserved keys', async () => {
    await createPool('guarded', 1)
    await createClaim('forged', 'guarded', {
      additionalPodMetadata: { labels: { 'agents.x-k8s.io/claim-uid': 'x' } },
    })
    await expect
      .poll(() => readyOf('forged'))
      .toMatchObject({ status: 'False', reason: 'InvalidMetadata' })
    expect(await fixture.waiting('guarded')).toHaveLength(1)
  })

  test('mirrors Finished and expires after its time to live', async () => {
    await createPool('finite', 1)
    await createClaim('finishes', 'finite', { lifecycle: { ttlSecondsAfterFinished: 0 } })
    const sandbox = await sandboxOf('finishes')
    await fixture.report(sandbox, [
      { type: 'Ready', status: 'False', reason: 'PodSucceeded' },
      { type: 'Finished', status: 'True', reason: 'PodSucceeded' },
    ])
    await expect
      .poll(() => readyOf('finishes'))
      .toMatchObject({ status: 'False', reason: 'ClaimExpired' })
    const { status } = await fixture.read('sandboxclaims', 'finishes')
    expect(status.sandbox).toEqual({})
    expect(await fixture.sandboxes(({ metadata }) => metadata.name === sandbox)).toEqual([])
  })

  test('is deleted at its shutdown time with the policy Delete', async () => {
    await createPool('short', 0)
    const shutdownTime = `${new Date(Date.now() + 2000).toISOString().slice(0, 19)}Z`
    await createClaim('ends', 'short', { lifecycle: { shutdownTime, shutdownPolicy: 'Delete' } })
    await expect
      .poll(async () => (await fixture.read('sandboxclaims', 'ends')).reason)
      .toBe('NotFound')
  })
})

test('a burst of 50 claims on a pool of 20 gets 50 distinct sandboxes', async () => {
  await createPool('burst', 20)
  const warm = await fixture.waiting('burst')
  await Promise.all(warm.map((name) => fixture.reportReady(name)))
  const claims = Array.from({ length: 50 }, (_, index) => `burst-claim-${index}`)
  await Promise.all(claims.map((claim) => createClaim(claim, 'burst')))
  // One claim after the other: fifty polls at the same time would slow down the server.
  const names: string[] = []
  for (const claim of claims) names.push(await sandboxOf(claim))
  expect(new Set(names).size).toBe(50)
  expect(warm.every((name) => names.includes(name))).toBe(true)
  const owned = await fixture.sandboxes(({ metadata }) => names.includes(metadata.name))
  const owners = owned.map(({ metadata }) => metadata.ownerReferences)
  expect(owners.every((references) => references.length === 1)).toBe(true)
  expect(new Set(owners.map(([{ name }]) => name))).toEqual(new Set(claims))
  await waitForPool('burst', 20)
})
