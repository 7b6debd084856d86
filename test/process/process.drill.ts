import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { settingsOf } from '../../src/cmd/settings.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { type Ports, type Program, startProgram } from './program.ts'
import { lockResource } from '../storage/row-lock.ts'
import { startTcpProxy } from '../storage/tcp-proxy.ts'
import { createTestDatabase } from '../support/test-database.ts'

function api(ports: Ports, below: string, method = 'GET', body?: object): Promise<Response> {
  const url = `http://127.0.0.1:${ports.port}${BASE_PATH}${below}`
  if (body === undefined) return fetch(url, { method })
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method, headers, body: JSON.stringify(body) })
}

function create(ports: Ports, name: string): Promise<Response> {
  return api(ports, '/clusters', 'POST', { kind: 'Cluster', name, spec: {} })
}

async function bodyOf(response: Response) {
  return JSON.parse(await response.text())
}

async function namesOf(ports: Ports): Promise<readonly string[]> {
  const list = await bodyOf(await api(ports, '/clusters?orderBy=name'))
  return list.items.map((item: { name: string }) => item.name)
}

/** Command lines of running PostgreSQL processes that contain this directory. */
async function processesOver(directory: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(directory) && line.includes('postgres'))
}

describe('a server without DATABASE_URL', () => {
  let dataDir: string
  let program: Program
  let ports: Ports
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-process-'))
    await start()
  })
  afterAll(async () => {
    await program[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<void> {
    program = startProgram({ DATA_DIR: dataDir })
    ports = await program.ready()
  }

  it('starts an embedded database and logs its ports', async () => {
    expect(ports.port).toBeGreaterThan(0)
    expect(new Set(Object.values(ports)).size).toBe(3)
    expect((await create(ports, 'first')).status).toBe(201)
    const readiness = await fetch(`http://127.0.0.1:${ports.healthPort}/readyz`)
    expect(readiness.status).toBe(200)
    const metrics = await fetch(`http://127.0.0.1:${ports.metricsPort}/metrics`)
    expect(await metrics.text()).toContain('flotilla_http_requests_total')
    expect(await processesOver(dataDir)).not.toEqual([])
  })

  it('logs only JSON lines, and nothing on standard error', () => {
    for (const line of program.output().trim().split('\n'))
      expect(() => JSON.parse(line)).not.toThrow()
    expect(program.errors()).toBe('')
  })

  it('rejects a second process on its data directory', async () => {
    const second = startProgram({ DATA_DIR: dataDir })
    expect(await second.exited).toBe(1)
    expect(second.errors()).toContain(String(program.pid))
    expect(second.errors()).not.toContain('    at ')
    expect((await create(ports, 'second')).status).toBe(201)
  })

  it('exits 0 on SIGTERM, stops PostgreSQL, and has its data at the next start', async () => {
    program.kill('SIGTERM')
    expect(await program.exited).toBe(0)
    expect(program.output()).toContain('"msg":"stopped"')
    expect(program.output()).not.toContain('connection broke')
    expect(await processesOver(dataDir)).toEqual([])
    await start()
    expect(await namesOf(ports)).toEqual(['first', 'second'])
  })

  it('recovers its data after kill -9', async () => {
    expect((await create(ports, 'third')).status).toBe(201)
    program.kill('SIGKILL')
    await program.exited
    await start()
    expect(await namesOf(ports)).toEqual(['first', 'second', 'third'])
  })

  it('exits 1 if its PostgreSQL ends unexpectedly', async () => {
    const [pid] = (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split(
      '\n',
    )
    process.kill(Number(pid), 'SIGKILL')
    expect(await program.exited).toBe(1)
    expect(program.output()).toContain('the embedded PostgreSQL ended by itself')
  })
})

describe('a process with DATABASE_URL', () => {
  it('starts while another process starts on the same empty database', async () => {
    await using database = await createTestDatabase('embedded', { template: null })
    await using one = startProgram({ DATABASE_URL: database.url })
    await using two = startProgram({ DATABASE_URL: database.url })
    const [first, second] = await Promise.all([one.ready(), two.ready()])
    expect((await create(first, 'shared')).status).toBe(201)
    expect(await namesOf(second)).toEqual(['shared'])
    const migrated = [one, two].filter((program) =>
      program.output().includes('migrated the database'),
    )
    expect(migrated).toHaveLength(1)
  })

  it('finishes requests in flight on SIGTERM and accepts no new connections', async () => {
    await using database = await createTestDatabase()
    await using program = startProgram({ DATABASE_URL: database.url })
    const ports = await program.ready()
    const { id } = await bodyOf(await create(ports, 'slow'))
    const lock = await lockResource(database.url, id)
    const patch = api(ports, `/clusters/${id}`, 'PATCH', { spec: { slow: true } })
    await lock.awaited()
    program.kill('SIGTERM')
    await refusesConnections(ports.port)
    const readiness = await fetch(`http://127.0.0.1:${ports.healthPort}/readyz`)
    expect(readiness.status).toBe(503)
    await lock[Symbol.asyncDispose]()
    const response = await patch
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ generation: 2, spec: { slow: true } })
    expect(await program.exited).toBe(0)
  })

  it('accepts requests during the shutdown delay, and closes their connections', async () => {
    await using database = await createTestDatabase()
    const program = startProgram({ DATABASE_URL: database.url, SHUTDOWN_DELAY_MS: '600000' })
    const ports = await program.ready()
    program.kill('SIGTERM')
    const readiness = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${ports.healthPort}/readyz`)).status
    await expect.poll(readiness).toBe(503)
    const created = await create(ports, 'late')
    expect(created.status).toBe(201)
    expect(created.headers.get('connection')).toBe('close')
    program.kill('SIGKILL')
    await program.exited
  })

  it('exits after the shutdown timeout even if a request never ends', async () => {
    await using database = await createTestDatabase()
    const start = (SHUTDOWN_TIMEOUT_MS: string): Program =>
      startProgram({ DATABASE_URL: database.url, SHUTDOWN_TIMEOUT_MS })
    await using slow = start('600000')
    await using quick = start('300')
    const [slowPorts, quickPorts] = await Promise.all([slow.ready(), quick.ready()])
    const { id } = await bodyOf(await create(quickPorts, 'stuck'))
    await using lock = await lockResource(database.url, id)
    const failed = (request: Promise<Response>): Promise<boolean> =>
      request.then(
        () => false,
        () => true,
      )
    const slowPatch = failed(api(slowPorts, `/clusters/${id}`, 'PATCH', { spec: { a: 1 } }))
    await lock.awaited()
    const quickPatch = failed(api(quickPorts, `/clusters/${id}`, 'PATCH', { spec: { a: 2 } }))
    await lock.awaited(2)
    slow.kill('SIGTERM')
    await refusesConnections(slowPorts.port)
    quick.kill('SIGTERM')
    expect(await quickPatch).toBe(true)
    expect(await quick.exited).toBe(0)
    // The other process got its signal first and still waits for the same lock.
    expect(await Promise.race([slowPatch, Promise.resolve('waits')])).toBe('waits')
    slow.kill('SIGKILL')
  })
})

describe('a process that cannot start', () => {
  it('lists all problems of its settings', async () => {
    const program = startProgram({
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      HYPERFLEET_CLUSTER_ADAPTERS: '{}',
      JWT_ISSUER: 'stranger',
    })
    expect(await program.exited).toBe(1)
    for (const setting of ['PORT', 'LOG_LEVEL', 'HYPERFLEET_CLUSTER_ADAPTERS', 'JWT_ISSUER']) {
      expect(program.errors()).toContain(`- ${setting}`)
    }
    expect(program.errors()).not.toContain('    at ')
  })

  it('rejects a public address without authentication unless AUTH_DISABLED allows it', async () => {
    const refused = startProgram({ HOST: '0.0.0.0' })
    expect(await refused.exited).toBe(1)
    expect(refused.errors()).toContain('AUTH_DISABLED=true')
    await using database = await createTestDatabase()
    await using open = startProgram({
      HOST: '0.0.0.0',
      AUTH_DISABLED: 'true',
      DATABASE_URL: database.url,
    })
    const ports = await open.ready()
    expect((await create(ports, 'public')).status).toBe(201)
  })

  it.each([
    ['CORS_ORIGINS', 'https://ui.example.com/', 'is not an origin'],
    ['JWT_JWKS_FILE', '/no/such/file', 'cannot read the key set'],
    ['OPENAPI_SCHEMA_PATH', '/no/such/file', 'no such file'],
  ])('states the problem of %s', async (setting, value, problem) => {
    await using database = await createTestDatabase()
    const program = startProgram({ DATABASE_URL: database.url, [setting]: value })
    expect(await program.exited).toBe(1)
    expect(program.errors()).toContain(problem)
    expect(program.errors()).not.toContain('    at ')
    expect(program.output()).not.toContain('starts again')
  })

  it('exits without waiting if its database can never be used', async () => {
    await using database = await createTestDatabase()
    await using proxy = await startTcpProxy(database.url)
    const program = startProgram({ DATABASE_URL: `${proxy.url}?sslmode=verify-full` })
    expect(await program.exited).toBe(1)
    expect(program.errors()).toBe(
      'the database cannot be used: The server does not support SSL connections\n',
    )
  })

  it.each([
    // Databases of tests need no password.
    [
      'a wrong password',
      { pathname: '/flotilla', password: 'wrong' },
      'authentication failed',
      'correct the user or',
    ],
    ['a missing role', { username: 'stranger' }, 'authentication failed', 'correct the user or'],
    ['a missing database', { pathname: '/nothing' }, '"nothing" does not exist', 'create the'],
  ])('ends immediately with the reason and the remedy for %s', async (_case, change, ...words) => {
    await using database = await createTestDatabase()
    const url = Object.assign(new URL(database.url), change)
    const program = startProgram({ DATABASE_URL: url.href })
    expect(await program.exited).toBe(1)
    for (const text of words) expect(program.errors()).toContain(text)
    expect(program.errors()).toContain('DATABASE_URL')
    expect(program.errors()).not.toContain('    at ')
    expect(program.output()).not.toContain('does not answer yet')
    expect(program.output()).not.toContain('starts again')
  })

  it('stops on SIGTERM while it waits for its database', async () => {
    const program = startProgram({ DATABASE_URL: 'postgresql://flotilla@127.0.0.1:1/nothing' })
    await expect.poll(() => program.output()).toContain('does not answer yet')
    program.kill('SIGTERM')
    // A process that has waited too long exits with 1 and an error.
    expect(await program.exited).toBe(0)
    expect(program.errors()).toBe('')
  })

  it('rejects an unknown argument', async () => {
    const program = startProgram({}, ['--port=1'])
    expect(await program.exited).toBe(2)
    expect(program.errors()).toContain("'--port=1'")
  })
})

it('prints the table of settings with --help', async () => {
  const program = startProgram({ PORT: 'ignored' }, ['--help'])
  expect(await program.exited).toBe(0)
  for (const { env, doc } of settingsOf(kinds)) {
    expect(program.output()).toContain(`  ${env}\n`)
    expect(program.output()).toContain(doc)
  }
})

it('prints the settings of sandboxd with sandboxd --help', async () => {
  const program = startProgram({}, ['sandboxd', '--help'])
  expect(await program.exited).toBe(0)
  expect(program.output()).toMatch(/^Usage: flotilla sandboxd\n[^]*  SANDBOXD\n/)
  expect(program.output()).not.toContain('  DATABASE_URL\n')
})

describe('a misspelt setting', () => {
  it('causes a warning with a suggestion', async () => {
    await using database = await createTestDatabase()
    await using program = startProgram({
      DATABASE_URL: database.url,
      LOG_LEVL: 'debug',
      HOSTNAME: 'machine',
      DATABASE_USER: 'stranger',
    })
    await program.ready()
    const warnings = program
      .output()
      .split('\n')
      .filter((line) => line.includes('is not a setting'))
      .map((line) => JSON.parse(line).msg)
    // Variables of other software, such as HOSTNAME, cause no warning.
    expect(warnings).toEqual(['LOG_LEVL is not a setting: did you mean LOG_LEVEL?'])
  })

  it('is named with the problem that it causes', async () => {
    const program = startProgram({ HOST: '0.0.0.0', AUTH_DISABLE: 'true' })
    expect(await program.exited).toBe(1)
    expect(program.errors()).toContain('did you mean AUTH_DISABLED?')
  })
})

async function refusesConnections(port: number): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(false))
      socket.once('error', () => resolve(true))
      socket.once('connect', () => socket.destroy())
    })
    if (refused) return
    await sleep(20)
  }
  throw new Error(`port ${port} still accepts connections`)
}
