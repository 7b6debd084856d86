import { setTimeout as sleep } from 'node:timers/promises'
import { raw } from 'sql-template-tag'
import { must } from '../../lib/assert.ts'
import type { Database } from '../database/database.ts'
import { EXACT_TEXT, openClient } from '../database/connection/open-client.ts'
import { LIVE_SERVERS_SINCE } from '../servers/live-servers.ts'
import type { DeclaredField } from './indexed-field.ts'
import { DECLARED, indexesOf, type ResourceIndex } from './resource-index.ts'

/** Key of the advisory lock of the building server; arbitrary. */
const BUILD_LOCK = 7_305_188_022

/** The pause before another attempt to become the building server. */
const POLL_MS = 2000

/** The indexes of resources, and the fields that live servers declare, this one included. */
const READ_INDEXES = raw(`
  select
    (select json_agg(json_build_object('name', relname, 'isValid', indisvalid))
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'resources'::regclass) as found,
    (select coalesce(json_agg(configuration -> 'settings' -> 'INDEXED_FIELDS'), '[]')
     from servers where seen_time >= ${LIVE_SERVERS_SINCE}) as declared`)

interface FoundIndex {
  readonly name: string
  readonly isValid: boolean
}

interface IndexRow {
  readonly found: readonly FoundIndex[]
  /** Null for each server of a version without declared fields. */
  readonly declared: readonly (readonly DeclaredField[] | null)[]
}

interface Changes {
  /** Names of indexes that no live server declares, or whose build was interrupted. */
  readonly dropped: readonly string[]
  readonly built: readonly ResourceIndex[]
}

interface Options {
  /** The indexes of this server. */
  readonly indexes: readonly ResourceIndex[]
  readonly signal: AbortSignal
}

/**
 * Builds the missing indexes, one at a time, without blocking writes, and drops those that no live
 * server declares. Of several servers, one builds. Returns the names of the indexes that this server
 * has built.
 */
export async function buildIndexes(
  database: Database,
  { indexes, signal }: Options,
): Promise<readonly string[]> {
  const needed = changesOf(await database.query<IndexRow>('read_indexes', READ_INDEXES), indexes)
  if (needed.built.length === 0 && needed.dropped.length === 0) return []
  const { directUrl } = database.connection
  await using client = await openClient(directUrl, { options: EXACT_TEXT })
  const { rows: sessions } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cancel = (): void => void cancelBuild(directUrl, sessions[0]?.pid ?? 0)
  signal.addEventListener('abort', cancel)
  try {
    // A session that waits for the lock would hold a snapshot, for which the build waits.
    while (!(await isLocked(client))) await sleep(POLL_MS, undefined, { signal })
    const { rows } = await client.query<IndexRow>(READ_INDEXES.text)
    const { dropped, built } = changesOf(rows, indexes)
    for (const name of dropped) await client.query(`drop index concurrently if exists ${name}`)
    for (const { name, definition } of built) {
      signal.throwIfAborted()
      await client.query(`create index concurrently ${name} on resources ${definition}`)
    }
    // The planner needs statistics of the indexed expressions.
    if (built.length > 0) await client.query('analyze resources')
    return built.map(({ name }) => name)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

type Client = Awaited<ReturnType<typeof openClient>>

async function isLocked(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is_locked: boolean }>(
    'select pg_try_advisory_lock($1) as is_locked',
    [BUILD_LOCK],
  )
  return rows[0]?.is_locked === true
}

/** Ends the statement of a stopping server, which would otherwise run for minutes. */
async function cancelBuild(url: string, pid: number): Promise<void> {
  try {
    await using client = await openClient(url)
    await client.query('select pg_cancel_backend($1)', [pid])
  } catch {
    // The database is down, and the build with it.
  }
}

function changesOf([row]: readonly IndexRow[], indexes: readonly ResourceIndex[]): Changes {
  const { found, declared } = must(row, 'a row of indexes')
  const wanted = new Set(indexes.map(({ name }) => name))
  const others = declared.flatMap((fields) => (fields ?? []).flatMap(indexesOf))
  const kept = new Set([...wanted, ...others.map(({ name }) => name)])
  const valid = new Set(found.filter(({ isValid }) => isValid).map(({ name }) => name))
  const dropped = found.filter(({ name, isValid }) => {
    return wanted.has(name) ? !isValid : name.startsWith(DECLARED) && !kept.has(name)
  })
  return {
    dropped: dropped.map(({ name }) => name),
    built: indexes.filter(({ name }) => !valid.has(name)),
  }
}
