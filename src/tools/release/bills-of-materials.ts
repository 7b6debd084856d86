import { writeFile } from 'node:fs/promises'
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

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

const LEFT_OUT = new Set(['cdx:npm:package:development', 'cdx:npm:package:private'])

/** Writes what the npm packages install, from the lock file. */
export async function describeNpmPackages(stage: Stage, out: string): Promise<void> {
  const time = new Date(Number(stage.time) * 1000).toISOString()
  const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
  for (const [name, scope] of [
    ['flotilla', ['--workspaces=false']],
    ['@flotilla/client', ['--workspace', '@flotilla/client']],
  ] as const) {
    const bom: Bom = JSON.parse(await run('npm', [...sbom, ...scope], { cwd: stage.folder }))
    const file = `${name.replace('@', '').replace('/', '-')}-${stage.version}.cdx.json`
    const text = JSON.stringify(bomOf(bom, `${name}@${stage.version}`, time), null, 2)
    await writeFile(path.join(out, file), `${text}\n`)
  }
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
