import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { readIfPresent } from '../lib/files/read-if-present.ts'

/** Throws if another major version created the cluster: this version cannot read its files. */
export async function requireVersion(cluster: string, major: string): Promise<void> {
  const found = (await readIfPresent(join(cluster, 'PG_VERSION')))?.trim()
  if (found === major) return
  if (found === undefined) {
    throw new EmbeddedPostgresError(
      `${cluster} is not a PostgreSQL cluster: move it away, or set DATA_DIR to another directory`,
    )
  }
  throw new EmbeddedPostgresError(
    `${cluster} was made by PostgreSQL ${found} and this Flotilla brings PostgreSQL ${major}: ` +
      `dump it with the Flotilla that brought PostgreSQL ${found} and restore the dump into a new ` +
      'DATA_DIR, or set DATA_DIR to another directory to start empty',
  )
}
