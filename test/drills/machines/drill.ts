import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Drill, DrillCase } from '../drill.ts'
import { sharedRig } from '../shared-rig.ts'
import { type Condition, CONDITIONS, type Machine } from './conditions.ts'
import { createNewcomer, type NewcomerRig } from './newcomer.ts'

const rig = sharedRig(async () => {
  const newcomer = await createNewcomer()
  await newcomer.installOne()
  return newcomer
})
/** The life of a cluster, and tests without a database. Tests of more endpoints take 16 s of CPU. */
const SOME_TESTS = ['test/resources/life.test.ts', 'test/support/without-servers.test.ts']
const POLL_MS = 200
const POLLS = 1500

/**
 * A newcomer's first commands on machines of many kinds. The account and its clean clone, in a path
 * with spaces, exist once. All packages take 40 s of CPU, so only one case installs them, and the
 * other ones link those of this clone.
 */
export const machines: Drill = {
  summary:
    'npm start and tests as an ordinary user, without privileges or programs, on slow machines',
  cases: [
    { name: 'first-installation', run: installAll },
    ...Object.entries(CONDITIONS).flatMap(([name, condition]): DrillCase[] => [
      { name, run: () => on(condition, SOME_TESTS) },
      { name: `${name}-all-tests`, run: () => on(condition, []) },
    ]),
  ],
  close: () => rig[Symbol.asyncDispose](),
}

async function installAll(): Promise<void> {
  const newcomer = await rig.get()
  await newcomer.removePackages()
  await start(newcomer, { prefix: [] })
}

async function on(condition: Condition, tests: readonly string[]): Promise<void> {
  const newcomer = await rig.get()
  await newcomer.linkPackages()
  const machine = await condition(newcomer.newcomer)
  try {
    await start(newcomer, machine)
    await newcomer.run(machine, ['npm', 'test', '--', ...tests])
  } finally {
    await machine.end?.()
  }
}

/** `npm start` to the first responses, a sandbox, and Ctrl-C. */
async function start(newcomer: NewcomerRig, machine: Machine): Promise<void> {
  // A runtime that had walls before would be chosen by its former offer.
  const DATA_DIR = `.flotilla/${Date.now()}`
  const ports = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0', DATA_DIR }
  await using program = newcomer.start(machine, ['npm', 'start'], ports)
  const [, origin = ''] = await program.match(/(http:\/\/127\.0\.0\.1:\d+)\/api\/hyperfleet/)
  const clusters = `${origin}/api/hyperfleet/v1/clusters`
  const name = `c-${Date.now()}`
  const created = await post(clusters, { kind: 'Cluster', name, spec: {} })
  assert.equal(created.status, 201, await created.text())
  assert.equal((await fetch(`${clusters}/by-name/${name}`)).status, 200)
  assert.equal((await fetch(`${origin}/console/`)).status, 200)
  const apis = `${origin}/apis/agents.x-k8s.io/v1beta1`
  const reason = await startSandbox(`${apis}/namespaces/default/sandboxes`, name)
  if (machine.hasWalls === false) assert.match(reason, /^Unisolated/)
  console.log(`  a sandbox is ${reason}`)
  // Ctrl-C ends bubblewrap before the server inside, which keeps its output open.
  const status = machine.prefix.includes('bwrap') ? 'SIGINT' : 0
  assert.equal(await program.interrupt(), status)
  assert.equal(await newcomer.processes(), '')
}

/** The reason of the condition Ready, once the sandbox is ready or cannot be. */
async function startSandbox(sandboxes: string, name: string): Promise<string> {
  const container = { name: 'main', command: ['/bin/sleep', '600'] }
  const created = await post(sandboxes, {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name },
    spec: { podTemplate: { spec: { containers: [container] } } },
  })
  assert.equal(created.status, 201, await created.text())
  for (let poll = 0; poll < POLLS; poll += 1) {
    const sandbox: Sandbox = JSON.parse(await (await fetch(`${sandboxes}/${name}`)).text())
    const ready = sandbox.status?.conditions?.find(({ type }) => type === 'Ready')
    if (ready?.status === 'True' || ready?.reason === 'Unisolated') {
      await fetch(`${sandboxes}/${name}`, { method: 'DELETE' })
      return `${ready.reason}: ${ready.message}`
    }
    await sleep(POLL_MS)
  }
  throw new Error('the sandbox is neither ready nor refused')
}

interface Sandbox {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason: string
      readonly message: string
    }[]
  }
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}
