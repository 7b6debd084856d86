import type { Log } from '../../lib/log/log.ts'
import type { Database } from '../database/database.ts'
import { buildIndexes } from './build-indexes.ts'
import type { ResourceIndex } from './resource-index.ts'

/** Builds missing indexes in the background. Searches and lists work without them, only slower. */
export function startIndexBuild(
  database: Database,
  indexes: readonly ResourceIndex[],
  log: Log,
): AsyncDisposable {
  const closing = new AbortController()
  const { signal } = closing
  const build = buildIndexes(database, { indexes, signal }).then(
    (built) => {
      if (built.length > 0) log.info({ indexes: built }, 'built indexes of resources')
    },
    (err: unknown) => {
      if (signal.aborted) return
      log.warn({ err }, 'indexes of resources are missing: the next start of a server builds them')
    },
  )
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await build
    },
  }
}
