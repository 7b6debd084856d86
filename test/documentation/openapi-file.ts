import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

const folders: string[] = []

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

/** Writes a file for OPENAPI_SCHEMA_PATH with these schemas, and removes it after all tests. */
export async function openapiFileWith(schemas: object, openapi = '3.1.0'): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-openapi-'))
  folders.push(folder)
  const file = path.join(folder, 'spec.json')
  const info = { title: 'Specs', version: '1' }
  await writeFile(file, JSON.stringify({ openapi, info, paths: {}, components: { schemas } }))
  return file
}
