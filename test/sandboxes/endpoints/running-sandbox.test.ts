import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { kubectlPrograms, openKubectl } from '../../planes/clients/kubectl.ts'
import { type Manifest, sandboxApi } from '../kinds/sandbox-api.ts'
import { waitForConditions } from '../support/sandbox-conditions.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'

let server: TestServer
let runtime: TestSandboxd
let api: ReturnType<typeof sandboxApi>
const stopped = new AbortController()
let renewals: Promise<void>

beforeAll(async () => {
  runtime = await startSandboxd()
  server = await startTestServer({ env: { ROLE: 'all', SANDBOX_RUNTIME: 'off' } })
  api = sandboxApi(server.origin)
  const registration: Manifest & { readonly spec: object } = {
    apiVersion: 'sandbox.flotilla.dev/v1alpha1',
    kind: 'SandboxRuntime',
    metadata: { name: 'local' },
    spec: { endpoint: runtime.endpoint, capacity: { sandboxes: 100 } },
  }
  await api.create(registration)
  renewals = renew()
}, 60_000)
afterAll(async () => {
  stopped.abort()
  await renewals
  await server[Symbol.asyncDispose]()
  await runtime[Symbol.asyncDispose]()
})

/** Renews the lease of the runtime, which this test has registered itself. */
async function renew(): Promise<void> {
  const { signal } = stopped
  while (!signal.aborted) {
    const status = { renewTime: new Date().toISOString(), leaseDurationSeconds: 120 }
    await api.patchStatus(`${RUNTIMES}/local`, status)
    await sleep(2000, undefined, { signal }).catch(() => undefined)
  }
}

const waitFor = (name: string, ...conditions: readonly string[]) =>
  waitForConditions(() => api.getSandbox(name), ...conditions)

async function run(name: string, script: string, spec: object = {}): Promise<void> {
  const container = { name: 'main', command: ['/bin/sh', '-c', script] }
  const { status } = await api.createSandbox(name, {
    podTemplate: { spec: { containers: [container], terminationGracePeriodSeconds: 1 } },
    ...spec,
  })
  expect(status).toBe(201)
  await waitFor(name, 'Ready=True')
}

const urlOf = (name: string, subresource: string) =>
  `${server.origin}${SANDBOXES}/${name}/${subresource}`

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
  }, 60_000)

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
    await expect.poll(isRunning, { timeout: 20_000, interval: 500 }).toBe(true)
    abort.abort()
    await expect.poll(isRunning, { timeout: 20_000, interval: 500 }).toBe(false)
  }, 60_000)

  test('sends its output, and new output to a client that follows', async () => {
    await run('talks', 'i=0; while true; do i=$((i+1)); echo "line $i"; sleep 0.2; done')
    const tail = await (await fetch(urlOf('talks', 'logs?tailLines=1'))).text()
    expect(tail).toMatch(/^line \d+\n$/)
    const abort = new AbortController()
    const response = await fetch(urlOf('talks', 'logs?follow=true'), { signal: abort.signal })
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.split('\n').length > 8) break
    }
    expect(text).toMatch(/^line 1\nline 2\n/)
    abort.abort()
  }, 60_000)

  test('is suspended and resumed by its subresources', async () => {
    await run('sleeps', 'exec sleep 1000', { suspensionStrategy: { type: 'Freeze' } })
    const suspended = await api.call('POST', `${SANDBOXES}/sleeps/suspend`, { wait: '30s' })
    expect(suspended.status).toBe(200)
    expect(suspended.body.spec.operatingMode).toBe('Suspended')
    const rejected = await exec('sleeps', { command: ['/bin/true'] })
    expect(rejected.status).toBe(409)
    const resumed = await api.call('POST', `${SANDBOXES}/sleeps/resume`, { wait: '30s' })
    expect(resumed.status).toBe(200)
    const { last } = await outcomeOf(await exec('sleeps', { command: ['/bin/true'] }))
    expect(last).toEqual({ exitCode: 0 })
  }, 90_000)
})

describe.each(kubectlPrograms())('kubectl at %s', (program) => {
  test('gets, waits for, calls and deletes sandboxes', async () => {
    await run('shown', 'echo hello; exec sleep 1000', { suspensionStrategy: { type: 'Stop' } })
    await using kubectl = await openKubectl(program, server.origin)
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
    expect((await api.getSandbox('shown')).status).toBe(404)
  }, 120_000)
})
