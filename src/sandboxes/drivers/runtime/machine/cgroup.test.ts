import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removeEmptyCgroups, setFrozen } from './cgroup.ts'

test('removes cgroups without processes from all hierarchies', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cgroups-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const unified = path.join(directory, 'unified')
  const memory = path.join(directory, 'memory')
  for (const each of [unified, memory]) await mkdir(path.join(each, 'running'), { recursive: true })
  await writeFile(path.join(unified, 'running/cgroup.procs'), `${process.pid}\n`)
  await mkdir(path.join(unified, 'ended/nested'), { recursive: true })
  // A runtime was killed after it had removed the other one.
  await mkdir(path.join(memory, 'left'))
  await removeEmptyCgroups({
    path: unified,
    controllers: ['memory'],
    legacy: new Map([['memory', memory]]),
  })
  expect(await readdir(unified)).toEqual(['running'])
  expect(await readdir(memory)).toEqual(['running'])
})

test('processes that do not freeze in time continue', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const cgroup = await mkdtemp(path.join(os.tmpdir(), 'cgroup-'))
  onTestFinished(() => rm(cgroup, { recursive: true }))
  const state = (): Promise<string> =>
    readFile(path.join(cgroup, 'cgroup.freeze'), 'utf8').catch(() => '')
  const outcome = setFrozen(cgroup, true).then(() => 'frozen', String)
  await expect.poll(state).toBe('1')
  const advance = (): Promise<string> => {
    vi.advanceTimersByTime(10_001)
    return state()
  }
  await expect.poll(advance).toBe('0')
  expect(await outcome).toContain('did not freeze')
})
