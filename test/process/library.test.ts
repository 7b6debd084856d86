import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../support/test-database.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const SAMPLE = path.join(root, 'docs/examples/sample-control-plane')
const SAMPLE_OPTIONS =
  '--ignoreConfig --strict --skipLibCheck --module nodenext --target es2023 --types node ' +
  '--lib es2023,esnext.disposable --rewriteRelativeImportExtensions --noPropertyAccessFromIndexSignature'

const CONSUMER = `
import { FlotillaError } from 'flotilla'
import { createRegistry, defineKind, type Kind, statusHooks } from 'flotilla/kinds'
import { readConfig, startFlotilla } from 'flotilla/server'

const kind: Kind = defineKind({
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  parent: null,
  name: { minLength: 1, maxLength: 20 },
  spec: { type: 'object' },
  requiredAdapters: [],
  searchFields: [],
  references: [],
  messages: { available: '', ready: '' },
})
const registry = createRegistry({
  kinds: [kind],
  specSchemas: new Map([['Thing', { type: 'object' }]]),
  requiredAdapters: new Map(),
  statusHooks,
})
const page: number = readConfig([kind], {}).defaultPageSize
console.log(registry.byName('Thing').plural, page, typeof startFlotilla)
console.log(new FlotillaError('invalid', 'message') instanceof Error)
`

/** A module in a folder of the repository: the package's name refers to the repository itself. */
let folder: string

beforeAll(async () => {
  await run(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: root })
  folder = await mkdtemp(path.join(root, 'dist', 'consumer-'))
  await writeFile(path.join(folder, 'consumer.ts'), CONSUMER)
}, 240_000)
afterAll(() => rm(folder, { recursive: true }))

const BUILD = "await (await import('./src/tools/build-dist.mjs')).buildIfStale()"

test('the entry points of the package have types', async () => {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options =
    '--ignoreConfig --strict --skipLibCheck --module nodenext --target es2023 --types node'
  await run(process.execPath, [compiler, ...options.split(' '), `${folder}/consumer.ts`])
  const { stdout } = await run(process.execPath, [`${folder}/consumer.js`])
  expect(stdout).toBe('things 100 function\ntrue\n')
})

test('other files of the package cannot be imported', async () => {
  const source = "await import('flotilla/exports/kinds')"
  const imported = run(process.execPath, ['--input-type=module', '-e', source], { cwd: root })
  await expect(imported).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
})

test('the sample control plane is built from the exports of the package, and runs', async () => {
  const compiled = path.join(folder, 'sample')
  await cp(SAMPLE, compiled, { recursive: true })
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options = [...SAMPLE_OPTIONS.split(' '), path.join(compiled, 'main.ts')]
  await run(process.execPath, [compiler, ...options])
  // The database is empty: the server creates its tables.
  await using database = await createTestDatabase('embedded', { template: null })
  const sample = spawn(process.execPath, [path.join(compiled, 'main.js'), database.url, '0'])
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
})

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
