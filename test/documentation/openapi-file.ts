import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/**
 * Returns a function that writes a file for OPENAPI_SCHEMA_PATH with the given schemas. The files are
 * removed after all tests of the calling file. To be called at its top level.
 */
export function openapiFiles(): (schemas: object, openapi?: string) => Promise<string> {
  const folders: string[] = []
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))
  return async (schemas, openapi = '3.1.0') => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-openapi-'))
    folders.push(folder)
    const file = path.join(folder, 'spec.json')
    const info = { title: 'Specs', version: '1' }
    await writeFile(file, JSON.stringify({ openapi, info, paths: {}, components: { schemas } }))
    return file
  }
}
