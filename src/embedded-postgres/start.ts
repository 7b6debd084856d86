import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, chooseAccount } from './account.ts'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { claimDirectory } from '../lib/files/claim-directory.ts'
import { findCluster, requireReachable } from './cluster-directory.ts'
import { connectWhenReady } from './connect-when-ready.ts'
import { createDataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { initializeCluster } from './initialize-cluster.ts'
import type { Log } from '../lib/log/log.ts'
import { readPassword } from './password.ts'
import { type ServerProcess, spawnServer } from './server-process.ts'
import { createSocketDirectory, removeSocketDirectory } from './socket-directory.ts'
import { stopOrphan } from './stop-orphan.ts'
import { writePrivateFile } from '../lib/files/write-private-file.ts'
import { readIfPresent } from '../lib/files/read-if-present.ts'

/** A PostgreSQL server that belongs to this process. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** `postgresql://flotilla:<password>@localhost/flotilla?host=<socket directory>` */
  readonly url: string
  readonly pid: number
  /** Resolves if the server ends unexpectedly. */
  readonly exited: Promise<void>
  /** Ends all sessions and the server; returns when it has ended. */
  stop(): Promise<void>
}

const ORPHANS_TIMEOUT_MS = 10_000
const PAUSE_MS = 100
const SHARED_MEMORY_IN_USE = /pre-existing shared memory block .* is still in use/

interface Options {
  readonly dataDir: string
  readonly log: Log
}

/**
 * Starts PostgreSQL on the cluster in a data directory, creating both if they are missing, and owns
 * the directory until `stop`. Throws an EmbeddedPostgresError if the user has to act.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError('the embedded PostgreSQL needs Unix: set DATABASE_URL')
  }
  const dataDir = await createDataDirectory(options.dataDir)
  const claim = await claimDirectory(dataDir)
  try {
    const { server, url, socketDir } = await startOwned(dataDir, options.log)
    return handle(server, url, async () => {
      await server.stop()
      await removeSocketDirectory(socketDir)
      await rm(join(dataDir, 'database-url'), { force: true })
      await claim.release()
    })
  } catch (error) {
    await claim.release()
    throw error
  }
}

function handle(server: ServerProcess, url: string, stop: () => Promise<void>): EmbeddedPostgres {
  let stopped: Promise<void> | null = null
  const stopOnce = (): Promise<void> => (stopped ??= stop())
  return {
    url,
    pid: server.pid,
    exited: new Promise((resolve) => {
      void server.ended.then(() => {
        if (stopped === null) resolve()
      })
    }),
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  }
}

interface Started {
  readonly server: ServerProcess
  readonly url: string
  readonly socketDir: string
}

async function startOwned(dataDir: string, log: Log): Promise<Started> {
  const existing = await findCluster(dataDir)
  const account = await chooseAccount(existing)
  const binaries = await prepareBinaries(account, dataDir)
  const password = await readPassword(dataDir, existing !== null)
  const cluster = existing ?? (await initializeCluster({ dataDir, account, binaries, password }))
  if (existing === null) {
    log.info({ cluster, account: account?.name ?? 'own' }, 'created a PostgreSQL cluster')
  }
  await requireReachable(account, cluster)
  await requireVersion(cluster, binaries.major)
  const stalePid = await stopOrphan(cluster, log)
  const socketDir = await createSocketDirectory(account)
  const url = databaseUrl(password, socketDir)
  try {
    const server = await serve(
      { log, dataDir, cluster, account, binaries, socketDir, stalePid },
      url,
    )
    server.reportFailures(log)
    log.info({ pid: server.pid, cluster }, 'PostgreSQL is ready')
    return { server, url, socketDir }
  } catch (error) {
    await removeSocketDirectory(socketDir)
    throw error
  }
}

interface ServeOptions {
  readonly log: Log
  readonly dataDir: string
  readonly cluster: string
  readonly account: Account | null
  readonly binaries: Binaries
  readonly socketDir: string
  readonly stalePid: number | null
}

/**
 * Starts the server; returns it when it is ready and its database exists. Children of a killed server
 * outlive it for a moment, and PostgreSQL does not start while they hold its shared memory.
 */
async function serve(options: ServeOptions, url: string): Promise<ServerProcess> {
  const deadline = Date.now() + ORPHANS_TIMEOUT_MS
  for (;;) {
    const server = await spawnServer({ ...options, postgres: options.binaries.postgres })
    try {
      await createDatabase(server, url)
      await writePrivateFile(join(options.dataDir, 'database-url'), `${url}\n`)
      return server
    } catch (error) {
      const isBlocked = server.hasEnded() && SHARED_MEMORY_IN_USE.test(await server.lastLines())
      await server.stop()
      if (!isBlocked || Date.now() > deadline) throw error
    }
    options.log.warn(
      { cluster: options.cluster },
      'waiting for the processes of a killed PostgreSQL to end',
    )
    await sleep(PAUSE_MS)
  }
}

async function createDatabase(server: ServerProcess, url: string): Promise<void> {
  const administration = new URL(url)
  administration.pathname = '/postgres'
  const client = await connectWhenReady(server, administration.href)
  try {
    const found = await client.query(`select 1 from pg_database where datname = 'flotilla'`)
    if (found.rowCount === 0) await client.query('create database flotilla')
  } finally {
    await client.end()
  }
}

function databaseUrl(password: string, socketDir: string): string {
  const host = encodeURIComponent(socketDir).replaceAll('%2F', '/')
  return `postgresql://flotilla:${password}@localhost/flotilla?host=${host}`
}

/** Throws if another major version created the cluster: this version cannot read its files. */
async function requireVersion(cluster: string, major: string): Promise<void> {
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
