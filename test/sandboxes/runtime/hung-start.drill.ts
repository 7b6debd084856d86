import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { listProcesses } from '../../../src/drivers/runtime/machine/list-processes.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_327
/** The cgroups of root would end the processes too. */
const OPTIONS = IS_ROOT ? { user: ORDINARY_USER } : {}
const MARKER = 'never-ready'
const CLASS = { isolationClass: 'bubblewrap' }

/** A volume over /usr/bin whose shell never reports that the instance is ready. */
async function prepareHungStart(sandboxd: TestSandboxd): Promise<RuntimeSandbox> {
  const box = runtimeSandbox(() => sandboxd.connection)
  const script =
    'cp /usr/bin/perl /programs && printf %s "$1" >/programs/sh && chmod 755 /programs/sh'
  const shell = `#!/usr/bin/perl\n$0 = "${MARKER} ${box.key.uid}"; sleep 1000;`
  const volumes = [{ name: 'programs', mountPath: '/programs' }]
  const command = ['/bin/sh', '-c', script, 'sh', shell]
  await box.start('one', '', { workload: { command, volumes, ...CLASS } })
  expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
  return box
}

function hungStart(box: RuntimeSandbox): Promise<unknown> {
  const volumes = [{ name: 'programs', mountPath: '/usr/bin' }]
  return box.start('two', '', { workload: { command: ['/bin/true'], volumes, ...CLASS } })
}

/** The processes with the uid of the sandbox in their arguments. */
async function processesOf({ key }: RuntimeSandbox): Promise<readonly string[]> {
  const commands = await Promise.all(
    (await listProcesses()).map(({ pid }) =>
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ),
  )
  return commands.filter((each) => each.includes(key.uid))
}

describe.concurrent('a start that is never ready', () => {
  it('leaves no processes', async ({ skip }) => {
    await using sandboxd = await startSandboxd(OPTIONS)
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const reason = isolationClasses.find(({ name }) => name === 'bubblewrap')?.reason
    if (reason !== '') return skip(reason)
    const box = await prepareHungStart(sandboxd)
    await expect(hungStart(box)).rejects.toThrow()
    await expect.poll(() => processesOf(box)).toEqual([])
  })

  it('does not keep the next runtime from starting', async ({ skip }) => {
    await using sandboxd = await startSandboxd(OPTIONS)
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const reason = isolationClasses.find(({ name }) => name === 'bubblewrap')?.reason
    if (reason !== '') return skip(reason)
    const box = await prepareHungStart(sandboxd)
    const started = hungStart(box).catch(() => undefined)
    await expect
      .poll(async () => (await processesOf(box)).some((each) => each.startsWith(MARKER)))
      .toBe(true)
    await sandboxd.stop('SIGKILL')
    await started
    await sandboxd.restart()
    await expect.poll(() => processesOf(box)).toEqual([])
    await box.start('three', 'true', { workload: { command: ['/bin/true'], ...CLASS } })
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
  })
})
