import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesIn, type LockedPackage, productionPackages, root } from './production-tree.ts'

/** Licences that allow use without conditions beyond attribution. */
const ALLOWED_LICENCES = [
  '(Apache-2.0 AND BSD-3-Clause)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
]

/** Megabytes: the embedded PostgreSQL takes 60, Prisma's client 72, OpenTelemetry 28. */
const MAX_SIZE = 205

describe('a production install', () => {
  it('contains the packages of production-packages.txt, each with a permissive licence', async () => {
    const found = await packagesAndLicences()
    const text = found.map(({ name, licence }) => `${name} ${licence}\n`).join('')
    // After a deliberate change: npx vitest run test/process/production-tree.test.ts --update
    await expect(text).toMatchFileSnapshot('production-packages.txt')
    expect(found.filter(({ licence }) => !ALLOWED_LICENCES.includes(licence))).toEqual([])
  })

  it('contains no development tools and no packages with known advisories', async () => {
    const manifests = ['package.json', 'clients/console/package.json']
    const texts = await Promise.all(
      manifests.map((file) => readFile(path.join(root, file), 'utf8')),
    )
    const developed = texts.flatMap((text) => {
      const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(text)
      return Object.keys(devDependencies)
    })
    const names = [...(await productionPackages()).keys()].map(nameOf)
    const tools = developed.filter((name) => !SHARED.includes(name))
    const unwanted = [...tools, 'mysql2', 'deepmerge-ts', 'elkjs', 'effect']
    expect(names.filter((name) => unwanted.includes(name))).toEqual([])
  })

  it(`takes at most ${MAX_SIZE} MB`, async () => {
    const places = [...(await productionPackages()).keys()]
    const outermost = places.filter((place) => place.lastIndexOf('node_modules/') === 0)
    const sizes = await Promise.all(outermost.map((place) => bytesIn(path.join(root, place))))
    const total = sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20
    expect(total).toBeGreaterThan(100)
    expect(total).toBeLessThan(MAX_SIZE)
  })
})

/** Development dependencies that a production dependency needs too. */
const SHARED = [
  '@prisma/driver-adapter-utils',
  '@types/express',
  '@types/node',
  '@types/pg',
  'diff',
  'semver',
  'yaml',
]

async function packagesAndLicences(): Promise<readonly { name: string; licence: string }[]> {
  const packages = [...(await productionPackages())]
  const found = await Promise.all(
    packages.map(async ([place, locked]) => ({
      name: nameOf(place),
      licence: locked.license ?? (await licenceInManifest(place, locked)),
    })),
  )
  const unique = new Map(found.map((entry) => [`${entry.name} ${entry.licence}`, entry]))
  return [...unique.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Old packages list their licences in a form that npm does not copy to the lock file. */
async function licenceInManifest(place: string, { version }: LockedPackage): Promise<string> {
  const text = await readFile(path.join(root, place, 'package.json'), 'utf8')
  const manifest: { licenses?: readonly { type: string }[] } = JSON.parse(text)
  return manifest.licenses?.map(({ type }) => type).join(' OR ') ?? `unknown (${version})`
}
