import { createHash, randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { canEnter } from './can-enter.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { statIfPresent } from './stat-if-present.ts'
import { systemDirectory } from './system-directory.ts'

/** The name in the data directory under which the cluster is found. */
export const CLUSTER = 'postgres'

/** The real path of the cluster of a data directory, `null` where there is none yet. */
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

/** Throws where the server's account cannot reach the cluster. */
export async function requireReachable(account: Account | null, cluster: string): Promise<void> {
  if (account === null || (await canEnter(account, dirname(cluster)))) return
  throw new EmbeddedPostgresError(
    `the account '${account.name}' that runs PostgreSQL cannot enter ${dirname(cluster)}: ` +
      'give it the right to enter that directory and those above it, or choose another DATA_DIR',
  )
}

/** Where a new cluster goes: below the data directory where the server's account can enter it. */
export async function placeForCluster(account: Account | null, dataDir: string): Promise<string> {
  const inside = account === null || (await canEnter(account, dataDir))
  if (inside) return join(dataDir, CLUSTER)
  return join(await systemDirectory(), randomBytes(8).toString('hex'))
}

/** How drafts of this data directory's cluster start, in a directory that others may share. */
export function draftPrefix(dataDir: string): string {
  return `.initdb-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`
}
