import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeProbes } from './probe-wall.ts'

test('directories of probes that were killed are removed, and those of sandboxes stay', async () => {
  const sandboxesDirectory = await mkdtemp(path.join(os.tmpdir(), 'probes-'))
  onTestFinished(() => rm(sandboxesDirectory, { recursive: true }))
  for (const name of ['.probe-a1B2c3/run/probe', 'f8c2a7d0-0000-4000-8000-000000000000']) {
    await mkdir(path.join(sandboxesDirectory, name), { recursive: true })
  }
  const layout = { stateDirectory: '', imagesDirectory: '', sandboxesDirectory }
  await removeProbes(layout)
  expect(await readdir(sandboxesDirectory)).toEqual(['f8c2a7d0-0000-4000-8000-000000000000'])
})
