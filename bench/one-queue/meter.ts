import { readFileSync } from 'node:fs'
import type { Database } from '../../src/store/database/database.ts'

/** The cost of one operation. Times are microseconds of CPU. */
export interface Cost {
  readonly postgres: number
  readonly node: number
  readonly wal: number
  readonly buffers: number
  readonly rows: number
}

interface Counters {
  readonly pid: number
  readonly wal: string
  readonly buffers: string
  readonly rows: string
}

const COUNTERS = `
  select pg_backend_pid() as pid, wal.wal_bytes as wal,
    (select sum(coalesce(hits, 0) + coalesce(reads, 0))
     from pg_stat_get_backend_io(pg_backend_pid())) as buffers,
    (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables) as rows
  from pg_stat_get_backend_wal(pg_backend_pid()) as wal`

/** Runs operations on the only connection of a database, and returns the cost of one. */
export async function meter(
  database: Database,
  run: () => Promise<void>,
  operations: number,
): Promise<Cost> {
  const before = await countersOf(database)
  const cpu = backendMicros(before.pid)
  const own = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(own)
  const postgres = backendMicros(before.pid) - cpu
  const after = await countersOf(database)
  const growth = (key: 'wal' | 'buffers' | 'rows'): number =>
    (Number(after[key]) - Number(before[key])) / operations
  return {
    postgres: postgres / operations,
    node: (user + system) / operations,
    wal: growth('wal'),
    buffers: growth('buffers'),
    rows: growth('rows'),
  }
}

async function countersOf({ pool }: Database): Promise<Counters> {
  await pool.query('select pg_stat_force_next_flush()')
  await pool.query('select 1')
  const { rows } = await pool.query<Counters>(COUNTERS)
  const [counters] = rows
  if (!counters) throw new Error('no counters')
  return counters
}

/** The CPU time of a backend, which is precise to the nanosecond. */
function backendMicros(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1000
}
