import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identifyProcess } from '../drivers/runtime/machine/process-identity.ts'
import { findManaged, managedFile, markManaged } from './managed-sandboxd.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'managed-'))
})
afterAll(() => rm(directory, { recursive: true }))

it('finds the process that has marked the directory', async () => {
  await markManaged(directory)
  expect(await findManaged(directory)).toEqual(await identifyProcess(process.pid))
})

it('does not take a later process with the same pid for it', async () => {
  await markManaged(directory)
  const text = await readFile(managedFile(directory), 'utf8')
  // The start of the process that had the pid before.
  await writeFile(
    managedFile(directory),
    text.replace(/\d(?=\n$)/, (digit) => `${digit}1`),
  )
  expect(await findManaged(directory)).toBeNull()
})

it('reads the file of an earlier version, which has only the pid', async () => {
  await writeFile(managedFile(directory), `${process.pid}\n`)
  expect(await findManaged(directory)).toEqual(await identifyProcess(process.pid))
})

it.each(['', '\n', '0\n', '-1\n', 'x\n'])('finds nothing in a file with %j', async (text) => {
  await writeFile(managedFile(directory), text)
  expect(await findManaged(directory)).toBeNull()
})
