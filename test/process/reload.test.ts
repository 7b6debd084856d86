import { writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withSettingsFile } from '../../src/lib/settings/settings-file.ts'
import { sendLines } from '../browsers/raw-request.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Ports, type Program, startProgram } from './program.ts'

let directory: string
let file: string
let database: TestDatabase
let program: Program
let ports: Ports

const INITIAL = [
  '# The settings of the test',
  'LOG_LEVEL=info',
  'CORS_ORIGINS="https://one.example.com"',
  'PORT=12345',
]

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-reload-'))
  file = path.join(directory, 'flotilla.env')
  await writeLines(INITIAL)
  database = await createTestDatabase()
  program = startProgram({ DATABASE_URL: database.url, FLOTILLA_ENV_FILE: file })
  ports = await program.ready()
})
afterAll(async () => {
  await program[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

function writeLines(lines: readonly string[]): Promise<void> {
  return writeFile(file, `${lines.join('\n')}\n`)
}

function logged(message: string): readonly Record<string, unknown>[] {
  const lines = program.output().split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
}

/** Sends SIGHUP, and waits for the line about its outcome. */
async function reload(message = 'reloaded the settings'): Promise<Record<string, unknown>> {
  const before = logged(message).length
  program.kill('SIGHUP')
  await expect.poll(() => logged(message).length).toBe(before + 1)
  return logged(message).at(-1) ?? {}
}

function get(headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${ports.port}/api/hyperfleet/v1/clusters`, { headers })
}

async function allowedOrigin(origin: string): Promise<string | null> {
  return (await get({ Origin: origin })).headers.get('access-control-allow-origin')
}

describe('SIGHUP', () => {
  it('applies changed reloadable settings, and names those that need a restart', async () => {
    expect(await allowedOrigin('https://one.example.com')).toBe('https://one.example.com')
    await writeLines([
      'LOG_LEVEL=debug',
      'CORS_ORIGINS=https://two.example.com',
      'RATE_LIMITS=reads=1,burst-seconds=1',
      'HYPERFLEET_DEFAULT_PAGE_SIZE=7',
      'HYPERFLEET_CLUSTER_ADAPTERS=["dns"]',
    ])
    expect(await reload()).toMatchObject({
      level: 30,
      changed: ['LOG_LEVEL', 'CORS_ORIGINS', 'RATE_LIMITS'],
      needs_restart: ['HYPERFLEET_DEFAULT_PAGE_SIZE', 'HYPERFLEET_CLUSTER_ADAPTERS'],
    })
    expect(await allowedOrigin('https://one.example.com')).toBeNull()
    expect(await allowedOrigin('https://two.example.com')).toBe('https://two.example.com')
    const statuses: number[] = []
    for (let count = 0; count < 100 && !statuses.includes(429); count += 1) {
      statuses.push((await get()).status)
    }
    expect(statuses).toContain(429)
  })

  it('returns to the defaults of removed settings, and turns the slow-query log on', async () => {
    await writeLines([...INITIAL, 'SLOW_QUERY_MS=1'])
    await reload()
    const statuses = new Set<number>()
    for (let count = 0; count < 20; count += 1) statuses.add((await get()).status)
    expect([...statuses]).toEqual([200])
    await expect.poll(() => logged('slow statement').length).toBeGreaterThan(0)
  })

  it('applies changed names and URLs of the server', async () => {
    const send = async (host: string, origin: string) => {
      const lines = [`Host: ${host}`, `Origin: ${origin}`]
      return (await sendLines(ports.port, { method: 'DELETE', target: '/nothing', lines })).status
    }
    expect(await send('flotilla.example.com', 'http://flotilla.example.com')).toBe(421)
    await writeLines([...INITIAL, 'ALLOWED_HOSTS=flotilla.example.com'])
    expect(await reload()).toMatchObject({ changed: ['ALLOWED_HOSTS', 'SLOW_QUERY_MS'] })
    expect(await send('flotilla.example.com', 'http://flotilla.example.com')).toBe(404)
    await writeLines([...INITIAL, 'PUBLIC_URL=https://flotilla.example.com'])
    expect(await reload()).toMatchObject({ changed: ['ALLOWED_HOSTS', 'PUBLIC_URL'] })
    expect(await send('flotilla.example.com', 'http://flotilla.example.com')).toBe(403)
    expect(await send('flotilla.example.com', 'https://flotilla.example.com')).toBe(404)
    await writeLines([...INITIAL, 'PUBLIC_URL=flotilla.example.com', 'ALLOWED_HOSTS=*'])
    const { problems } = await reload('the settings were not reloaded')
    expect(String(problems)).toMatch(/ALLOWED_HOSTS: '\*' would.*PUBLIC_URL: expected a URL/s)
  })

  it('changes nothing if a setting is invalid, and logs every problem', async () => {
    await writeLines(['CORS_ORIGINS=https://three.example.com', 'LOG_LEVEL=loud', 'PORT=x'])
    const { level, problems } = await reload('the settings were not reloaded')
    expect(level).toBe(50)
    expect(String(problems)).toContain('LOG_LEVEL: expected one of trace, debug, info')
    // PORT is set in the environment, which takes precedence.
    expect(String(problems)).not.toContain('PORT')
    expect(await allowedOrigin('https://three.example.com')).toBeNull()
    expect(await allowedOrigin('https://one.example.com')).toBe('https://one.example.com')
  })

  it('changes nothing if the file is missing or malformed', async () => {
    await writeLines(['this is not a setting', 'LOG_LEVEL=info'])
    const malformed = await reload('the settings were not reloaded')
    expect(String(malformed['problems'])).toMatch(/: line 1 of \S+ is not NAME=value$/)
    await rm(file)
    const missing = await reload('the settings were not reloaded')
    expect(String(missing['problems'])).toContain(`cannot read ${file}`)
    expect((await get()).status).toBe(200)
  })

  it('warns of misspelt settings', async () => {
    await writeLines([...INITIAL, 'RATE_LIMIT=reads=1'])
    await reload()
    const warning = 'RATE_LIMIT is not a setting: did you mean RATE_LIMITS?'
    await expect.poll(() => logged(warning).length).toBe(1)
  })

  it('does not stop the server, which SIGTERM still does', async () => {
    await writeLines(INITIAL)
    await reload()
    program.kill('SIGTERM')
    program.kill('SIGHUP')
    expect(await program.exited).toBe(0)
    expect(program.output()).toContain('"reason":"SIGTERM"')
  })
})

describe('a settings file', () => {
  it('that cannot be read ends the server with the reason', async () => {
    const missing = path.join(directory, 'missing.env')
    await using refused = startProgram({ FLOTILLA_ENV_FILE: missing })
    expect(await refused.exited).toBe(1)
    expect(refused.errors()).toMatch(/^FLOTILLA_ENV_FILE: cannot read .*missing\.env: ENOENT.*\n$/)
  })

  it('whose last line is no setting is rejected, and a byte order mark is not', () => {
    const settings = { FLOTILLA_ENV_FILE: path.join(directory, 'last.env') }
    // The message quotes no line, because it may be a secret.
    for (const last of ['LOG_LEVEL', 'LOG_LEVEL: debug']) {
      writeFileSync(settings.FLOTILLA_ENV_FILE, `PORT=1\n# a comment\n${last}\n`)
      expect(() => withSettingsFile(settings)).toThrow(/: line 3 of \S+ is not NAME=value$/)
    }
    writeFileSync(settings.FLOTILLA_ENV_FILE, 'LOG_LEVEL=info\n export LOG_LEVEL debug\nPORT=1\n')
    expect(() => withSettingsFile(settings)).toThrow(/: line 2 of \S+ is not NAME=value$/)
    writeFileSync(settings.FLOTILLA_ENV_FILE, '\uFEFFPORT=1\n\n# PORT=2')
    expect(withSettingsFile(settings)).toEqual({ ...settings, PORT: '1' })
  })
})
