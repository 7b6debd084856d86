import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
/** In the repository, because the package's name refers to the repository itself there. */
const folder = path.join(root, 'dist', `sample-${process.pid}`)
const SAMPLE = path.join(root, 'docs/examples/sample-control-plane')
const BUILD = "await (await import('./src/tools/build-dist.mjs')).buildIfStale()"
const OPTIONS =
  '--ignoreConfig --strict --skipLibCheck --module nodenext --target es2023 --types node ' +
  '--lib es2023,esnext.disposable --rewriteRelativeImportExtensions --noPropertyAccessFromIndexSignature'

let database: TestDatabase

beforeAll(async () => {
  // The database is empty: the server creates its tables.
  database = await createTestDatabase('embedded', { template: null })
  await run(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: root })
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  await cp(SAMPLE, folder, { recursive: true })
  await run(process.execPath, [compiler, ...OPTIONS.split(' '), path.join(folder, 'main.ts')])
}, 120_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database[Symbol.asyncDispose]()
})

test('the sample control plane is built from the exports of the package, and runs', async () => {
  const sample = spawn(process.execPath, [path.join(folder, 'main.js'), database.url, '0'])
  let output = ''
  sample.stdout.on('data', (chunk) => (output += String(chunk)))
  sample.stderr.on('data', (chunk) => (output += String(chunk)))
  const exited = once(sample, 'exit')
  try {
    const origin = await eventually(() => /http:\/\/\S+/.exec(output)?.[0] ?? null)
    const greetings = `${origin}/apis/sample.example.com/v1/namespaces/default/greetings`
    const created = await fetch(greetings, {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'one' }, spec: { name: 'Ada' } }),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(created.status).toBe(201)
    const message = await eventually(async () => {
      const text = await (await fetch(`${greetings}/one`)).text()
      return /"message":"(.*?)"/.exec(text)?.[1] ?? null
    })
    expect(message).toBe('Hello, Ada!')
  } finally {
    sample.kill('SIGTERM')
    await exited
  }
  expect(sample.exitCode).toBe(0)
}, 90_000)

test('the documentation shows the program of the sample', async () => {
  const page = await readFile(path.join(root, 'docs/build-a-control-plane.md'), 'utf8')
  const program = await readFile(path.join(SAMPLE, 'main.ts'), 'utf8')
  expect(page).toContain(program)
})

/** Polls until there is a value. */
async function eventually<T>(poll: () => T | null | Promise<T | null>): Promise<T> {
  const end = performance.now() + 30_000
  for (;;) {
    const value = await poll()
    if (value !== null) return value
    if (performance.now() > end) throw new Error('the value did not appear')
    await pause(100)
  }
}
