import { createHash, randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { canEnter } from './can-enter.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { statIfPresent } from './stat-if-present.ts'
import { systemDirectory } from './system-directory.ts'

/** The cluster's name in the data directory. */
export const CLUSTER = 'postgres'

/** The real path of a data directory's cluster; `null` if no cluster exists yet. */
export async function findCluster(dataDir: string): Promise<string | null> {
  const path = join(dataDir, CLUSTER)
  if ((await statIfPresent(path)) === null) return null
  try {
    return await realpath(path)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `${path} points to a directory that is gone: restore it, or remove ${path} to start empty`,
      { cause },
    )
  }
}

/** Throws if the server's account cannot enter the cluster's directory. */
export async function requireReachable(account: Account | null, cluster: string): Promise<void> {
  if (account === null || (await canEnter(account, dirname(cluster)))) return
  throw new EmbeddedPostgresError(
    `the account '${account.name}' that runs PostgreSQL cannot enter ${dirname(cluster)}: ` +
      'give it the right to enter that directory and those above it, or choose another DATA_DIR',
  )
}

/** The parent of a new cluster: the data directory, unless the server's account cannot enter it. */
export async function placeForCluster(account: Account | null, dataDir: string): Promise<string> {
  const inside = account === null || (await canEnter(account, dataDir))
  if (inside) return join(dataDir, CLUSTER)
  return join(await systemDirectory(), randomBytes(8).toString('hex'))
}

/** Name prefix of this data directory's draft clusters, in a directory that others may share. */
export function draftPrefix(dataDir: string): string {
  return `.initdb-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`
}
