import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { must } from '../../src/lib/assert.ts'

/** A compiled server with an embedded database in a temporary directory. */
export interface Server extends AsyncDisposable {
  readonly origin: string
  readonly pid: number
  /** Errors in its log and deadlocks in its database. */
  violations(): Promise<readonly string[]>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PINO_ERROR = 50

export async function startServer(): Promise<Server> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-load-'))
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['src/tools/start.mjs'], {
    cwd: ROOT,
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const errors: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server did not start: try npm start')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return
      const { level, msg, port: listening } = JSON.parse(line)
      if (level >= PINO_ERROR) errors.push(line)
      if (msg === 'ready') resolve(listening)
    })
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: must(child.pid, 'a process id'),
    violations: async () => [...errors, ...(await deadlocks(dataDir))],
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function deadlocks(dataDir: string): Promise<readonly string[]> {
  const url = await readFile(path.join(dataDir, 'database-url'), 'utf8')
  const client = new pg.Client({ connectionString: url.trim() })
  await client.connect()
  const { rows } = await client.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  await client.end()
  const count = Number(rows[0]?.deadlocks)
  return count === 0 ? [] : [`${count} deadlocks`]
}
