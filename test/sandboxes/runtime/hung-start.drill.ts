import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, type ExpectStatic, it } from 'vitest'
import { listProcesses } from '../../../src/sandboxes/drivers/runtime/machine/list-processes.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 54_327
/** The cgroups of root would end the processes too. */
const OPTIONS = IS_ROOT ? { user: ORDINARY_USER } : {}
const CLASS = { isolationClass: 'bubblewrap' }

/** Starts an instance that waits forever for the content of its filter of system calls. */
async function hangStart(
  box: RuntimeSandbox,
  {
    sandboxd: { directory },
    expect,
  }: { readonly sandboxd: TestSandboxd; readonly expect: ExpectStatic },
): Promise<{ readonly filter: string; readonly started: Promise<unknown> }> {
  const filter = path.join(directory, 'seccomp.bpf')
  await rm(filter)
  await promisify(execFile)('mkfifo', ['--mode=0666', filter])
  const started = box.start('one', '', { workload: { command: ['/bin/true'], ...CLASS } })
  // The caller awaits it later.
  started.catch(() => undefined)
  // The pid file is opened before the filter.
  const pidFile = path.join(directory, 'sandboxes', box.key.uid, 'run/one/pid')
  await expect.poll(() => readFile(pidFile, 'utf8').catch(() => null)).toBe('')
  return { filter, started }
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
  it('leaves no processes', async ({ expect, skip }) => {
    await using sandboxd = await startSandboxd(OPTIONS)
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const reason = isolationClasses.find(({ name }) => name === 'bubblewrap')?.reason
    if (reason !== '') return skip(reason)
    const box = runtimeSandbox(() => sandboxd.connection)
    const { started } = await hangStart(box, { sandboxd, expect })
    await expect(started).rejects.toThrow()
    await expect.poll(() => processesOf(box)).toEqual([])
  })

  it('does not keep the next runtime from starting', async ({ expect, skip }) => {
    await using sandboxd = await startSandboxd(OPTIONS)
    const { isolationClasses } = await sandboxd.connection.runtime.getRuntimeInfo({})
    const reason = isolationClasses.find(({ name }) => name === 'bubblewrap')?.reason
    if (reason !== '') return skip(reason)
    const box = runtimeSandbox(() => sandboxd.connection)
    const { filter, started } = await hangStart(box, { sandboxd, expect })
    await sandboxd.stop('SIGKILL')
    await expect(started).rejects.toThrow()
    await rm(filter)
    await sandboxd.restart()
    await expect.poll(() => processesOf(box)).toEqual([])
    await box.start('last', '', { workload: { command: ['/bin/true'], ...CLASS } })
    expect(await box.reaches('Exited')).toMatchObject({ exitCode: 0 })
  })
})
