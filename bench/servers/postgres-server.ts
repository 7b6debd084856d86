import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import pino from 'pino'
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A PostgreSQL server for temporary databases. */
export interface PostgresServer extends AsyncDisposable {
  /** The postmaster; null if it runs on another machine. */
  readonly pid: number | null
  readonly version: string
  /** Creates an empty database, or a copy of `template`, and returns its URL. */
  create(template?: string): Promise<string>
  drop(url: string): Promise<void>
  /** Runs a statement in a database as its owner. */
  run(url: string, statement: string): Promise<readonly Record<string, unknown>[]>
}

/** Opens the server at DATABASE_URL, or starts an embedded one in a temporary directory. */
export async function openPostgresServer(): Promise<PostgresServer> {
  const given = process.env['DATABASE_URL'] ?? ''
  if (given !== '') return serverAt(given, () => Promise.resolve())
  const directory = temporaryDirectory()
  const embedded = await startEmbeddedPostgres({
    dataDir: directory.path,
    log: pino({ level: 'error' }),
  })
  return serverAt(embedded.url, async () => {
    await embedded.stop()
    directory[Symbol.dispose]()
  })
}

async function serverAt(admin: string, stop: () => Promise<void>): Promise<PostgresServer> {
  const created = new Set<string>()
  const run = `flotilla_bench_${randomBytes(4).toString('hex')}`
  let number = 0
  const drop = async (url: string): Promise<void> => {
    await query(admin, `drop database if exists ${databaseOf(url)} with (force)`)
    created.delete(url)
  }
  return {
    ...(await factsOf(admin)),
    create: async (template) => {
      number += 1
      const url = withDatabase(admin, `${run}_${number}`)
      const copied =
        template === undefined ? '' : ` template ${databaseOf(template)} strategy file_copy`
      await query(admin, `create database ${databaseOf(url)}${copied}`)
      created.add(url)
      // Otherwise PostgreSQL would write the copied pages during the measurement.
      await query(admin, 'checkpoint').catch(() => undefined)
      return url
    },
    drop,
    run: query,
    [Symbol.asyncDispose]: async () => {
      for (const url of created) await drop(url)
      await stop()
    },
  }
}

async function factsOf(url: string): Promise<{ pid: number | null; version: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string; pid: number }>(
      'select version() as version, pg_backend_pid() as pid',
    )
    const [{ version, pid } = { version: '', pid: 0 }] = rows
    // Needs the backend, which exits with this connection.
    return { pid: parentOf(pid), version: version.split(' on ')[0] ?? '' }
  } finally {
    await client.end()
  }
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end()
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** The database name in a URL. Names generated here need no quotes in SQL. */
export function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** The parent process of a local backend; null if the server runs on another machine. */
function parentOf(backend: number): number | null {
  try {
    const status = readFileSync(`/proc/${backend}/status`, 'latin1')
    if (!/^Name:\t(postgres|postmaster)$/m.test(status)) return null
    return Number(/^PPid:\t(\d+)$/m.exec(status)?.[1])
  } catch {
    return null
  }
}
