import { mkdir, mkdtemp, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { CLUSTER, draftPrefix, placeForCluster } from './cluster-directory.ts'
import { giveToAccount } from './give-to-account.ts'
import { runProgram } from './run-program.ts'

interface Options {
  readonly dataDir: string
  readonly account: Account | null
  readonly binaries: Binaries
  readonly password: string
}

/**
 * Creates the cluster and returns its real path. The cluster is created under a draft name and
 * renamed when complete, so an interrupted creation is never mistaken for a cluster.
 */
export async function initializeCluster(options: Options): Promise<string> {
  const { dataDir, account } = options
  const place = await placeForCluster(account, dataDir)
  const parent = dirname(place)
  await removeDrafts(parent, draftPrefix(dataDir))
  const draft = await mkdtemp(join(parent, draftPrefix(dataDir)))
  try {
    await giveToAccount(account, draft)
    await rename(await runInitdb(draft, options), place)
    await syncDirectory(parent)
    if (parent !== dataDir) {
      await symlink(place, join(dataDir, CLUSTER))
      await syncDirectory(dataDir)
    }
    return place
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function runInitdb(draft: string, options: Options): Promise<string> {
  const { account, binaries } = options
  const cluster = join(draft, 'cluster')
  const passwordFile = join(draft, 'password')
  await mkdir(cluster, { mode: 0o700 })
  await giveToAccount(account, cluster)
  await writeFile(passwordFile, options.password, { mode: 0o600 })
  await giveToAccount(account, passwordFile)
  const parameters = [
    `--pgdata=${cluster}`,
    '--encoding=UTF8',
    '--locale=C',
    '--auth=scram-sha-256',
    '--username=flotilla',
    `--pwfile=${passwordFile}`,
  ]
  await runProgram(binaries.initdb, parameters, account)
  return cluster
}

async function removeDrafts(parent: string, prefix: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix))
  // An initdb whose parent was killed may keep writing for a moment.
  const options = { recursive: true, force: true, maxRetries: 5 }
  await Promise.all(names.map((name) => rm(join(parent, name), options)))
}

/** Makes created and renamed entries of a directory survive a power failure. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
