import { execFile, spawn } from 'node:child_process'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Account } from '../storage/postgres-account.ts'

const BINARIES = '/usr/lib/postgresql/15/bin'

/** Whether Debian's PostgreSQL 15 is installed. */
export const hasDebianPostgres = existsSync(path.join(BINARIES, 'pg_basebackup'))

/** A running PostgreSQL server. */
export interface PostgresProcess {
  readonly socket: string
  readonly url: string
  query(text: string): Promise<pg.QueryResult['rows']>
  /** Ends the server without a checkpoint, as a crash does. */
  kill(): Promise<void>
  /** Sends a signal to one of its processes, such as the `checkpointer` or the `walreceiver`. */
  signal(name: string, signal: NodeJS.Signals): Promise<void>
}

/** Runs a program of PostgreSQL. */
export async function runPostgresProgram(
  program: string,
  args: readonly string[],
  account: Account,
): Promise<void> {
  await promisify(execFile)(path.join(BINARIES, program), [...args], { ...account, cwd: '/' })
}

/** Starts a server on an existing data directory. */
export async function startPostgresProcess(
  data: string,
  account: Account,
): Promise<PostgresProcess> {
  const directory = `${data}-socket`
  await mkdir(directory, { recursive: true })
  if (account.uid !== undefined) await chown(directory, account.uid, account.gid ?? account.uid)
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off']
  const child = spawn(
    path.join(BINARIES, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, cwd: data, stdio: 'ignore' },
  )
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = `postgresql://flotilla@localhost/postgres?host=${encodeURIComponent(directory)}`
  const server: PostgresProcess = {
    socket: path.join(directory, '.s.PGSQL.5432'),
    url,
    query: (text) => query(url, text),
    kill: async () => {
      child.kill('SIGQUIT')
      child.kill('SIGCONT')
      await exited
    },
    signal: async (name, signal) => {
      process.kill(await childOf(child.pid, name), signal)
    },
  }
  await untilReady(server)
  return server
}

async function query(url: string, text: string): Promise<pg.QueryResult['rows']> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function untilReady(server: PostgresProcess): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await server.query('select 1')
      return
    } catch (error) {
      if (attempt > 1200) throw error
      await sleep(50)
    }
  }
}

/** The process id of a child of the server. PostgreSQL writes the names into its command lines. */
async function childOf(pid: number | undefined, name: string): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.trim().split(' ')) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(name)) return Number(child)
  }
  throw new Error(`PostgreSQL has no process '${name}'`)
}
