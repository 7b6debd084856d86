import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listProcesses } from '../../../src/sandboxes/drivers/runtime/machine/list-processes.ts'
import { poll } from '../support/poll.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'

const USERS = process.getuid?.() === 0 ? [undefined, 54_327] : [undefined]

/** Processes with a text in their arguments. */
async function processesWith(text: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const { pid } of await listProcesses()) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(text)) found.push(pid)
  }
  return found
}

it.for(USERS.flatMap((user) => ['bubblewrap', 'process'].map((name) => ({ name, user }))))(
  'a runtime ends what one with a removed directory has left: $name, $user',
  async ({ name, user }, { skip }) => {
    await using sandboxd = await startSandboxd(user === undefined ? {} : { user })
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const { reason } = isolationClasses.find((each) => each.name === name) ?? { reason: 'unknown' }
    if (reason !== '') return skip(reason)
    const start = async () => {
      const box = runtimeSandbox(() => sandboxd.connection)
      await box.start('one', '', {
        workload: { command: ['/bin/sleep', '3600'], isolationClass: name },
      })
      return box
    }
    const lost = await start()
    const network = path.join(sandboxd.directory, 'network')
    const routers = await processesWith(network)
    expect(await processesWith(lost.key.uid)).not.toEqual([])
    await sandboxd.stop('SIGKILL')
    for (const entry of await readdir(sandboxd.directory)) {
      await rm(path.join(sandboxd.directory, entry), { recursive: true, force: true })
    }
    await sandboxd.restart()
    const left = async () => {
      const own = new Set(await processesWith(network))
      return [...(await processesWith(lost.key.uid)), ...routers.filter((pid) => own.has(pid))]
    }
    expect(await poll('processes', left, ({ length }) => length === 0)).toEqual([])
    // Instances that the records contain stay.
    const kept = await start()
    await sandboxd.stop('SIGKILL')
    await sandboxd.restart()
    expect(await kept.get()).toMatchObject({ state: 'Running' })
  },
)
