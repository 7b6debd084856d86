import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createCachedCluster } from './cached-cluster.ts'

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cached-cluster-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('a cluster is created once, and each run has its own copy', async () => {
  const cache = await emptyFolder()
  let created = 0
  const run = async () => {
    const directory = await emptyFolder()
    const file = path.join(directory, 'PG_VERSION')
    const create = async () => {
      created += 1
      await writeFile(file, 'complete')
    }
    await createCachedCluster({ name: 'cluster', directory, create, cache })
    const content = await readFile(file, 'utf8')
    await writeFile(file, 'changed by this run')
    return content
  }
  expect([await run(), await run(), await run()]).toEqual(['complete', 'complete', 'complete'])
  expect(created).toBe(1)
})

it('a cluster whose copy fails is created in an empty directory', async () => {
  const cache = await emptyFolder()
  const directory = await emptyFolder()
  const file = path.join(directory, 'PG_VERSION')
  await writeFile(file, 'of an incomplete copy')
  const create = () => writeFile(file, 'complete', { flag: 'wx' })
  await createCachedCluster({ name: 'cluster', directory, create, cache })
  expect(await readFile(file, 'utf8')).toBe('complete')
})

it('a cluster is created if the cache is not writable', async () => {
  const directory = await emptyFolder()
  const file = path.join(directory, 'PG_VERSION')
  const create = () => writeFile(file, 'complete')
  await createCachedCluster({ name: 'cluster', directory, create, cache: '/dev/null/cache' })
  expect(await readFile(file, 'utf8')).toBe('complete')
})
