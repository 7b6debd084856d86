import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { type Ports, startNode, startProgram } from './program.ts'
import { lockResource } from '../storage/row-lock.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** Longer than the second during which a repeated signal is ignored. */
const LATER_MS = 1200

function send(ports: Ports, method: string, below: string, body: object): Promise<Response> {
  const url = `http://127.0.0.1:${ports.port}${BASE_PATH}${below}`
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method, headers, body: JSON.stringify(body) })
}

async function create(ports: Ports): Promise<string> {
  const response = await send(ports, 'POST', '/clusters', {
    kind: 'Cluster',
    name: 'stopped',
    spec: {},
  })
  return JSON.parse(await response.text()).id
}

async function databaseUrlOf(dataDir: string): Promise<string> {
  return (await readFile(path.join(dataDir, 'database-url'), 'utf8')).trim()
}

/** PostgreSQL processes of this data directory. */
async function postgresOver(dataDir: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(dataDir) && line.includes('postgres'))
}

describe('a second signal', () => {
  it('changes nothing within a second of the first', async () => {
    await using database = await createTestDatabase()
    await using program = startProgram({ DATABASE_URL: database.url })
    const ports = await program.ready()
    const id = await create(ports)
    const lock = await lockResource(database.url, id)
    const patch = send(ports, 'PATCH', `/clusters/${id}`, { spec: { slow: true } })
    await lock.awaited()
    program.kill('SIGINT')
    program.kill('SIGINT')
    await expect.poll(() => program.output()).toContain('shutting down')
    await lock[Symbol.asyncDispose]()
    expect((await patch).status).toBe(200)
    expect(await program.exited).toBe(0)
  })

  it('ends the process and its PostgreSQL later, without losing an acknowledged write', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-signals-'))
    const program = startProgram({ DATA_DIR: dataDir })
    const ports = await program.ready()
    const id = await create(ports)
    const lock = await lockResource(await databaseUrlOf(dataDir), id)
    const patch = send(ports, 'PATCH', `/clusters/${id}`, { spec: { slow: true } })
    const outcome = patch.then(
      () => 'completed',
      () => 'cut off',
    )
    await lock.awaited()
    program.kill('SIGTERM')
    await expect.poll(() => program.output()).toContain('shutting down')
    await sleep(LATER_MS)
    expect(program.output()).not.toContain('"msg":"stopped"')
    program.kill('SIGINT')
    expect(await program.signalled).toBe('SIGINT')
    expect(await outcome).toBe('cut off')
    await expect.poll(() => postgresOver(dataDir)).toEqual([])
    await lock[Symbol.asyncDispose]()

    await using next = startProgram({ DATA_DIR: dataDir })
    const { port } = await next.ready()
    expect((await fetch(`http://127.0.0.1:${port}${BASE_PATH}/clusters/${id}`)).status).toBe(200)
    await next[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })
})

describe('the banner', () => {
  it('does not end the server if its reader is closed', async () => {
    await using database = await createTestDatabase()
    const script = `
      const { runFromCommandLine } = await import('./dist/cmd/command-line.js')
      await runFromCommandLine({ banner: true })`
    await using program = startNode(['--input-type=module', '--eval', script], {
      DATABASE_URL: database.url,
    })
    program.closeErrors()
    const { healthPort } = await program.ready()
    await sleep(200)
    expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200)
    program.kill('SIGTERM')
    expect(await program.exited).toBe(0)
  })
})
