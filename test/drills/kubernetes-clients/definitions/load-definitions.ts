import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { inPlane } from '../plane-workspace.ts'
import { readDefinitions } from './read-definitions.ts'
import { DEFINITION_SOURCES } from './sources.ts'
import { servedPaths, storeDefinitions, untilServed } from './store-definitions.ts'

/** The largest resident memory of a server with all definitions, in MiB. */
const MAX_MEMORY = 300

/** Loads the definitions of well-known projects into one plane, and uses each served version. */
export function loadDefinitions(): Promise<void> {
  return inPlane('definitions', async (tools) => {
    const definitions = await readDefinitions(tools)
    assert.deepEqual(await storeDefinitions(tools, definitions), new Map())
    const versions = definitions.flatMap(servedPaths)
    for (const version of versions) await untilServed(tools, version)
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

/** Reads the documents that clients such as kubectl read, with all versions. */
async function readDocuments(url: string): Promise<void> {
  for (const document of ['/apis', '/openapi/v2', '/openapi/v3']) {
    const response = await fetch(url + document)
    await response.arrayBuffer()
    assert.equal(response.status, 200, document)
  }
}
