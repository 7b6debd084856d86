import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseAllDocuments } from 'yaml'
import { inPlane, type Tools } from '../plane-workspace.ts'
import { DEFINITION_SOURCES, type DefinitionSource } from './sources.ts'

/** A custom resource definition, as far as this drill reads it. */
interface Definition {
  readonly kind: 'CustomResourceDefinition'
  readonly metadata: { readonly name: string; readonly labels?: unknown }
  readonly spec: {
    readonly group: string
    readonly names: { readonly plural: string }
    readonly conversion?: { readonly strategy: string }
    readonly versions: readonly { readonly name: string; readonly served: boolean }[]
  }
}

/** The largest resident memory of a server with all definitions, in MiB. */
const MAX_MEMORY = 300
const SERVING_TIMEOUT_MS = 60_000

/** Loads the definitions of well-known projects into one plane, and uses each served version. */
export function loadDefinitions(): Promise<void> {
  return inPlane('definitions', async (tools) => {
    const definitions: Definition[] = []
    for (const source of DEFINITION_SOURCES) {
      const found = await definitionsOf(source, tools)
      assert.notEqual(found.length, 0, `${source.project} has definitions`)
      definitions.push(...found)
    }
    const failures: string[] = []
    for (const definition of definitions) {
      const failure = await create(definition, tools.url)
      if (failure !== null) failures.push(`${definition.metadata.name}: ${failure}`)
    }
    assert.deepEqual(failures, [])
    const versions = definitions.flatMap(pathsOf)
    for (const version of versions) await untilServed(tools.url + version)
    await readDocuments(tools.url)
    const memory = await residentMemory(tools.pid)
    const counts = `${definitions.length} definitions, ${versions.length} served versions`
    console.log(`${counts} of ${DEFINITION_SOURCES.length} projects: ${memory} MiB`)
    assert(memory < MAX_MEMORY, `the server has ${memory} MiB, expected less than ${MAX_MEMORY}`)
  })
}

/** The resident memory of a process, in MiB. */
async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

/** Downloads the module of a project, and reads the files in its folders. */
async function definitionsOf(
  { module, folders }: DefinitionSource,
  { install, run }: Tools,
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

/** The error of a creation; null if the definition is stored. */
async function create(definition: Definition, url: string): Promise<string | null> {
  const response = await fetch(
    `${url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(definition),
    },
  )
  const text = await response.text()
  return response.status === 201 ? null : text.slice(0, 1000)
}

/** The paths of the served versions of a definition. */
function pathsOf({ spec: { group, names, versions } }: Definition): readonly string[] {
  return versions
    .filter(({ served }) => served)
    .map(({ name }) => `/apis/${group}/${name}/${names.plural}`)
}

async function untilServed(url: string): Promise<void> {
  const end = Date.now() + SERVING_TIMEOUT_MS
  for (;;) {
    const response = await fetch(url)
    const text = await response.text()
    if (response.ok) return
    assert(Date.now() < end, `${url}: ${text}`)
    await sleep(200)
  }
}

/** Reads the documents that clients such as kubectl read, with all versions. */
async function readDocuments(url: string): Promise<void> {
  for (const document of ['/apis', '/openapi/v2', '/openapi/v3']) {
    const response = await fetch(url + document)
    await response.arrayBuffer()
    assert.equal(response.status, 200, document)
  }
}
