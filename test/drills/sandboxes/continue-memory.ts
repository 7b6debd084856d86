import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../bench/data/seeded-random.ts'
import { poll } from '../../sandboxes/support/poll.ts'
import { waitForConditions } from '../../sandboxes/support/sandbox-conditions.ts'
import { HIBERNATE, shellTemplate } from '../../sandboxes/support/shell-sandbox.ts'
import { Skipped } from '../drill.ts'
import { type SandboxMachine, startSandboxMachine } from './sandbox-machine.ts'

const NAMES = ['one', 'two', 'three']
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
/** A kill comes at a random time after the wanted states have changed. */
const MAX_DELAY_MS = 1500
/** The number exists only in memory. A start from the beginning would write 1 again. */
const SCRIPT = 'i=0; while :; do i=$((i+1)); echo $i >>numbers; sleep 0.05; done'

/**
 * Suspends and resumes programs with their memory while server and runtime are killed, then requires
 * that each program has counted without a gap or a repetition.
 */
export async function continueMemory(kills: number, print: (line: string) => void): Promise<void> {
  const seed = process.env['KILLS_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31))
  print(`  KILLS_SEED=${seed} repeats these changes and delays`)
  const random = seededRandom(Number(seed))
  await using machine = await startSandboxMachine('gvisor')
  const { isolationClasses } = await machine.sandboxd.connection.runtime.getRuntimeInfo({})
  const reason = isolationClasses.find(({ name }) => name === 'gvisor')?.reason
  if (reason !== '') throw new Skipped(`the class gvisor is not offered: ${reason}`)
  for (const name of NAMES) {
    await machine.api().createSandbox(name, {
      podTemplate: shellTemplate(SCRIPT, { runtimeClassName: 'gvisor' }),
      suspensionStrategy: HIBERNATE,
    })
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    for (const name of NAMES) {
      const operatingMode = random() < 0.5 ? 'Running' : 'Suspended'
      await machine.api().patchSandbox(name, { spec: { operatingMode } })
    }
    await sleep(random() * MAX_DELAY_MS)
    const isServer = random() < 0.3
    if (isServer) await machine.killServer()
    else await machine.killRuntime()
    print(`  kill ${kill} of ${kills}: ${isServer ? 'server' : 'sandboxd'}`)
  }
  for (const name of NAMES) await requireNumbers(machine, name)
  print('  every program has counted without a gap')
  await requireGone(machine)
  print('  no container is left')
}

/** Hibernates the sandbox once more, and reads the numbers after the resume. */
async function requireNumbers(machine: SandboxMachine, name: string): Promise<void> {
  for (const operatingMode of ['Running', 'Suspended', 'Running']) {
    await machine.api().patchSandbox(name, { spec: { operatingMode } })
    const condition = operatingMode === 'Running' ? 'Ready=True' : 'Suspended=True'
    await waitForConditions(() => machine.api().getSandbox(name), condition, 'Progressing=False')
  }
  const { body } = await machine.api().getSandbox(name)
  assert.equal(body.status.boot, 'RESUME')
  const { uid } = body.metadata
  const key = { plane: 'root', namespace: 'default', name, uid }
  let text = ''
  const command = ['cat', 'numbers']
  for await (const { output } of machine.sandboxd.connection.runtime.exec({
    sandbox: key,
    command,
  })) {
    if (output.case === 'stdout') text += Buffer.from(output.value).toString()
  }
  const numbers = text.trim().split('\n').map(Number)
  assert.ok(numbers.length > 10)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
}

async function requireGone(machine: SandboxMachine): Promise<void> {
  for (const name of NAMES) await machine.api().call('DELETE', `${SANDBOXES}/${name}`)
  const remains = async (): Promise<readonly string[]> => [
    ...(await readdir(path.join(machine.sandboxd.directory, 'runsc'))),
    ...(await readdir(path.join(machine.sandboxd.directory, 'sandboxes'))),
  ]
  await poll('the remains', remains, (files) => files.length === 0)
}
