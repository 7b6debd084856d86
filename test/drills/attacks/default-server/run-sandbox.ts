import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { sendRaw } from '../raw-request.ts'
import type { DefaultServer } from './default-server.ts'
import { sandboxOf } from './sandbox.ts'

const GROUP = '/apis/agents.x-k8s.io/v1beta1'
const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'
const SANDBOX = `${GROUP}/namespaces/default/sandboxes/administrator`
const JSON_TYPE = ['Content-Type', 'application/json'] as const
const CLUSTER = { kind: 'Cluster', name: 'from-a-sandbox', spec: {} }
const TIMEOUT_MS = 60_000
const POLL_MS = 100
const SETTING = 'SANDBOX_UNISOLATED'

/**
 * Runs a program in a sandbox that administers the server over the loopback address. Either the
 * machine has a wall, or the sandbox does not start.
 */
export async function runSandbox(server: DefaultServer, { attack }: AttackLog): Promise<void> {
  const { origin } = server
  const program = `fetch('${origin}${BASE_PATH}/clusters', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '${JSON.stringify(CLUSTER)}',
  }).then(() => console.log('reached'), () => console.log('refused'))`
  const command = [process.execPath, '-e', `setInterval(() => {}, 1000); ${program}`]
  const created = await sendRaw(origin, {
    method: 'POST',
    target: `${GROUP}/namespaces/default/sandboxes`,
    headers: [JSON_TYPE],
    body: sandboxOf('administrator', command),
  })
  assert.equal(created.status, 201, created.text)
  const exec = async (body: object): Promise<string> => {
    const target = `${SANDBOX}/exec`
    const answer = await sendRaw(origin, { method: 'POST', target, headers: [JSON_TYPE], body })
    return `${answer.status} ${answer.text}`
  }
  const isRunning = await untilDecided(origin)
  if (isRunning) {
    await attack('reach the server from a sandbox', async () => {
      const text = await exec({ command: [process.execPath, '-e', program] })
      assert.ok(text.includes(btoa('refused\n')), text)
    })
  } else {
    await attack('start a sandbox without a wall and without a line in the log', () =>
      Promise.resolve(assert.ok(server.log().includes(SETTING))),
    )
    await attack('run a program in it', async () => {
      assert.match(await exec({ command: ['/bin/true'] }), /^[45]/)
    })
  }
  await attack('administer the server', async () => {
    const clusters = await sendRaw(origin, { target: `${BASE_PATH}/clusters?pageSize=100` })
    assert.ok(!clusters.text.includes(CLUSTER.name), 'the sandbox has created a cluster')
  })
  await attack('hide the class without a wall from the status of the runtime', async () => {
    const { text } = await sendRaw(origin, { target: RUNTIMES })
    assert.ok(text.includes(SETTING), text)
  })
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** Waits until the sandbox runs, or is not ready for a reason that names the setting. */
async function untilDecided(origin: string): Promise<boolean> {
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const { text } = await sendRaw(origin, { target: SANDBOX })
    const conditions: readonly Condition[] = JSON.parse(text).status?.conditions ?? []
    const ready = conditions.filter(({ type }) => type === 'Ready')
    if (ready.some(({ status }) => status === 'True')) return true
    if (ready.some(({ message = '' }) => message.includes(SETTING))) return false
    assert.ok(performance.now() < end, `the sandbox neither runs nor says why: ${text}`)
    await sleep(POLL_MS)
  }
}
