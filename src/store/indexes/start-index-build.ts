import { repeat } from '../../lib/async/repeat.ts'
import type { Log } from '../../lib/log/log.ts'
import type { Database } from '../database/database.ts'
import { buildIndexes } from './build-indexes.ts'
import type { ResourceIndex } from './resource-index.ts'

/** The other servers of a rolling change leave, and an index that they declared is dropped then. */
const CHECK_MS = 60_000

interface Options {
  readonly indexes: readonly ResourceIndex[]
  readonly log: Log
  readonly checkMs?: number
}

/**
 * Builds missing indexes in the background, and drops the ones that no live server declares.
 * Searches and lists work without them, only slower.
 */
export function startIndexBuild(
  database: Database,
  { indexes, log, checkMs = CHECK_MS }: Options,
): AsyncDisposable {
  const onError = (err: unknown): void => {
    log.warn({ err }, 'the indexes of resources were not checked: the next attempt follows')
  }
  return repeat({ pauseMs: checkMs, onError }, async (signal) => {
    const built = await buildIndexes(database, { indexes, signal })
    if (built.length > 0) log.info({ indexes: built }, 'built indexes of resources')
  })
}
