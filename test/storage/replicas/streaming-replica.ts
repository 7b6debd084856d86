import { execFile, spawn } from 'node:child_process'
import { chown, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { createDatabaseDirectory } from '../../support/database-directory.ts'
import { postgresAccount } from '../postgres-account.ts'

const BINARIES = '/usr/lib/postgresql/15/bin'

/** A streaming replica of Debian's PostgreSQL. */
export interface StreamingReplica extends AsyncDisposable {
  /** The URL of the primary's database on the replica. */
  readonly url: string
  readonly pid: () => number
  /** Runs a statement in it. */
  run(statement: string): Promise<void>
  /** Kills all processes of the server. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops all processes of the server; its connections stay open. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** Copies a primary that listens on a Unix socket, and starts the copy as its replica. */
export async function startStreamingReplica(primary: string): Promise<StreamingReplica> {
  const account = await postgresAccount()
  const directory = await createDatabaseDirectory('flotilla-replica-')
  if (account.uid !== undefined) await chown(directory, account.uid, account.gid ?? account.uid)
  const data = path.join(directory, 'data')
  const { searchParams, username } = new URL(primary)
  await promisify(execFile)(
    path.join(BINARIES, 'pg_basebackup'),
    ['-h', searchParams.get('host') ?? '', '-U', username, '-D', data, '-R', '-c', 'fast'],
    { ...account, cwd: directory },
  )
  const url = new URL(primary)
  url.searchParams.set('host', directory)
  let pid = 0
  let exited: Promise<unknown> = Promise.resolve()

  /** Signals the server before its backends, so that it starts no others. */
  async function signal(name: NodeJS.Signals): Promise<void> {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    process.kill(pid, name)
    for (const child of children.split(' ').filter((text) => text !== '')) {
      signalIfAlive(Number(child), name)
    }
  }

  async function start(): Promise<void> {
    const settings = [`unix_socket_directories=${directory}`, 'listen_addresses=']
    const server = spawn(
      path.join(BINARIES, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...account, cwd: directory, stdio: 'ignore' },
    )
    exited = new Promise((resolve) => server.once('exit', resolve))
    pid = server.pid ?? 0
    await answers(url.href)
  }

  async function kill(): Promise<void> {
    await signal('SIGKILL')
    await exited
    while (await isInUse(data)) await sleep(20)
    // A lock file that belongs to another process with this number would prevent the start.
    await rm(path.join(data, 'postmaster.pid'), { force: true })
  }

  await start()
  return {
    url: url.href,
    pid: () => pid,
    run: (statement) => run(url.href, statement),
    kill,
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    [Symbol.asyncDispose]: async () => {
      await kill().catch(() => undefined)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Whether a process of PostgreSQL still runs in its data directory. */
async function isInUse(data: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => null)),
  )
  return folders.includes(await realpath(data))
}

/** Backends of ended connections exit at any time. */
function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run(url, 'select 1')
    } catch (error) {
      if (attempt > 2400) throw error
      await sleep(25)
    }
  }
}
