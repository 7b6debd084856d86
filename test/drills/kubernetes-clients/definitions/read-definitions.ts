import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Tools } from '../plane-workspace.ts'
import { DEFINITION_SOURCES, type DefinitionSource } from './sources.ts'

/** A custom resource definition, as far as drills read it. */
export interface Definition {
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string; readonly labels?: unknown }
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string }
    readonly conversion?: { readonly strategy: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  }
}

type Installer = Pick<Tools, 'install' | 'run'>

/** The definitions of all projects. */
export async function readDefinitions(tools: Installer): Promise<readonly Definition[]> {
  const definitions: Definition[] = []
  for (const source of DEFINITION_SOURCES) {
    const found = await definitionsOf(source, tools)
    assert.notEqual(found.length, 0, `${source.project} has definitions`)
    definitions.push(...found)
  }
  return definitions
}

/** Downloads the module of a project, and reads the files in its folders. */
async function definitionsOf(
  { module, folders }: DefinitionSource,
  { install, run }: Installer,
): Promise<readonly Definition[]> {
  await install('go', ['mod', 'download', module])
  const { Dir }: { readonly Dir: string } = JSON.parse(
    await run('go', ['mod', 'download', '-json', module]),
  )
  const files = await Promise.all(folders.map((folder) => yamlFiles(path.join(Dir, folder))))
  const texts = await Promise.all(files.flat().map((file) => readFile(file, 'utf8')))
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document): unknown => document.toJS()))
    .filter(isDefinition)
    .map(withoutWebhook)
}

async function yamlFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  return names.filter((name) => /\.ya?ml$/.test(name)).map((name) => path.join(folder, name))
}

function isDefinition(value: unknown): value is Definition {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null
  return kind === 'CustomResourceDefinition'
}

/** Without the webhook that converts objects, and without labels, which can be Helm templates. */
function withoutWebhook({ metadata, spec, ...rest }: Definition): Definition {
  const { labels: _, ...others } = metadata
  return { ...rest, metadata: others, spec: { ...spec, conversion: { strategy: 'None' } } }
}
