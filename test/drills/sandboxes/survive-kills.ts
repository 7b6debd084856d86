import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../bench/data/seeded-random.ts'
import { poll } from '../../sandboxes/support/poll.ts'
import { conditionTexts, waitForConditions } from '../../sandboxes/support/sandbox-conditions.ts'
import { HIBERNATE, shellTemplate } from '../../sandboxes/support/shell-sandbox.ts'
import { type ObservedMachine, observeMachine } from './observed-machine.ts'
import { type SandboxMachine, startSandboxMachine } from './sandbox-machine.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six']
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
/** A kill comes at a random time after the wanted states have changed. */
const MAX_DELAY_MS = 2500
const SCRIPT = 'cd "$SANDBOX_WORKSPACE"; echo x >> starts; exec sleep 100000'
const STRATEGIES = [
  HIBERNATE,
  HIBERNATE,
  { type: 'Stop', hibernate: null },
  { type: 'Freeze', hibernate: null },
]

/** Kills server and runtime at random moments, then requires one process and one snapshot each. */
export async function surviveKills(kills: number, print: (line: string) => void): Promise<void> {
  const seed = process.env['KILLS_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31))
  print(`  KILLS_SEED=${seed} repeats these changes and delays`)
  const random = seededRandom(Number(seed))
  await using machine = await startSandboxMachine()
  const uids = new Map<string, string>()
  for (const [index, name] of NAMES.entries()) {
    // The others have the default class.
    const isolation = index % 2 === 0 ? {} : { runtimeClassName: 'process' }
    const { body } = await machine.api().createSandbox(name, {
      podTemplate: shellTemplate(SCRIPT, isolation),
      suspensionStrategy: HIBERNATE,
    })
    uids.set(name, body.metadata.uid)
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    for (const name of NAMES) if (random() < 0.6) await change(machine, name, random)
    await sleep(random() * MAX_DELAY_MS)
    const isServer = random() < 0.6
    if (isServer) await machine.killServer()
    else await machine.killRuntime()
    print(`  kill ${kill} of ${kills}: ${isServer ? 'server' : 'sandboxd'}`)
  }
  await requireRunning(machine, uids)
  print('  every sandbox runs once')
  await requireHibernated(machine, uids)
  print('  every sandbox hibernates with one snapshot')
  await requireGone(machine, uids)
  print('  nothing is left after the deletion')
}

/** Another wanted state. The server may be in the middle of a restart. */
async function change(machine: SandboxMachine, name: string, random: () => number): Promise<void> {
  const isRunning = random() < 0.5
  const strategy = STRATEGIES[Math.floor(random() * STRATEGIES.length)]
  const spec = isRunning
    ? { operatingMode: 'Running' }
    : { operatingMode: 'Suspended', suspensionStrategy: strategy }
  const { status } = await machine.api().patchSandbox(name, { spec })
  assert.equal(status, 200)
}

async function requireRunning(
  machine: SandboxMachine,
  uids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const name of NAMES) {
    const spec = { operatingMode: 'Running', suspensionStrategy: HIBERNATE }
    await machine.api().patchSandbox(name, { spec })
  }
  await settle(machine, 'Ready=True', 'Progressing=False')
  await untilCounts({ machine, uids }, 'one process', ({ active, processes }) =>
    [...uids.values()].every((uid) => active.get(uid) === 1 && processes.get(uid) === 1),
  )
}

async function requireHibernated(
  machine: SandboxMachine,
  uids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const name of NAMES) {
    await machine.api().patchSandbox(name, {
      spec: { operatingMode: 'Suspended', snapshotPolicy: { keepLast: 1 } },
    })
  }
  await settle(machine, 'Suspended=True', 'SnapshotReady=True', 'Progressing=False')
  await untilCounts({ machine, uids }, 'one snapshot', ({ active, processes, artefacts }) =>
    [...uids.values()].every(
      (uid) => !active.has(uid) && !processes.has(uid) && artefacts.get(uid) === 1,
    ),
  )
}

async function requireGone(
  machine: SandboxMachine,
  uids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const name of NAMES) await machine.api().call('DELETE', `${SANDBOXES}/${name}`)
  for (const name of NAMES) {
    await poll(
      `the deletion of ${name}`,
      async () => (await machine.api().getSandbox(name)).status,
      (status) => status === 404,
    )
  }
  await untilCounts(
    { machine, uids },
    'nothing',
    ({ active, processes, artefacts, directories }) =>
      active.size + processes.size + artefacts.size + directories.length === 0,
  )
  const { rows } = await machine.pool.query('select uid from sandbox_states')
  assert.deepEqual(rows, [])
}

/** Each sandbox reaches the conditions; if not, the error shows what its conditions say. */
async function settle(machine: SandboxMachine, ...wanted: readonly string[]): Promise<void> {
  for (const name of NAMES) {
    const { body } = await waitForConditions(() => machine.api().getSandbox(name), ...wanted)
    for (const text of conditionTexts({ body })) assert.match(text, /^\w+=\w+\/\w+$/)
  }
}

interface Observed {
  readonly machine: SandboxMachine
  readonly uids: ReadonlyMap<string, string>
}

async function untilCounts(
  { machine, uids }: Observed,
  what: string,
  isWanted: (observed: ObservedMachine) => boolean,
): Promise<void> {
  await poll(
    what,
    async () => {
      const observed = await observeMachine(machine, new Set(uids.values()))
      const { active, artefacts, processes, directories } = observed
      const counts = { active: [...active], artefacts: [...artefacts], processes: [...processes] }
      return { observed, isWanted: isWanted(observed), ...counts, directories }
    },
    (value) => value.isWanted,
  )
}
