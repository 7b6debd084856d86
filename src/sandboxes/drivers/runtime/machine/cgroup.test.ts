import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeEmptyCgroups } from './cgroup.ts'

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
