import { execFile, spawn } from 'node:child_process'
import { chown, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { createDatabaseDirectory } from '../support/database-directory.ts'
import { type Account, postgresAccount } from './postgres-account.ts'

const BINARIES = '/usr/lib/postgresql/15/bin'

interface Server {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** A cluster of PostgreSQL 15 in a temporary directory. Disposing removes the directory. */
export interface DebianCluster extends AsyncDisposable {
  /** A directory of the account that runs PostgreSQL; `data` is the folder in it. */
  readonly directory: string
  /** Runs a program of PostgreSQL as that account. */
  run(program: string, ...args: readonly string[]): Promise<void>
  /** Starts the server on the cluster in a folder of the directory, with these settings. */
  start(folder: string, settings?: readonly string[]): Promise<Server>
}

/** Creates a cluster with Debian's PostgreSQL 15 in the folder `data`. Null if it is not installed. */
export async function createDebianCluster(
  fill = initializeDebianCluster,
): Promise<DebianCluster | null> {
  if (!existsSync(path.join(BINARIES, 'postgres'))) return null
  const account = await postgresAccount()
  const directory = await createDatabaseDirectory('flotilla-pg15-')
  if (account.uid !== undefined) await chown(directory, account.uid, account.gid ?? account.uid)
  const options = { ...account, cwd: directory }
  const cluster: DebianCluster = {
    directory,
    run: async (program, ...args) => {
      await promisify(execFile)(path.join(BINARIES, program), args, options)
    },
    start: (folder, settings = []) => startServer(options, folder, settings),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
  await fill(cluster)
  return cluster
}

/** Runs `initdb` in the folder `data`. */
export async function initializeDebianCluster(cluster: DebianCluster): Promise<void> {
  const format = ['--encoding=UTF8', '--locale=C', '--auth=trust', '--username=flotilla']
  await cluster.run('initdb', '-D', 'data', ...format, '--no-sync')
}

/** Starts PostgreSQL 15 from Debian's package in a temporary directory. Null if it is not installed. */
export async function startDebianPostgres(fill = initializeDebianCluster): Promise<Server | null> {
  const cluster = await createDebianCluster(fill)
  if (cluster === null) return null
  const { url, pid, stop } = await cluster.start('data')
  return {
    url,
    pid,
    stop: async () => {
      await stop()
      await cluster[Symbol.asyncDispose]()
    },
  }
}

async function startServer(
  options: Account & { readonly cwd: string },
  folder: string,
  more: readonly string[],
): Promise<Server> {
  const { cwd } = options
  const settings = ['listen_addresses=', `unix_socket_directories=${cwd}`, 'fsync=off', ...more]
  const server = spawn(
    path.join(BINARIES, 'postgres'),
    ['-D', path.join(cwd, folder), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  )
  const exited = new Promise((resolve) => server.once('exit', resolve))
  const url = `postgresql://flotilla@localhost/postgres?host=${encodeURIComponent(cwd)}`
  await answers(url)
  return {
    url,
    pid: server.pid ?? 0,
    stop: async () => {
      server.kill('SIGINT')
      await exited
    },
  }
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (attempt > 1200) throw error
      await sleep(50)
    } finally {
      await client.end()
    }
  }
}
