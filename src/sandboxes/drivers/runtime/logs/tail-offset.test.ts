import { mkdtemp, open, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MAX_LOG_BYTES } from './limit-log.ts'
import { tailOffset } from './tail-offset.ts'

test('searches no more than a log keeps, in an output of any size', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'tail-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = await open(path.join(directory, 'output.log'), 'w+')
  onTestFinished(() => file.close())
  // A sparse file occupies no disk.
  const size = 2 ** 43
  await file.truncate(size)
  expect(await tailOffset(file, size, 1)).toBe(size - MAX_LOG_BYTES)
  await file.write('last\n', size)
  await file.write('one\n', size + 5)
  expect(await tailOffset(file, size + 9, 1)).toBe(size + 5)
})
