import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { BASE_PATH } from '../../../../src/apis/hyperfleet/paths/base-path.ts'
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

/** Runs a program in a sandbox that administers the server over the loopback address. */
export async function runSandbox(server: DefaultServer, { attack }: AttackLog): Promise<void> {
  const { origin } = server
  const program = `fetch('${origin}${BASE_PATH}/clusters', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '${JSON.stringify(CLUSTER)}',
  })`
  const created = await sendRaw(origin, {
    method: 'POST',
    target: `${GROUP}/namespaces/default/sandboxes`,
    headers: [JSON_TYPE],
    body: sandboxOf('administrator', [process.execPath, '-e', program]),
  })
  await attack('start a sandbox that administers its server', async () => {
    assert.equal(created.status, 201, created.text)
    const [condition] = await untilDecided(origin)
    assert.ok(condition?.message?.includes(SETTING), JSON.stringify(condition))
  })
  await attack('start it without a warning to its author', () =>
    Promise.resolve(assert.match(String(created.headers['warning']), new RegExp(SETTING))),
  )
  await attack('start it without a line in the log', () =>
    Promise.resolve(assert.ok(server.log().includes(SETTING))),
  )
  await attack('run a program in it', async () => {
    const target = `${SANDBOX}/exec`
    const body = { command: ['/bin/true'] }
    const answer = await sendRaw(origin, { method: 'POST', target, headers: [JSON_TYPE], body })
    assert.ok(answer.status >= 400, answer.text)
  })
  await attack('hide the reason from the status of the runtime', async () => {
    const { text } = await sendRaw(origin, { target: RUNTIMES })
    assert.ok(text.includes(SETTING), text)
  })
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** Waits until the sandbox is not ready for a reason that names the setting. Rejects if it runs. */
async function untilDecided(origin: string): Promise<readonly Condition[]> {
  const end = performance.now() + TIMEOUT_MS
  for (;;) {
    const { text } = await sendRaw(origin, { target: SANDBOX })
    const conditions: readonly Condition[] = JSON.parse(text).status?.conditions ?? []
    const clusters = await sendRaw(origin, { target: `${BASE_PATH}/clusters?pageSize=100` })
    assert.ok(!clusters.text.includes(CLUSTER.name), 'the sandbox has created a cluster')
    const ready = conditions.filter(({ type }) => type === 'Ready')
    assert.ok(!ready.some(({ status }) => status === 'True'), 'the sandbox runs')
    if (ready.some(({ message = '' }) => message.includes(SETTING))) return ready
    assert.ok(performance.now() < end, `no condition names ${SETTING}: ${text}`)
    await sleep(POLL_MS)
  }
}
