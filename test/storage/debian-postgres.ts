import { execFile, spawn } from 'node:child_process'
import { chown, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { createDatabaseDirectory } from '../support/database-directory.ts'

const BINARIES = '/usr/lib/postgresql/15/bin'

interface Server {
  readonly url: string
  stop(): Promise<void>
}

/** Starts PostgreSQL 15 from Debian's package in a temporary directory. Null if it is not installed. */
export async function startDebianPostgres(): Promise<Server | null> {
  if (!existsSync(path.join(BINARIES, 'postgres'))) return null
  const account = process.getuid?.() === 0 ? await postgresAccount() : {}
  const directory = await createDatabaseDirectory('flotilla-pg15-')
  if (account.uid !== undefined) await chown(directory, account.uid, account.gid ?? account.uid)
  const data = path.join(directory, 'data')
  await promisify(execFile)(
    path.join(BINARIES, 'initdb'),
    [
      '-D',
      data,
      '--encoding=UTF8',
      '--locale=C',
      '--auth=trust',
      '--username=flotilla',
      '--no-sync',
    ],
    { ...account, cwd: directory },
  )
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off']
  const server = spawn(
    path.join(BINARIES, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...account, cwd: directory, stdio: 'ignore' },
  )
  const exited = new Promise((resolve) => server.once('exit', resolve))
  const url = `postgresql://flotilla@localhost/postgres?host=${encodeURIComponent(directory)}`
  await answers(url)
  return {
    url,
    stop: async () => {
      server.kill('SIGINT')
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function postgresAccount(): Promise<{ uid?: number; gid?: number }> {
  const accounts = await readFile('/etc/passwd', 'utf8')
  const [, , uid, gid] = /^postgres:.*$/m.exec(accounts)?.[0].split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (attempt > 200) throw error
      await sleep(50)
    } finally {
      await client.end()
    }
  }
}
