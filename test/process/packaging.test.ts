import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/cmd/settings.ts'
import { bomOf, readNpmBom, SERVER_SCOPE } from '../../src/tools/release/bills-of-materials.ts'
import { productionPackages } from './production-tree.ts'

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

describe('the bills of materials', () => {
  async function refsOf(scope: readonly string[]): Promise<readonly string[]> {
    const { version } = await readManifest()
    const bom = bomOf(await readNpmBom({ folder: root }, scope), `flotilla@${version}`, '')
    const refs = bom.components.map((component) => component['bom-ref'])
    return refs.filter((ref) => !ref.startsWith('@flotilla/')).toSorted()
  }

  async function readManifest(): Promise<{
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
  }> {
    return JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
  }

  it('list the production packages of the lock file, which the image installs', async () => {
    const packages = [...(await productionPackages())].map(
      ([place, one]) => `${place.split('node_modules/').at(-1)}@${one.version}`,
    )
    expect(await refsOf([])).toEqual([...new Set(packages)].toSorted())
  })

  it('list the dependencies of the server, also those that development shares', async () => {
    const { dependencies } = await readManifest()
    const declared = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
    expect(await refsOf(SERVER_SCOPE)).toEqual(expect.arrayContaining(declared))
  })
})

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

  it('serves the name that other services use', async () => {
    const { api } = await services()
    expect(api?.environment?.['ALLOWED_HOSTS']).toBe('api')
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
