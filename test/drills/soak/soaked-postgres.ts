import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, statfs, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { postgresAccount } from '../../storage/postgres-account.ts'
import { Skipped } from '../drill.ts'
import { runTool } from '../run-tool.ts'
import { type FaultTarget, signal } from './fault-target.ts'

const BINARIES = '/usr/lib/postgresql/15/bin'
export const POSTGRES_PORT = 5432
const RESTART_MS = 500
const SAMPLE_MS = 100
/** Attempts to leave this little space. */
const REMAINING_BYTES = [64 * 1024, 2 ** 20, 8 * 2 ** 20]
const TOOL = { cwd: '/', timeoutMs: 10_000 }

const SETTINGS = [
  'listen_addresses=*',
  `port=${POSTGRES_PORT}`,
  // A file system in memory has no disk to flush to, but the server must behave as if it had.
  'fsync=on',
  'max_wal_size=128MB',
  'min_wal_size=64MB',
  'log_checkpoints=off',
  // Backends of clients that are unreachable end.
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
]

/** A PostgreSQL server whose processes and disk can fail. A supervisor starts it again. */
export interface SoakedPostgres extends FaultTarget {
  /** The processes of clients, such as the pools of servers. */
  backends(): Promise<readonly number[]>
  /** The server with all its processes. */
  processes(): Promise<readonly number[]>
  /** Delays every flush of the write-ahead log; 0 ends that. */
  setFlushDelay(microseconds: number): Promise<void>
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
}

/** Starts PostgreSQL 15 on the file system of this folder. */
export async function startSoakedPostgres(folder: string): Promise<SoakedPostgres> {
  if (!existsSync(path.join(BINARIES, 'postgres'))) throw new Skipped('no PostgreSQL 15 of Debian')
  const account = await postgresAccount()
  const data = path.join(folder, 'data')
  const ballast = path.join(folder, 'ballast')
  await mkdir(data)
  await chown(data, account.uid ?? 0, account.gid ?? 0)
  const format = ['--encoding=UTF8', '--locale=C', '--auth=trust', '--username=flotilla']
  const options = { ...account, cwd: data }
  await promisify(execFile)(path.join(BINARIES, 'initdb'), ['-D', data, ...format], options)
  const stopped = new AbortController()
  let pid: number | null = null
  const supervise = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const settings = SETTINGS.flatMap((setting) => ['-c', setting])
      const program = path.join(BINARIES, 'postgres')
      const server = spawn(program, ['-D', data, ...settings], { ...options, stdio: 'ignore' })
      pid = server.pid ?? null
      await new Promise((resolve) => server.once('exit', resolve))
      pid = null
      await sleep(RESTART_MS)
    }
  }
  const supervised = supervise()
  const childrenOf = async (parent: number): Promise<readonly number[]> => {
    const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(
      () => '',
    )
    return children.split(' ').filter(Boolean).map(Number)
  }
  const ready = async (): Promise<void> => {
    while (!(await isWriting())) await sleep(SAMPLE_MS)
  }
  await ready()
  return {
    pid: () => pid,
    ready,
    processes: async () => (pid === null ? [] : [pid, ...(await childrenOf(pid))]),
    backends: async () => {
      const children = pid === null ? [] : await childrenOf(pid)
      const titles = await Promise.all(
        children.map((child) => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
      )
      return children.filter((_, index) => titles[index]?.startsWith('postgres: flotilla'))
    },
    setFlushDelay: async (microseconds) => {
      await query(`alter system set commit_delay = ${microseconds}`)
      await query('alter system set commit_siblings = 0')
      await query('select pg_reload_conf()')
    },
    fillDisk: async () => {
      // Another write may have taken the last bytes.
      await writeFile(ballast, '')
      for (const free of REMAINING_BYTES) {
        const { bavail, bsize } = await statfs(folder)
        const size = String(Math.max(1, bavail * bsize - free))
        const isFull = await runTool('fallocate', ['-l', size, ballast], TOOL).then(
          () => true,
          () => false,
        )
        if (isFull) return
      }
    },
    freeDisk: () => truncate(ballast),
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      signal(pid, 'SIGINT')
      await supervised
    },
  }
}

async function isWriting(): Promise<boolean> {
  try {
    await query('select pg_current_wal_flush_lsn()')
    return true
  } catch {
    return false
  }
}

async function query(text: string): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: POSTGRES_PORT,
    user: 'flotilla',
    database: 'postgres',
    connectionTimeoutMillis: 1000,
    query_timeout: 5000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => undefined)
  }
}
