import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kubectlPrograms, openKubectl } from '../../planes/clients/kubectl.ts'
import { type SandboxServer, startSandboxServer } from '../support/start-sandbox-server.ts'

const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const EXTENSIONS = '/apis/extensions.agents.x-k8s.io/v1beta1/namespaces/default'

let running: SandboxServer

beforeAll(async () => {
  running = await startSandboxServer()
})
afterAll(() => running[Symbol.asyncDispose]())

async function run(name: string, script: string, spec: object = {}): Promise<void> {
  const container = { name: 'main', command: ['/bin/sh', '-c', script] }
  const { status } = await running.api.createSandbox(name, {
    podTemplate: { spec: { containers: [container], terminationGracePeriodSeconds: 1 } },
    ...spec,
  })
  expect(status).toBe(201)
  await running.waitFor(name, 'Ready=True')
}

/** Without a cgroup v2 that its user may write, a runtime cannot freeze. */
const freezes = async () => (await running.sandboxd.connection.runtime.getRuntimeInfo({})).freezes

const urlOf = (name: string, subresource: string) =>
  `${running.server.origin}${SANDBOXES}/${name}/${subresource}`

const exec = (name: string, body: object, signal?: AbortSignal) =>
  fetch(urlOf(name, 'exec'), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    ...(signal && { signal }),
  })

async function outcomeOf(response: Response) {
  const lines = (await response.text()).trim().split('\n')
  const parsed = lines.map((line) => JSON.parse(line))
  const textOf = (stream: string) =>
    parsed
      .filter((line) => line.stream === stream)
      .map(({ data }) => Buffer.from(data, 'base64').toString())
      .join('')
  return { stdout: textOf('stdout'), stderr: textOf('stderr'), last: parsed.at(-1) }
}

describe('a running sandbox', () => {
  test('executes programs beside its workload and reports their exit codes', async () => {
    await run('executes', 'exec sleep 1000')
    const script = 'cat; echo "$COLOR" >&2; exit 7'
    const response = await exec('executes', {
      command: ['/bin/sh', '-c', script],
      stdin: 'hello',
      env: [{ name: 'COLOR', value: 'red' }],
    })
    expect(response.status).toBe(200)
    const { stdout, stderr, last } = await outcomeOf(response)
    expect([stdout, stderr, last]).toEqual(['hello', 'red\n', { exitCode: 7 }])
  })

  test('ends a program when its client is gone', async () => {
    await run('abandoned', 'exec sleep 1000')
    const abort = new AbortController()
    const script = 'echo begun; exec sleep 1234'
    const response = await exec('abandoned', { command: ['/bin/sh', '-c', script] }, abort.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    const isRunning = async () => {
      const script = 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "'
      const listed = await exec('abandoned', { command: ['/bin/sh', '-c', script] })
      return (await outcomeOf(listed)).stdout.includes('sleep 1234')
    }
    await expect.poll(isRunning, { interval: 500 }).toBe(true)
    abort.abort()
    await expect.poll(isRunning, { interval: 500 }).toBe(false)
  })

  test('sends its output, and new output to a client that follows', async () => {
    await run('talks', 'i=0; while true; do i=$((i+1)); echo "line $i"; sleep 0.2; done')
    const read = async (query: string) => (await fetch(urlOf('talks', `logs${query}`))).text()
    await expect.poll(() => read('')).toContain('line 3\n')
    // The workload may write while the runtime reads.
    expect(await read('?tailLines=1')).toMatch(/^line (?!1\n)\d+\n(line \d+\n)*$/)
    const abort = new AbortController()
    const response = await fetch(urlOf('talks', 'logs?follow=true'), { signal: abort.signal })
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.split('\n').length > 8) break
    }
    expect(text).toMatch(/^line 1\nline 2\n/)
    abort.abort()
  })

  test('is suspended and resumed by its subresources', async () => {
    const type = (await freezes()) ? 'Freeze' : 'Stop'
    await run('sleeps', 'exec sleep 1000', { suspensionStrategy: { type } })
    const suspended = await running.api.call('POST', `${SANDBOXES}/sleeps/suspend`, { wait: '30s' })
    expect(suspended.status).toBe(200)
    expect(suspended.body.spec.operatingMode).toBe('Suspended')
    const rejected = await exec('sleeps', { command: ['/bin/true'] })
    expect(rejected.status).toBe(409)
    const resumed = await running.api.call('POST', `${SANDBOXES}/sleeps/resume`, { wait: '30s' })
    expect(resumed.status).toBe(200)
    const { last } = await outcomeOf(await exec('sleeps', { command: ['/bin/true'] }))
    expect(last).toEqual({ exitCode: 0 })
  })

  test('that cannot be frozen names the reason, and a resume cancels its suspension', async (context) => {
    context.skip(await freezes(), 'the runtime can freeze')
    await run('unfrozen', 'exec sleep 1000', { suspensionStrategy: { type: 'Freeze' } })
    await running.api.call('POST', `${SANDBOXES}/unfrozen/suspend`, {})
    const messageOfSuspended = async () => {
      const { conditions } = (await running.api.getSandbox('unfrozen')).body.status
      return conditions.find(({ type }: { type: string }) => type === 'Suspended').message
    }
    await expect
      .poll(messageOfSuspended)
      .toMatch(/cannot freeze .*: it needs a writable cgroup v2$/)
    const resumed = await running.api.call('POST', `${SANDBOXES}/unfrozen/resume`, { wait: '30s' })
    expect(resumed.status).toBe(200)
    const { last } = await outcomeOf(await exec('unfrozen', { command: ['/bin/true'] }))
    expect(last).toEqual({ exitCode: 0 })
  })
})

const HIBERNATES = {
  suspensionStrategy: { type: 'Hibernate', hibernate: { snapshotProviderRef: { name: 'local' } } },
}

const call = (method: string, path: string, body?: object) => running.api.call(method, path, body)

describe('copies and idle sandboxes', () => {
  test('a fork begins with the files of a sandbox that runs on', async () => {
    const script = 'echo original > "$SANDBOX_WORKSPACE/state"; exec sleep 1000'
    await run(
      'source',
      `[ -e "$SANDBOX_WORKSPACE/state" ] || ${script}; exec sleep 1000`,
      HIBERNATES,
    )
    const forked = await call('POST', `${SANDBOXES}/source/fork`, { count: 2, wait: '60s' })
    expect(forked.status).toBe(201)
    expect(forked.body.items).toHaveLength(2)
    for (const { name } of forked.body.items) {
      await running.waitFor(name, 'Ready=True')
      const read = 'cat "$SANDBOX_WORKSPACE/state"; echo changed > "$SANDBOX_WORKSPACE/state"'
      const { stdout } = await outcomeOf(await exec(name, { command: ['/bin/sh', '-c', read] }))
      expect(stdout).toBe('original\n')
      expect((await running.api.getSandbox(name)).body.status.boot).toBe('FORK')
    }
    const again = { command: ['/bin/sh', '-c', 'cat "$SANDBOX_WORKSPACE/state"'] }
    expect((await outcomeOf(await exec('source', again))).stdout).toBe('original\n')
    const list = await call('GET', `${SANDBOXES}/source/snapshots`)
    expect(list.body.items).toHaveLength(1)
  })

  test('an idle sandbox is suspended, and exec keeps one in use', async () => {
    const suspensionStrategy = { type: (await freezes()) ? 'Freeze' : 'Stop' }
    await run('idle', 'exec sleep 1000', { suspensionStrategy })
    await run('busy', 'exec sleep 1000', { suspensionStrategy })
    const suspendAfter = (name: string, idleSeconds: number) =>
      running.api.patchSandbox(name, { spec: { autoSuspend: { idleSeconds } } })
    const working = await exec('busy', { command: ['/bin/sleep', '20'] })
    await suspendAfter('busy', 15)
    await suspendAfter('idle', 3)
    await running.waitFor('idle', 'Suspended=True')
    expect((await outcomeOf(working)).last).toEqual({ exitCode: 0 })
    expect((await running.api.getSandbox('busy')).body.spec.operatingMode).toBe('Running')
  })

  test('a claim takes a running sandbox of a warm pool', async () => {
    const create = (kind: string, name: string, spec: object) =>
      call('POST', `${EXTENSIONS}/${kind.toLowerCase()}s`, {
        apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
        kind,
        metadata: { name },
        spec,
      })
    const container = { name: 'main', command: ['/bin/sleep', '1000'] }
    const podTemplate = { spec: { containers: [container], terminationGracePeriodSeconds: 1 } }
    await create('SandboxTemplate', 'warm', { podTemplate })
    await create('SandboxWarmPool', 'warm', { replicas: 2, sandboxTemplateRef: { name: 'warm' } })
    const pool = `${EXTENSIONS}/sandboxwarmpools/warm?wait=Ready=True&timeout=60s`
    expect((await call('GET', pool)).status).toBe(200)
    await create('SandboxClaim', 'mine', { warmPoolRef: { name: 'warm' } })
    const claim = `${EXTENSIONS}/sandboxclaims/mine`
    const claimed = await call('GET', `${claim}?wait=Ready=True&timeout=30s`)
    expect(claimed.body.status.sandbox.name).toMatch(/^warm-[0-9a-f]{8}$/)
    const { name } = claimed.body.status.sandbox
    const { last } = await outcomeOf(await exec(name, { command: ['/bin/true'] }))
    expect(last).toEqual({ exitCode: 0 })
    expect((await running.api.getSandbox(name)).body.status.restarts ?? 0).toBe(0)
    await call('DELETE', claim)
    await expect.poll(async () => (await running.api.getSandbox(name)).status).toBe(404)
  }, 150_000)
})

describe.each(kubectlPrograms())('kubectl at %s', (program) => {
  test('gets, waits for, calls and deletes sandboxes', async () => {
    await run('shown', 'echo hello; exec sleep 1000', { suspensionStrategy: { type: 'Stop' } })
    await using kubectl = await openKubectl(program, running.server.origin)
    expect(await kubectl.output('get', 'sbx', 'shown')).toMatch(/^NAME +MODE .*\nshown +Running /)
    const body = await kubectl.manifest('suspend.json', '{"wait": "30s"}')
    await kubectl.output('create', '--raw', `${SANDBOXES}/shown/suspend`, '-f', body)
    const condition = '--for=condition=Suspended'
    expect(await kubectl.output('wait', 'sbx/shown', condition, '--timeout=20s')).toMatch(/met/)
    await kubectl.output('create', '--raw', `${SANDBOXES}/shown/resume`, '-f', body)
    await kubectl.output('wait', 'sbx/shown', '--for=condition=Ready', '--timeout=20s')
    const command = await kubectl.manifest('exec.json', '{"command": ["/bin/echo", "hi"]}')
    const output = await kubectl.output('create', '--raw', `${SANDBOXES}/shown/exec`, '-f', command)
    expect(output.trim().split('\n')).toEqual([
      `{"stream":"stdout","data":"${Buffer.from('hi\n').toString('base64')}"}`,
      '{"exitCode":0}',
    ])
    expect(await kubectl.output('get', '--raw', `${SANDBOXES}/shown/logs`)).toMatch(/hello/)
    expect(await kubectl.output('delete', 'sbx', 'shown', '--timeout=30s')).toMatch(/deleted/)
    expect((await running.api.getSandbox('shown')).status).toBe(404)
  })
})
