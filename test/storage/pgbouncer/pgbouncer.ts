import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createDatabaseDirectory } from '../../support/database-directory.ts'
import { postgresAccount } from '../postgres-account.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

const FILE = new URL('../../../deploy/pgbouncer/pgbouncer.ini', import.meta.url)

/** Whether Debian's PgBouncer is installed. */
export const hasPgbouncer = existsSync(PROGRAM)

interface Options {
  /** The database that the pooler connects to, on a Unix socket. */
  readonly databaseUrl: string
  /** Whether `connect_query` gives the sessions their settings; true by default. */
  readonly sessions?: 'configured' | 'unconfigured'
  /** Further lines of the section `pgbouncer`. */
  readonly settings?: readonly string[]
}

/** A PgBouncer in transaction mode with four connections to PostgreSQL. */
export interface Pgbouncer extends AsyncDisposable {
  /** The database through the pooler. */
  readonly url: string
  readonly pid: number
  start(): Promise<void>
  /** Breaks all connections. */
  kill(): Promise<void>
  /** Runs a command of the admin console. */
  command(text: string): Promise<void>
}

/** Starts a PgBouncer that listens on a Unix socket in a temporary directory. */
export async function startPgbouncer(options: Options): Promise<Pgbouncer> {
  const account = await postgresAccount()
  const directory = await createDatabaseDirectory('flotilla-pgbouncer-')
  const file = path.join(directory, 'pgbouncer.ini')
  await writeFile(file, await configuration(directory, options))
  if (account.uid !== undefined) await chown(directory, account.uid, account.gid ?? account.uid)
  const urlOf = (database: string): string =>
    `postgresql://flotilla@localhost:6432/${database}?host=${encodeURIComponent(directory)}`
  let pid = 0
  let stop = (): Promise<void> => Promise.resolve()

  async function start(): Promise<void> {
    const child = spawn(PROGRAM, ['--quiet', file], { ...account, cwd: directory, stdio: 'ignore' })
    pid = child.pid ?? 0
    const exited = new Promise((resolve) => child.once('exit', resolve))
    stop = async () => {
      child.kill('SIGKILL')
      await exited
    }
    await answers(urlOf('pgbouncer'))
  }

  await start()
  return {
    url: urlOf(new URL(options.databaseUrl).pathname.slice(1)),
    get pid() {
      return pid
    },
    start,
    kill: () => stop(),
    command: (text) => run(urlOf('pgbouncer'), text),
    [Symbol.asyncDispose]: async () => {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The file of `deploy/` with addresses of this machine, four connections and no passwords. */
async function configuration(directory: string, options: Options): Promise<string> {
  const { databaseUrl, sessions = 'configured', settings = [] } = options
  const target = new URL(databaseUrl)
  const address = `* = host=${target.searchParams.get('host')} user=${target.username}`
  const deployed = await readFile(FILE, 'utf8')
  return [
    deployed
      .replace(/^flotilla = host=\S+ port=\S+ dbname=\S+/m, address)
      .replace(sessions === 'configured' ? '' : / connect_query=.*/, ''),
    'listen_addr =',
    `unix_socket_dir = ${directory}`,
    'auth_type = any',
    'admin_users = flotilla',
    'default_pool_size = 4',
    ...settings,
  ].join('\n')
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function answers(admin: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run(admin, 'show version')
    } catch (error) {
      if (attempt > 2400) throw error
      await sleep(25)
    }
  }
}
