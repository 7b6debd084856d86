import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/config/settings.ts'
import { type Image, replayDockerfile } from './image-replay.ts'
import { bytesIn, lockedPackages, productionPackages } from './production-tree.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

describe('package-lock.json', () => {
  it('has an entry for every optional dependency of every platform', async () => {
    const { packages }: { packages: Record<string, { optionalDependencies?: object }> } =
      JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'))
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
      ),
    )
    expect(missing).toEqual([])
  })
})

describe('the image', () => {
  let folder = ''
  let image: Image

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-image-'))
    // If the account of PostgreSQL cannot enter the folder, root's cluster is created outside it.
    await chmod(folder, 0o755)
    image = await replayDockerfile(root, folder)
  }, 300_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  function start(env: Record<string, string>, ...more: string[]): ChildProcess {
    const [program = '', ...args] = image.command
    return spawn(program, [...args, ...more], {
      cwd: image.directory,
      env: { ...process.env, ...image.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  it('prints the table of settings', async () => {
    const server = start({}, '--help')
    const printed = await server.stdout?.setEncoding('utf8').toArray()
    for (const { env } of Object.values(SETTINGS)) expect(printed?.join('')).toContain(env)
  })

  it('contains only the production packages of the lock file', async () => {
    const [installed, locked] = await Promise.all([
      lockedPackages(path.join(image.directory, 'node_modules/.package-lock.json')),
      productionPackages(),
    ])
    const required = [...locked].filter(([, { optional }]) => optional !== true)
    expect([...installed.keys()].filter((place) => !locked.has(place))).toEqual([])
    expect(required.map(([place]) => place).filter((place) => !installed.has(place))).toEqual([])
    const folders = await readdir(path.join(image.directory, 'node_modules'))
    expect(folders).not.toContain('prisma')
    expect(folders).not.toContain('typescript')
  })

  it('takes at most 190 MB besides Node', async () => {
    expect(await bytesIn(image.root)).toBeLessThan(190 * 2 ** 20)
  })

  it('contains neither tests nor tools', async () => {
    const { stdout } = await run('find', ['dist', '-name', '*.test.*', '-o', '-name', 'tools'], {
      cwd: image.directory,
    })
    expect(stdout).toBe('')
  })

  it('becomes ready, passes its health check and stops with exit code 0', async () => {
    const healthPort = String(await freePort())
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      HEALTH_PORT: healthPort,
      METRICS_PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
    }
    const server = start(env)
    const printed: string[] = []
    for (const output of [server.stdout, server.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    }
    try {
      await isReady(healthPort, server)
      await run(image.healthcheck[0] ?? '', image.healthcheck.slice(1), {
        env: { ...process.env, HEALTH_PORT: healthPort },
      })
    } catch (error) {
      throw new Error(`the server did not start:\n${printed.join('')}`, { cause: error })
    } finally {
      server.kill('SIGTERM')
    }
    if (server.exitCode === null) await once(server, 'exit')
    expect(server.exitCode).toBe(0)
  }, 120_000)

  it('exits without JWT settings unless AUTH_DISABLED allows it', async () => {
    const server = start({})
    const [complaint, [exitCode]] = await Promise.all([
      server.stderr?.setEncoding('utf8').toArray(),
      once(server, 'exit'),
    ])
    expect(complaint?.join('')).toContain('AUTH_DISABLED')
    expect(exitCode).toBe(1)
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function isReady(healthPort: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => null)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error(`exit code ${server.exitCode}`)
}

interface Service {
  readonly image?: string
  readonly healthcheck?: object
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
}

describe('docker-compose.yml', () => {
  const compose = composeCommand()

  async function services(): Promise<Record<string, Service>> {
    return parse(await readFile(path.join(root, 'docker-compose.yml'), 'utf8')).services
  }

  it('publishes its ports only on the loopback address', async () => {
    const ports = Object.values(await services()).flatMap((service) => service.ports ?? [])
    expect(ports).toEqual(['127.0.0.1:8000:8000', '127.0.0.1:8080:8080', '127.0.0.1:9090:9090'])
  })

  it('starts the API after PostgreSQL is healthy', async () => {
    const { api, postgres } = await services()
    expect(api?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(api?.environment?.['DATABASE_URL']).toContain('@postgres:5432/')
    expect(postgres?.healthcheck).toBeDefined()
    expect(postgres?.volumes).toHaveLength(1)
  })

  it('sets only known settings', async () => {
    const { api } = await services()
    const known = Object.values(SETTINGS).map(({ env }) => env)
    expect(Object.keys(api?.environment ?? {}).filter((name) => !known.includes(name))).toEqual([])
  })

  it.runIf(compose !== null)('is accepted by docker-compose', async () => {
    const [program = '', ...args] = compose ?? []
    const { stdout } = await run(program, [...args, '-f', 'docker-compose.yml', 'config'], {
      cwd: root,
    })
    expect(Object.keys(parse(stdout).services).toSorted()).toEqual(['api', 'postgres'])
  })
})

/** The installed compose command, or null. */
function composeCommand(): readonly string[] | null {
  const candidates = [['docker', 'compose'], ['docker-compose']]
  return (
    candidates.find(([program = '', ...args]) => succeeds(program, [...args, 'version'])) ?? null
  )
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
