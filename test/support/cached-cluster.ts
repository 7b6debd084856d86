import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildTargetIfStale } from '../../src/tools/build-target.mjs'
import { TEST_CACHE } from './module-cache.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = path.join(ROOT, TEST_CACHE)
/** They affect a cluster with its migrated template. */
const SOURCES = [
  'package-lock.json',
  'prisma',
  'src/store/database',
  'src/embedded-postgres',
  'test/storage/debian-postgres.ts',
  'test/support/cached-cluster.ts',
  'test/support/global-setup.ts',
]

interface Options {
  /** A noun; also the name in the cache. */
  readonly name: string
  /** An empty directory. */
  readonly directory: string
  /** Creates the cluster in the directory; its server has stopped when this returns. */
  readonly create: () => Promise<void>
  /** The folder of the cache. */
  readonly cache?: string
}

/**
 * Creates a stopped cluster in a directory: a copy from the cache, which the first run fills. Every
 * run has its own copy, so no run can damage those of others.
 */
export async function createCachedCluster(options: Options): Promise<void> {
  if (!(await isWritable(options.cache ?? CACHE))) return options.create()
  try {
    await copyFromCache(options)
  } catch {
    // Another run has replaced the cluster.
    for (const entry of await readdir(options.directory)) {
      await rm(path.join(options.directory, entry), { recursive: true })
    }
    await options.create()
  }
}

async function isWritable(cache: string): Promise<boolean> {
  try {
    await mkdir(cache, { recursive: true })
    return true
  } catch {
    return false
  }
}

async function copyFromCache(options: Options): Promise<void> {
  const { name, directory, create, cache = CACHE } = options
  const out = path.join(path.relative(ROOT, cache), name)
  let isCreated = false
  await buildTargetIfStale({
    name: `the ${name} of the tests`,
    root: ROOT,
    out,
    sources: SOURCES,
    build: async (folder: string) => {
      await create()
      isCreated = true
      await copy(directory, folder)
    },
  })
  if (!isCreated) await copy(path.join(ROOT, out), directory)
}

/** Copies a folder with owners and modes. Rejects if the folder was replaced during the copy. */
async function copy(from: string, to: string): Promise<void> {
  const before = await stat(from)
  await mkdir(to, { recursive: true })
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
  if ((await stat(from)).ino !== before.ino) throw new Error(`${from} was replaced`)
}
