import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { prepareBinaries } from '../../src/embedded-postgres/binaries.ts'
import { canEnter } from '../../src/embedded-postgres/can-enter.ts'
import { copyBinaries } from '../../src/embedded-postgres/copy-binaries.ts'
import { processStart } from '../../src/lib/processes/process-start.ts'
import { runProgram } from '../../src/embedded-postgres/run-program.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded-postgres/start.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
/** Through tsx, a process uses four times the CPU. */
const START = new URL('../../dist/embedded-postgres/start.js', import.meta.url)
const NOBODY = { name: 'nobody', uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
const nobodyCanRun =
  isRoot && (await canEnter(NOBODY, CHECKOUT)) && (await canEnter(NOBODY, process.execPath))

/** Starts the server, prints the outcome, and stops the server when standard input ends. */
const OWNER_SCRIPT = `
  import { startEmbeddedPostgres } from '${START.href}'
  const log = { info() {}, warn() {} }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2], log })
    console.log(JSON.stringify({ url: postgres.url, pid: postgres.pid }))
    process.stdin.on('end', () => postgres.stop().then(() => process.exit(0))).resume()
  } catch (error) {
    console.log(JSON.stringify({ error: error.name + ': ' + error.message }))
    process.exit(1)
  }
`

/** Another process that owns, or tries to claim, a data directory. */
interface Owner {
  readonly process: ChildProcess
  readonly pid: number
  /** The URL and pid of its server, or its error. */
  readonly outcome: Promise<{ url: string; pid: number; error?: string }>
}

let root = ''
/** A data directory with an initialized cluster. Every test leaves its server stopped. */
let dataDir = ''
const owners: Owner[] = []
const servers: EmbeddedPostgres[] = []
const outside: string[] = []

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'embedded-test-')))
  await chmod(root, 0o755)
  await writeFile(join(root, 'owner.mjs'), OWNER_SCRIPT)
  dataDir = join(root, 'shared')
  await (await start(dataDir)).stop()
})

afterEach(async () => {
  for (const owner of owners.splice(0)) {
    owner.process.stdin?.end()
    const { pid } = await owner.outcome
    if (owner.process.exitCode === null && owner.process.signalCode === null) {
      await once(owner.process, 'exit')
    } else if (pid !== undefined && (await isAlive(pid))) {
      process.kill(pid, 'SIGQUIT')
    }
  }
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

afterAll(async () => {
  await Promise.all([root, ...outside].map((path) => rm(path, { recursive: true, force: true })))
})

async function start(directory: string): Promise<EmbeddedPostgres> {
  const log = { info: () => undefined, warn: () => undefined }
  const server = await startEmbeddedPostgres({ dataDir: directory, log })
  servers.push(server)
  return server
}

function spawnOwner(directory: string, account?: { uid: number; gid: number }): Owner {
  const script = join(root, 'owner.mjs')
  const child = spawn(process.execPath, [script, directory], {
    cwd: CHECKOUT,
    env: { PATH: process.env['PATH'], HOME: tmpdir(), TMPDIR: tmpdir() },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...account,
  })
  const lines = createInterface({ input: must(child.stdout, 'standard output') })
  const outcome = Promise.race([once(lines, 'line'), once(child, 'exit').then(() => ['{}'])]).then(
    ([line]) => JSON.parse(String(line)),
  )
  const owner = { process: child, pid: must(child.pid, 'the pid'), outcome }
  owners.push(owner)
  return owner
}

async function killOwner(owner: Owner): Promise<void> {
  owner.process.kill('SIGKILL')
  await once(owner.process, 'exit')
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** Zombies do not count as alive. */
async function isAlive(pid: number): Promise<boolean> {
  return (await processStart(pid)) !== null
}

function socketDir(url: string): string {
  return must(new URL(url).searchParams.get('host'), 'the socket directory')
}

it('serves a durable UTF-8 database on a private socket only', async () => {
  const { url } = await start(dataDir)
  const settings = ['server_encoding', 'fsync', 'listen_addresses', 'max_connections', 'io_method']
  const shown = settings.map((name) => `current_setting('${name}') as ${name}`).join(', ')
  expect(await query(url, `select current_database() as database, ${shown}`)).toEqual([
    {
      database: 'flotilla',
      server_encoding: 'UTF8',
      fsync: 'on',
      listen_addresses: '',
      max_connections: '200',
      io_method: 'sync',
    },
  ])
  expect((await stat(socketDir(url))).mode & 0o777).toBe(0o700)
  for (const name of ['password', 'owner.json', 'database-url']) {
    expect((await stat(join(dataDir, name))).mode & 0o777, name).toBe(0o600)
  }
  expect((await readFile(join(dataDir, 'database-url'), 'utf8')).trim()).toBe(url)
})

it('keeps its data across a restart', async () => {
  const first = await start(dataDir)
  await query(first.url, 'create table kept as select 7 as number')
  await first.stop()
  const second = await start(dataDir)
  expect(await query(second.url, 'select number from kept')).toEqual([{ number: 7 }])
})

it('removes its process, socket and claim when stopped, even if stopped twice', async () => {
  const { url, pid, stop } = await start(dataDir)
  const open = new pg.Client({ connectionString: url })
  open.on('error', () => undefined)
  await open.connect()
  await Promise.all([stop(), stop()])
  expect(await isAlive(pid)).toBe(false)
  expect(existsSync(socketDir(url))).toBe(false)
  expect((await readdir(dataDir)).toSorted()).toEqual(['password', 'postgres'])
})

it('takes over after its owner was killed, and stops the orphaned server', async () => {
  const owner = spawnOwner(dataDir)
  const before = await owner.outcome
  await query(before.url, 'create table survivor as select 8 as number')
  await killOwner(owner)
  expect(await isAlive(before.pid)).toBe(true)

  const { url, pid } = await start(dataDir)
  expect(pid).not.toBe(before.pid)
  expect(await isAlive(before.pid)).toBe(false)
  expect(existsSync(socketDir(before.url))).toBe(false)
  expect(await query(url, 'select number from survivor')).toEqual([{ number: 8 }])
})

it('recovers after both owner and server were killed', async () => {
  const owner = spawnOwner(dataDir)
  const before = await owner.outcome
  await query(before.url, 'create table committed as select 9 as number')
  await killOwner(owner)
  process.kill(before.pid, 'SIGKILL')

  const { url } = await start(dataDir)
  expect(existsSync(socketDir(before.url))).toBe(false)
  expect(await query(url, 'select number from committed')).toEqual([{ number: 9 }])
})

it('waits until the last child of a killed server has ended', async () => {
  const owner = spawnOwner(dataDir)
  const before = await owner.outcome
  const client = new pg.Client({ connectionString: before.url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const backend = Number(rows[0].pid)
  process.kill(backend, 'SIGSTOP')
  await killOwner(owner)
  process.kill(before.pid, 'SIGKILL')

  const warnings: unknown[] = []
  const log = {
    info: () => undefined,
    warn: (_fields: unknown, message: unknown) => void warnings.push(message),
  }
  const starting = startEmbeddedPostgres({ dataDir, log })
  const waiting = 'waiting for the processes of a killed PostgreSQL to end'
  await expect.poll(() => warnings).toContain(waiting)
  process.kill(backend, 'SIGKILL')
  const server = await starting
  servers.push(server)
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await client.end()
})

it('rejects a directory whose owner is alive, and names its pid', async () => {
  const { url } = await start(dataDir)
  const second = await spawnOwner(dataDir).outcome
  expect(second.error).toBe(
    `SettingError: DATA_DIR ${dataDir} is in use by process ${process.pid}: ` +
      'stop it, or set DATA_DIR to another directory',
  )
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('lets exactly one of several concurrent processes claim the directory of a dead owner', async () => {
  // The pid is alive, but the process has a different start time than in the claim.
  const dead = JSON.stringify({ pid: process.pid, start: 'another time' })
  await writeFile(join(dataDir, 'owner.json'), dead)
  const outcomes = await Promise.all([1, 2, 3].map(() => spawnOwner(dataDir).outcome))
  const won = outcomes.filter(({ error }) => error === undefined)
  const lost = outcomes.filter(({ error }) => error?.includes('is in use by process'))
  expect([won.length, lost.length], JSON.stringify(outcomes)).toEqual([1, 2])
  expect(await query(must(won[0], 'the winner').url, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('starts if postmaster.pid names a live process that is not PostgreSQL', async () => {
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  try {
    await once(other, 'spawn')
    const file = join(dataDir, 'postgres', 'postmaster.pid')
    await writeFile(file, `${other.pid}\n${dataDir}/postgres\n1700000000\n5432\n/tmp\n\n`)
    await chown(file, uid, gid)
    const { url } = await start(dataDir)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(other.exitCode).toBe(null)
  } finally {
    other.kill()
  }
})

it('reports an unexpected exit of the server and cleans up', async () => {
  const { pid, exited, url, stop } = await start(dataDir)
  process.kill(pid, 'SIGQUIT')
  await exited
  await stop()
  expect(existsSync(socketDir(url))).toBe(false)
  expect(existsSync(join(dataDir, 'owner.json'))).toBe(false)
})

it('includes the output of the server in the error if it does not start', async () => {
  const configuration = join(dataDir, 'postgres', 'postgresql.auto.conf')
  const before = await readFile(configuration, 'utf8')
  await writeFile(configuration, 'no_such_setting = 1\n')
  await expect(start(dataDir)).rejects.toThrow(/ended while it started[^]*no_such_setting/)
  await writeFile(configuration, before)
  expect((await readdir(dataDir)).toSorted()).toEqual(['password', 'postgres'])
})

it('rejects a cluster of another major version and names the remedy', async () => {
  const file = join(dataDir, 'postgres', 'PG_VERSION')
  const before = await readFile(file, 'utf8')
  await writeFile(file, '17\n')
  await expect(start(dataDir)).rejects.toThrow(
    `${dataDir}/postgres was made by PostgreSQL 17 and this Flotilla brings PostgreSQL 18: dump it`,
  )
  await writeFile(file, before)
})

it('does not use a partially initialized cluster', async () => {
  const directory = join(root, 'partial')
  const owner = spawnOwner(directory)
  const drafts = async (): Promise<string[]> =>
    existsSync(directory)
      ? (await readdir(directory)).filter((name) => name.startsWith('.initdb-'))
      : []
  while ((await drafts()).length === 0) await sleep(2)
  await sleep(100)
  await killOwner(owner)
  expect(await drafts()).toHaveLength(1)
  expect(existsSync(join(directory, 'postgres'))).toBe(false)

  const { url } = await start(directory)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await drafts()).toEqual([])
})

it.runIf(isRoot)('serves root from a directory that no other account can enter', async () => {
  const closed = join(root, 'closed')
  await mkdir(closed, { mode: 0o700 })
  const first = await start(join(closed, 'data'))
  const cluster = await realpath(join(closed, 'data', 'postgres'))
  outside.push(cluster)
  expect(dirname(cluster)).toBe('/var/lib/flotilla')
  expect((await stat(cluster)).uid).not.toBe(0)
  await query(first.url, 'create table kept as select 7 as number')
  await first.stop()
  const second = await start(join(closed, 'data'))
  expect(await query(second.url, 'select number from kept')).toEqual([{ number: 7 }])
})

it.runIf(nobodyCanRun)(
  'runs as the ordinary user who starts it, also when root starts it later',
  async () => {
    const home = join(root, 'home')
    await mkdir(home, { mode: 0o755 })
    await chown(home, NOBODY.uid, NOBODY.gid)
    const directory = join(home, 'data')
    const owner = spawnOwner(directory, NOBODY)
    const { url, pid, error } = await owner.outcome
    expect(error).toBeUndefined()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(`/proc/${pid}`)).uid).toBe(NOBODY.uid)

    owner.process.stdin?.end()
    await once(owner.process, 'exit')
    const later = await start(directory)
    expect(await query(later.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(`/proc/${later.pid}`)).uid).toBe(NOBODY.uid)
  },
)

it('copies binaries that the account cannot access, including links, even concurrently', async () => {
  const native = dirname(dirname((await prepareBinaries(null, root)).postgres))
  const source = join(root, 'native')
  const isNotLink = async (path: string): Promise<boolean> => !(await lstat(path)).isSymbolicLink()
  await cp(native, source, { recursive: true, filter: isNotLink })
  await chmod(source, 0o700)
  const target = join(root, 'postgresql-copy')
  await Promise.all([copyBinaries(source, target), copyBinaries(source, target)])
  await runProgram(join(target, 'bin', 'postgres'), ['--version'], isRoot ? NOBODY : null)
  expect((await readdir(root)).filter((name) => name.startsWith('.copy-'))).toEqual([])
})
