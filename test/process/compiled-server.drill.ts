import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { compileServerProgram } from '../support/server-program.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startNode } from './program.ts'

it('npm start runs the compiled server and prints the address to try', async () => {
  await using database = await createTestDatabase()
  await using program = startNode(['src/tools/start.mjs'], { DATABASE_URL: database.url })
  const { port } = await program.ready()
  const clusters = `http://127.0.0.1:${port}${BASE_PATH}/clusters`
  const created = await fetch(clusters, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'Cluster', name: 'compiled', spec: {} }),
  })
  expect(created.status).toBe(201)
  const document = await fetch(`http://127.0.0.1:${port}/openapi/flotilla.yaml`)
  expect(await document.text()).toBe(await readFile('openapi/openapi.yaml', 'utf8'))
  expect(program.errors()).toContain(`http://127.0.0.1:${port}${BASE_PATH}`)
  program.kill('SIGTERM')
  expect(await program.exited).toBe(0)
})

it('the compiled server does not set the names of functions that requests create', async () => {
  await compileServerProgram()
  const text = await readFile('dist/cmd/program.cjs', 'utf8')
  // The helper of esbuild's option keepNames.
  expect(text).not.toContain('__name(')
})
