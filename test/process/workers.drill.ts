import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { type Ports, type Program, startProgram } from './program.ts'

const ROUNDS = 5

/** A server that computes for ever for its first request after its second one has begun. */
const STALL = `
  import { createServer } from 'node:http'
  import { endWhenStalled } from './dist/cmd/workers/end-when-stalled.js'
  import { workFor, yieldMainThread } from './dist/lib/tracing/main-thread.js'
  endWhenStalled(7, 2)
  let quick = 0
  const server = createServer(async ({ url }, response) => {
    workFor(response)
    if (!url.startsWith('/slow')) quick += 1
    else {
      while (quick === 0) await yieldMainThread()
      while (true) continue
    }
    response.end()
  })
  server.listen(0, '127.0.0.1', () => {
    const origin = 'http://127.0.0.1:' + server.address().port
    void fetch(origin + '/slow?search=secret')
    setTimeout(() => fetch(origin + '/quick'), 100)
  })
`

/** The processes that a process has started, without programs of other names. */
function childrenOf(pid: number): readonly number[] {
  const isChild = (id: string): boolean => {
    try {
      const status = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1] ?? ''
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8')
      return status.split(' ')[1] === String(pid) && /cmd\/server\.(js|ts)/.test(command)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && isChild(id))
    .map(Number)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A request on a new connection: connections go to the workers in turns. */
function send(ports: Ports, below: string, body?: object, origin = ''): Promise<Response> {
  return fetch(`http://127.0.0.1:${ports.port}${BASE_PATH}${below}`, {
    headers: {
      Connection: 'close',
      'Content-Type': 'application/json',
      ...(origin !== '' && { Origin: origin }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function probe(port: number, at: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${at}`)).text()
}

describe('a server with two workers', () => {
  let dataDir: string
  let settings: string
  let program: Program
  let ports: Ports
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-workers-'))
    settings = path.join(dataDir, 'flotilla.env')
    await writeFile(settings, '')
    program = startProgram({ DATA_DIR: dataDir, WORKERS: '2', FLOTILLA_ENV_FILE: settings })
    ports = await program.ready()
  })
  afterAll(async () => {
    await program[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** The clusters that were created, according to the metrics. */
  async function createdClusters(): Promise<number> {
    const metrics = await probe(ports.metricsPort, '/metrics')
    return Number(/http_requests_total\{method="POST".*status="201"\} (\d+)/.exec(metrics)?.[1])
  }

  it('has one process more for the work in the background', async () => {
    expect(childrenOf(program.pid)).toHaveLength(3)
    expect(await probe(ports.healthPort, '/readyz')).toContain('"workers":"ok"')
    expect(await probe(ports.healthPort, '/readyz?verbose')).toContain('[+]planes ok')
  })

  it('serves requests with both and adds up their metrics', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const response = await send(ports, '/clusters', {
        kind: 'Cluster',
        name: `made-${round}`,
        spec: {},
      })
      expect(response.status).toBe(201)
      expect(await (await send(ports, '/clusters')).json()).toMatchObject({ total: round + 1 })
    }
    const metrics = await probe(ports.metricsPort, '/metrics')
    expect(metrics).toContain(
      `flotilla_http_requests_total{method="POST",route="${BASE_PATH}/clusters",status="201"} ${ROUNDS}\n`,
    )
    expect(metrics).toMatch(/^flotilla_build_info\{[^}]*\} 1$/m)
    // Lines are written in batches.
    const served = (): readonly string[] => {
      const lines = program.output().matchAll(/"worker":(\d).*"method":"/g)
      return [...new Set(Array.from(lines, ([, worker = '']) => worker))].toSorted()
    }
    await expect.poll(served).toEqual(['1', '2'])
  })

  it('replaces killed processes and keeps their acknowledged writes', async () => {
    const before = childrenOf(program.pid)
    const created = await createdClusters()
    const acknowledged: string[] = []
    for (const [index, pid] of before.entries()) {
      const name = `kept-${index}`
      const { status } = await send(ports, '/clusters', { kind: 'Cluster', name, spec: {} })
      if (status === 201) acknowledged.push(name)
      process.kill(pid, 'SIGKILL')
      await expect
        .poll(() => childrenOf(program.pid).filter((id) => !before.includes(id)))
        .toHaveLength(index + 1)
      await expect.poll(() => probe(ports.healthPort, '/readyz')).toContain('"workers":"ok"')
    }
    expect(acknowledged).toHaveLength(3)
    expect(await createdClusters()).toBeGreaterThanOrEqual(created)
    for (const name of acknowledged) {
      expect((await send(ports, `/clusters/by-name/${name}`)).status).toBe(200)
    }
    const ends = () => program.output().match(/"how":"by SIGKILL","msg":"a worker ended/g)?.length
    await expect.poll(ends).toBe(3)
  })

  it('reloads the settings of all workers, and says so once', async () => {
    const origin = 'https://ui.example.com'
    await writeFile(settings, `CORS_ORIGINS=${origin}\n`)
    program.kill('SIGHUP')
    const allowed = async () => {
      const responses = [await send(ports, '/clusters', undefined, origin)]
      responses.push(await send(ports, '/clusters', undefined, origin))
      return responses.map(({ headers }) => headers.get('access-control-allow-origin'))
    }
    await expect.poll(allowed).toEqual([origin, origin])
    await expect.poll(() => program.output()).toContain('"reloaded the settings"')
    expect(program.output().match(/"reloaded the settings"/g)).toHaveLength(1)
  })

  it('ends all processes with SIGTERM', async () => {
    const pids = childrenOf(program.pid)
    program.kill('SIGTERM')
    expect(await program.exited).toBe(0)
    expect(pids.filter((pid) => isAlive(pid))).toEqual([])
    expect(program.errors()).toBe('')
  })
})

test('the workers end with their supervisor', async () => {
  await using database = await createTestDatabase()
  const program = startProgram({ DATABASE_URL: database.url, WORKERS: '1' })
  await program.ready()
  const pids = childrenOf(program.pid)
  expect(pids).toHaveLength(2)
  program.kill('SIGKILL')
  await expect.poll(() => pids.filter((pid) => isAlive(pid))).toEqual([])
})

test('a worker that cannot start fails the start, with its reason', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-workers-'))
  const program = startProgram({ DATA_DIR: dataDir, WORKERS: '2', JWT_JWKS_FILE: '/missing' })
  expect(await program.exited).toBe(1)
  expect(program.errors()).toMatch(/JWT_JWKS_FILE[^]*worker 1 did not start: it ended with code 1/)
  await rm(dataDir, { recursive: true, force: true })
})

test('a process that computes ends, and names the request that it works for', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', STALL], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)))
  expect(errors).toBe('worker 7 computes for 2 s: it ends. It computes for: GET /slow\n')
  expect(signal).toBe('SIGKILL')
})
