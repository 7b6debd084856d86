import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PROGRAMS_DIRECTORY, programCopies } from './start-programs.ts'

it('every user can run the copies of programs, also if the mask of the process is strict', async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'programs-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const mask = process.umask(0o077)
  onTestFinished(() => void process.umask(mask))
  const target = path.join(parent, 'of-instance')
  const { sh } = await programCopies({ imagesDirectory: parent }).addTo(target)
  expect(sh.at(-1)).toBe(`${PROGRAMS_DIRECTORY}/sh`)
  const files = (await readdir(target)).map((name) => path.join(target, name))
  const modes = await Promise.all([target, ...files].map(async (file) => (await stat(file)).mode))
  expect(new Set(modes.map((mode) => mode & 0o777))).toEqual(new Set([0o755]))
})

it('copies again after a failed start without an effect on others that link the copies', async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'programs-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const copies = programCopies({ imagesDirectory: parent })
  const [first = '', ...targets] = Array.from({ length: 12 }, (_, index) =>
    path.join(parent, `instance-${index}`),
  )
  await copies.addTo(first)
  // The directory of an instance exists already.
  const failed = copies.addTo(first)
  const others = targets.slice(0, -1).map((target) => copies.addTo(target))
  await expect(failed).rejects.toThrow('EEXIST')
  await Promise.all([...others, copies.addTo(targets.at(-1) ?? '')])
  const expected = (await readdir(first)).toSorted()
  for (const target of targets) expect((await readdir(target)).toSorted()).toEqual(expected)
})
