import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'
import type { StateCount } from '../state-counts.ts'
import {
  COUNTED_COLUMNS,
  type CountedChange,
  countedChangeOf,
  type CountedChangeRow,
  SNAPSHOT,
} from './scan-states.ts'

/** The revisions that one statement reads. */
const PAGE_SIZE = 1000
/** Behind more changes than this, a scan of the resources is cheaper. */
const MAX_CHANGES = 100_000n
/** How long counts are kept that no server updates. */
const RETENTION = "interval '1 day'"

/** Counts at a revision of the log. */
export interface StoredCounts {
  readonly epoch: string
  readonly revision: bigint
  readonly states: readonly StateCount[]
}

/** The rules of counting, and the kinds whose totals are compared. */
interface AskedCounts {
  readonly fingerprint: string
  readonly kinds: readonly string[]
}

/** The stored counts, and the totals at the end of the log, which the sequencer maintains. */
interface CountsWithTotals {
  readonly stored: StoredCounts
  /** The end of the log. */
  readonly revision: bigint
  readonly totals: readonly KindTotal[]
}

/** The number of resources of a kind and tenant. */
interface KindTotal {
  readonly kind: string
  readonly tenant: string
  readonly total: number
}

const READ_STORED_COUNTS = {
  name: 'read_stored_counts',
  text: `
    select head.revision as head_revision, state_counts.epoch, state_counts.revision, states,
      (select coalesce(json_agg(json_build_object('kind', kind, 'tenant', tenant, 'total', total)), '[]')
       from resource_counts
       where kind = any($2::text[]) and owner_id = '' and total <> 0) as totals
    from head join state_counts on state_counts.epoch = head.epoch
      and state_counts.revision >= head.compacted and state_counts.revision <= head.revision
    where fingerprint = $1::text`,
}

const READ_COUNTED_CHANGES = {
  name: 'read_counted_changes',
  text: `
    select ${COUNTED_COLUMNS} from changes
    where revision > $1::bigint and revision <= $2::bigint and adapter = ''
    order by revision`,
}

interface StoredRow extends StoredCounts {
  readonly totals: readonly KindTotal[]
  readonly head_revision: bigint
}

/**
 * Reads the stored counts, and then the changes since then. Null without counts of this fingerprint,
 * and if the log lacks changes since then.
 */
export function readStoredCounts(
  database: Database,
  { fingerprint, kinds }: AskedCounts,
  onChange: (change: CountedChange) => void,
): Promise<CountsWithTotals | null> {
  return database.transaction(async (snapshot) => {
    await snapshot.execute(SNAPSHOT, [])
    const [row] = await snapshot.execute<StoredRow>(READ_STORED_COUNTS, [fingerprint, kinds])
    if (row === undefined) return null
    const { head_revision: head, totals, ...stored } = row
    if (head - stored.revision > MAX_CHANGES) return null
    for (let after = stored.revision; after < head; after += BigInt(PAGE_SIZE)) {
      const end = after + BigInt(PAGE_SIZE) < head ? after + BigInt(PAGE_SIZE) : head
      const rows = await snapshot.execute<CountedChangeRow>(READ_COUNTED_CHANGES, [after, end])
      for (const change of rows.flatMap(countedChangeOf)) onChange(change)
    }
    return { stored, revision: head, totals }
  })
}

/** Several servers may store counts: newer ones win. Counts of a former epoch are replaced. */
const STORE_COUNTS = {
  name: 'store_counts',
  text: `
    with expired as (
      delete from state_counts where stored_time < now() - ${RETENTION} and fingerprint <> $1::text
    )
    insert into state_counts as old (fingerprint, epoch, revision, states, stored_time)
    values ($1::text, $2::text, $3::bigint, $4::json, now())
    on conflict (fingerprint) do update
    set epoch = excluded.epoch, revision = excluded.revision, states = excluded.states,
      stored_time = excluded.stored_time
    where old.epoch <> excluded.epoch or old.revision <= excluded.revision`,
}

/** Stores the counts for the next server that starts. */
export async function storeCounts(
  database: Database,
  fingerprint: string,
  { epoch, revision, states }: StoredCounts,
): Promise<void> {
  await database.execute(STORE_COUNTS, [fingerprint, epoch, revision, JSON.stringify(states)])
}

const IS_COUNTING_DUE = {
  name: 'is_counting_due',
  text: `
    select not exists (
      select from state_counts, head
      where fingerprint = $1::text and state_counts.epoch = head.epoch and (
        state_counts.revision = head.revision
        or state_counts.revision >= head.compacted
          and stored_time > now() - make_interval(secs => $2::float8))
    ) as is_due`,
}

/** Whether the log has changes that are not counted, and no server has counted recently. */
export async function isCountingDue(
  database: Database,
  fingerprint: string,
  seconds: number,
): Promise<boolean> {
  const rows = await database.execute<{ is_due: boolean }>(IS_COUNTING_DUE, [fingerprint, seconds])
  return must(rows[0], 'a row').is_due
}
