import { chmod, mkdtemp, rm, watch } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { removeCgroupRoot } from '../runtime/machine/cgroup-root.ts'
import { inspectMachine } from '../runtime/machine/machine.ts'
import { testMemoryCapture } from './self-test.ts'

const sandboxesDirectory = await mkdtemp(path.join(os.tmpdir(), 'self-test-'))
const machine = await inspectMachine(sandboxesDirectory)
const { cgroups } = machine

afterAll(async () => {
  if (cgroups !== null) await removeCgroupRoot(cgroups)
  await rm(sandboxesDirectory, { recursive: true, force: true })
})

test('the self-test keeps its files in a directory that the next start removes', async ({
  skip,
}) => {
  // Hooks do not run in a file whose tests are all skipped before they begin.
  if (!machine.isRoot || cgroups === null) return skip('needs root and a writable cgroup')
  await chmod(sandboxesDirectory, 0o755)
  const ended = new AbortController()
  const events = watch(sandboxesDirectory, { signal: ended.signal })
  const first = events[Symbol.asyncIterator]().next()
  // The reason does not matter: a machine without criu fails after the files were created.
  await testMemoryCapture({ machine, layout: { sandboxesDirectory } }, cgroups, [])
  expect((await first).value?.filename).toMatch(/^\.probe-/)
  ended.abort()
})
