import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointFixture, startEndpointFixture } from './endpoint-fixture.ts'

let fixture: EndpointFixture
beforeAll(async () => {
  fixture = await startEndpointFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** Reports a condition of a sandbox for its current generation, as the controller does. */
async function report(name: string, type: string, status: string): Promise<void> {
  const { body } = await fixture.api.getSandbox(name)
  const condition = {
    type,
    status,
    reason: 'Test',
    message: '',
    lastTransitionTime: '2026-11-22T12:00:00Z',
    observedGeneration: body.metadata.generation,
  }
  await fixture.api.patchStatus(fixture.path(name), { conditions: [condition] })
}

const exec = (name: string, body: object) =>
  fetch(fixture.server.origin + fixture.path(name, 'exec'), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })

const linesOf = async (response: Response) =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('suspend and resume', () => {
  test('change the operating mode as an update of the caller', async () => {
    await fixture.run('mode')
    const suspended = await fixture.post('mode', 'suspend', { strategy: { type: 'Freeze' } })
    expect(suspended.status).toBe(200)
    expect(suspended.body.spec).toMatchObject({
      operatingMode: 'Suspended',
      suspensionStrategy: { type: 'Freeze', onFailure: 'KeepRunning' },
    })
    const again = await fixture.post('mode', 'suspend')
    expect(again.body.metadata.resourceVersion).toBe(suspended.body.metadata.resourceVersion)
    const resumed = await fixture.post('mode', 'resume')
    expect(resumed.body.spec.operatingMode).toBe('Running')
    expect(resumed.body.metadata.generation).toBe(suspended.body.metadata.generation + 1)
  })

  test('wait for the condition if the body asks for it', async () => {
    await fixture.run('waits')
    const suspending = fixture.post('waits', 'suspend', { wait: '20s' })
    await expect
      .poll(async () => (await fixture.api.getSandbox('waits')).body.spec.operatingMode)
      .toBe('Suspended')
    await report('waits', 'Suspended', 'True')
    expect((await suspending).body.status.conditions[0]).toMatchObject({ status: 'True' })
    const resuming = await fixture.post('waits', 'resume', { wait: '100ms' })
    expect(resuming.status).toBe(504)
    expect(resuming.body).toMatchObject({ kind: 'Status', reason: 'Timeout' })
    expect((await fixture.api.getSandbox('waits')).body.spec.operatingMode).toBe('Running')
  })

  test('do not lose changes of other clients at the same time', async () => {
    await fixture.run('contended')
    const labels = Array.from({ length: 4 }, (_, index) =>
      fixture.api.patchSandbox('contended', { metadata: { labels: { [`l${index}`]: 'x' } } }),
    )
    const results = await Promise.all([fixture.post('contended', 'suspend'), ...labels])
    expect(results.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    const { body } = await fixture.api.getSandbox('contended')
    expect(body.spec.operatingMode).toBe('Suspended')
    expect(Object.keys(body.metadata.labels)).toHaveLength(4)
  })

  test('permit a cold boot with an annotation', async () => {
    await fixture.run('cold')
    await fixture.post('cold', 'suspend')
    const { body } = await fixture.post('cold', 'resume', { coldBoot: true })
    expect(body.metadata.annotations).toMatchObject({ 'agents.x-k8s.io/cold-boot': 'true' })
  })

  test('reject invalid bodies before they change anything', async () => {
    await fixture.run('strict')
    for (const body of [{ strategy: { type: 'Sleep' } }, { wait: 'soon' }]) {
      const { status } = await fixture.post('strict', 'suspend', body)
      expect([body, status]).toEqual([body, 'wait' in body ? 400 : 422])
    }
    expect((await fixture.post('absent', 'suspend')).status).toBe(404)
    expect((await fixture.api.getSandbox('strict')).body.spec.operatingMode).toBe('Running')
  })
})

describe('exec', () => {
  test('sends output as lines of JSON, then the exit code, and counts as activity', async () => {
    const uid = await fixture.run('runs')
    const before = Date.now()
    const response = await exec('runs', { command: ['tee', '/a'], stdin: 'hé' })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(await linesOf(response)).toEqual([
      { stream: 'stdout', data: Buffer.from('hé').toString('base64') },
      { exitCode: 0 },
    ])
    expect(await linesOf(await exec('runs', { command: ['cat', '/b'] }))).toEqual([{ exitCode: 1 }])
    const state = await fixture.records.readState(uid)
    expect(state?.lastActivityTime?.getTime()).toBeGreaterThanOrEqual(before)
  })

  test('is 409 with the reason if the workload does not run', async () => {
    const uid = await fixture.run('sleeps')
    await fixture.post('sleeps', 'suspend')
    const suspended = await exec('sleeps', { command: ['cat', '/a'] })
    expect(suspended.status).toBe(409)
    expect((await linesOf(suspended))[0].message).toMatch(/is suspended: resume it first$/)
    await fixture.post('sleeps', 'resume')
    await fixture.record('sleeps', uid, { phase: 'Frozen', instanceId: 'sleeps-1' })
    expect((await linesOf(await exec('sleeps', { command: ['cat'] })))[0]).toMatchObject({
      code: 409,
      message: expect.stringMatching(/is frozen/),
    })
    await fixture.api.createSandbox('new', {})
    expect((await exec('new', { command: ['cat'] })).status).toBe(409)
  })

  test('rejects bodies without a command, unknown sandboxes and lost runtimes', async () => {
    await fixture.run('picky')
    expect((await exec('picky', {})).status).toBe(422)
    expect((await exec('picky', { command: [] })).status).toBe(422)
    expect((await exec('picky', { command: 'ls' })).status).toBe(422)
    expect((await exec('absent', { command: ['ls'] })).status).toBe(404)
    const uid = (await fixture.api.getSandbox('picky')).body.metadata.uid
    await fixture.record('picky', uid, { phase: 'Running', instanceId: 'p', runtime: 'gone' })
    const lost = await exec('picky', { command: ['ls'] })
    expect(lost.status).toBe(503)
    await fixture.record('picky', uid, { phase: 'Running', instanceId: 'unknown' })
    expect((await exec('picky', { command: ['ls'] })).status).toBe(409)
  })
})

describe('logs', () => {
  test('are the output of the workload as text', async () => {
    await fixture.run('talks')
    const response = await fetch(fixture.server.origin + fixture.path('talks', 'logs'))
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toBe('started talks-1\n')
    expect((await fixture.api.call('GET', fixture.path('talks', 'logs?tailLines=x'))).status).toBe(
      400,
    )
    await fixture.api.createSandbox('silent', {})
    expect((await fixture.api.call('GET', fixture.path('silent', 'logs'))).status).toBe(409)
  })
})

describe('activity', () => {
  test('is recorded and shows when an idle sandbox is suspended', async () => {
    await fixture.run('idle', { autoSuspend: { idleSeconds: 600 } })
    const recorded = await fixture.post('idle', 'activity')
    expect(recorded.status).toBe(200)
    await sleep(1100)
    const { body } = await fixture.api.call('GET', fixture.path('idle', 'activity'))
    expect(body.kind).toBe('SandboxActivity')
    expect(body.lastActivityTime).toBe(recorded.body.lastActivityTime)
    expect(body.idleSeconds).toBeGreaterThanOrEqual(1)
    expect(Date.parse(body.suspendTime) - Date.parse(body.lastActivityTime)).toBe(600_000)
    const { body: created } = await fixture.api.createSandbox('unused', {})
    expect((await fixture.post('unused', 'activity')).status).toBe(409)
    const unused = await fixture.api.call('GET', fixture.path('unused', 'activity'))
    const { creationTimestamp } = created.metadata
    expect(Date.parse(unused.body.lastActivityTime)).toBe(Date.parse(creationTimestamp))
    expect(unused.body.idleSeconds).toBeGreaterThanOrEqual(0)
  })
})

describe('snapshots', () => {
  const SNAPSHOTS = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/snapshots'

  /** Answers requests for snapshots, as the controller does. */
  async function finish(status: object): Promise<void> {
    const isOpen = (each: { status?: { phase?: string } }) => each.status?.phase === undefined
    const open = async () =>
      (await fixture.api.call('GET', SNAPSHOTS)).body.items.find(isOpen)?.metadata.name
    await expect.poll(open).toBeDefined()
    await fixture.api.patchStatus(`${SNAPSHOTS}/${await open()}`, status)
  }

  test('are requested, awaited and listed by sandbox', async () => {
    const uid = await fixture.run('saved')
    await fixture.run('other')
    const created = await fixture.post('saved', 'snapshots', { name: 'mine' })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      kind: 'Snapshot',
      metadata: {
        name: 'mine',
        finalizers: ['agents.x-k8s.io/snapshot-data'],
        ownerReferences: [{ kind: 'Sandbox', uid }],
      },
      spec: { sandboxRef: { name: 'saved', uid } },
    })
    await finish({ phase: 'Ready' })
    const waiting = fixture.post('saved', 'snapshots', { wait: '20s' })
    await finish({ phase: 'Ready' })
    expect((await waiting).body.status.phase).toBe('Ready')
    const list = await fixture.api.call('GET', fixture.path('saved', 'snapshots'))
    expect(list.body.items).toHaveLength(2)
    expect((await fixture.api.call('GET', fixture.path('other', 'snapshots'))).body.items).toEqual(
      [],
    )
    expect((await fixture.post('saved', 'snapshots', { name: 'mine' })).status).toBe(409)
    expect((await fixture.post('saved', 'snapshots', { name: '../evil' })).status).toBe(422)
  })

  test('report the failure of the driver', async () => {
    await fixture.run('fails')
    const waiting = fixture.post('fails', 'snapshots', { wait: '20s' })
    await finish({ phase: 'Failed', message: 'the store is full' })
    const { status, body } = await waiting
    expect(status).toBe(409)
    expect(body.message).toMatch(/the snapshot has failed: the store is full$/)
  })

  test('are the source of forks, each of which succeeds or fails alone', async () => {
    await fixture.run('source', {
      autoSuspend: { idleSeconds: 60 },
      shutdownTime: '2100-01-01T00:00:00Z',
    })
    const forking = fixture.post('source', 'fork', { count: 3, namePrefix: 'copy-', wait: '20s' })
    await finish({ phase: 'Ready' })
    const { status, body } = await forking
    expect(status).toBe(201)
    expect(body.items).toHaveLength(3)
    const names = new Set(body.items.map(({ name }: { name: string }) => name))
    expect(names.size).toBe(3)
    for (const { name, uid } of body.items) {
      const copy = (await fixture.api.getSandbox(name)).body
      expect(copy.metadata.uid).toBe(uid)
      expect(copy.spec).toMatchObject({
        operatingMode: 'Running',
        autoSuspend: { idleSeconds: 60 },
        restoreFrom: { snapshotName: body.snapshotName },
      })
      expect(copy.spec.shutdownTime).toBeUndefined()
    }
    const forkingBadly = fixture.post('source', 'fork', { namePrefix: 'Bad_', wait: '20s' })
    await finish({ phase: 'Ready' })
    const bad = await forkingBadly
    expect(bad.body.items).toMatchObject([{ error: { kind: 'Status', code: 422 } }])
    expect((await fixture.post('source', 'fork', { count: 51 })).status).toBe(422)
  })

  test('of a suspended sandbox are forked without another one', async () => {
    const uid = await fixture.run('hibernates')
    await fixture.post('hibernates', 'suspend')
    expect((await fixture.post('hibernates', 'fork')).status).toBe(409)
    const snapshot = { name: 'kept', uid: 'kept-uid' }
    await fixture.record('hibernates', uid, { suspendedBy: 'Hibernate', snapshot })
    const { status, body } = await fixture.post('hibernates', 'fork')
    expect([status, body.snapshotName]).toEqual([201, 'kept'])
    expect((await fixture.post('hibernates', 'snapshots')).status).toBe(409)
  })
})

test('OpenAPI describes the subresources with their content types', async () => {
  const { body } = await fixture.api.call('GET', '/openapi/v3/apis/agents.x-k8s.io/v1beta1')
  const root = '/apis/agents.x-k8s.io/v1beta1/namespaces/{namespace}/sandboxes/{name}'
  const contentOf = (subresource: string, method: string) =>
    Object.keys(body.paths[`${root}/${subresource}`][method].responses['200'].content)
  expect(contentOf('exec', 'post')).toEqual(['application/x-ndjson'])
  expect(contentOf('logs', 'get')).toEqual(['text/plain'])
  const parameters = body.paths[`${root}/logs`].get.parameters
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
    'follow',
    'previous',
    'sinceSeconds',
    'tailLines',
  ])
})

describe('requests that wait', () => {
  /** A figure of the requests by callers that are no systems. */
  async function requestsOf(metric: string): Promise<number> {
    const text = await (await fetch(`${fixture.server.metricsOrigin}/metrics`)).text()
    return Number(new RegExp(`^${metric}{class="users"} (.*)$`, 'm').exec(text)?.[1])
  }

  test('have no seats, so that others of their caller start', async () => {
    for (const name of ['suspends', 'shows', 'snapshots', 'forks']) await fixture.run(name)
    const client = new AbortController()
    const post = (name: string, subresource: string) =>
      fetch(fixture.server.origin + fixture.path(name, subresource), {
        method: 'POST',
        body: JSON.stringify({ wait: '10m' }),
        headers: { 'Content-Type': 'application/json' },
        signal: client.signal,
      })
    const shown = `${fixture.server.origin}${fixture.path('shows')}?wait=Suspended&timeout=10m`
    const waiting = [
      post('suspends', 'suspend'),
      post('snapshots', 'snapshots'),
      post('forks', 'fork'),
      fetch(shown, { signal: client.signal }),
    ]
    await expect.poll(() => requestsOf('flotilla_requests_resting')).toBe(waiting.length)
    await expect.poll(() => requestsOf('flotilla_request_seats')).toBe(0)
    client.abort()
    await Promise.allSettled(waiting)
    await expect.poll(() => requestsOf('flotilla_requests_resting')).toBe(0)
  })
})
