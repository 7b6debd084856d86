import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { run } from './run.ts'
import type { Stage } from './source-stage.ts'

/** The part of CycloneDX in JSON that is read here. */
export interface Bom {
  readonly metadata: {
    readonly timestamp?: string
    readonly component: Component
    readonly [field: string]: unknown
  }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly serialNumber?: string
  readonly [field: string]: unknown
}

export interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly [field: string]: unknown
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

const DEVELOPMENT = 'cdx:npm:package:development'
const LEFT_OUT = new Set([DEVELOPMENT, 'cdx:npm:package:private'])

/** The arguments of npm for the package of the server. */
export const SERVER_SCOPE = ['--workspaces=false']

/** Writes what the npm packages install, from the lock file. */
export async function describeNpmPackages(stage: Stage, out: string): Promise<void> {
  const time = timestampOf(stage)
  for (const [name, scope] of [
    ['flotilla', SERVER_SCOPE],
    ['@flotilla/client', ['--workspace', '@flotilla/client']],
  ] as const) {
    const bom = await readNpmBom(stage, scope)
    const file = `${name.replace('@', '').replace('/', '-')}-${stage.version}.cdx.json`
    await writeBom(path.join(out, file), bomOf(bom, `${name}@${stage.version}`, time))
  }
}

/**
 * npm's bill for the packages of the lock file, in which those for development have a mark. With
 * `--omit dev`, npm leaves out packages that development and production share. It also marks a version
 * that it finds in a place for development first.
 */
export async function readNpmBom(
  { folder }: Pick<Stage, 'folder'>,
  scope: readonly string[],
): Promise<Bom> {
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const bom: Bom = JSON.parse(await run('npm', [...sbom, ...scope], { cwd: folder }))
  const lock = await readFile(path.join(folder, 'package-lock.json'), 'utf8')
  const production = packagesOf(lock, ({ dev }) => dev !== true)
  const components = bom.components.map((component) =>
    production.has(component['bom-ref']) ? withoutMark(component) : component,
  )
  return { ...bom, components }
}

interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly dev?: boolean
}

/** The references of packages in a lock file. */
export function packagesOf(
  text: string,
  wanted: (entry: LockedPackage) => boolean = () => true,
): ReadonlySet<string> {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(text)
  const entries = Object.entries(lock.packages).filter(([, entry]) => wanted(entry))
  return new Set(
    entries.map(
      ([place, { name = place.split('node_modules/').at(-1), version }]) => `${name}@${version}`,
    ),
  )
}

function withoutMark({ properties = [], ...component }: Component): Component {
  return { ...component, properties: properties.filter(({ name }) => name !== DEVELOPMENT) }
}

/** The time of the commit, as bills show it. */
export function timestampOf(stage: Stage): string {
  return new Date(Number(stage.time) * 1000).toISOString()
}

export async function writeBom(file: string, bom: Bom): Promise<void> {
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`)
}

/**
 * The bill of one package: npm names packages of a workspace for their folders, includes what only
 * development needs, and adds a random number and the time of the call.
 */
export function bomOf(bom: Bom, ref: string, time: string): Bom {
  const { serialNumber: _, ...rest } = bom
  const all = [bom.metadata.component, ...bom.components].map(withPackageName)
  const component = all.find((one) => one['bom-ref'] === ref)
  if (component === undefined) throw new Error(`the bill of materials does not contain ${ref}`)
  const components = all.slice(1).filter((one) => one !== component && isInstalled(one))
  const kept = new Set([component, ...components].map((one) => one['bom-ref']))
  return {
    ...rest,
    metadata: { ...bom.metadata, timestamp: time, component },
    components,
    dependencies: bom.dependencies
      .filter((dependency) => kept.has(dependency.ref))
      .map((dependency) => ({
        ...dependency,
        dependsOn: (dependency.dependsOn ?? []).filter((one) => kept.has(one)),
      })),
  }
}

function withPackageName(component: Component): Component {
  const ref = component['bom-ref']
  return { ...component, name: ref.slice(0, ref.lastIndexOf('@')) }
}

function isInstalled({ properties = [] }: Component): boolean {
  return properties.every(({ name, value }) => !LEFT_OUT.has(name) || value !== 'true')
}
