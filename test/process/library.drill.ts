import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

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
  references: [],
  messages: { available: '', ready: '' },
})
const registry = createRegistry({ hrefBase: '/api/hyperfleet/v1',
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

/** Reports the modules of sandboxes and their packages when they are loaded. */
const REPORT_SANDBOXES = `
import { register } from 'node:module'
const hooks = \`export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  if (/@connectrpc|@bufbuild|@aws-sdk|dist.sandboxes/.test(found.url)) console.log(found.url)
  return found
}\`
register('data:text/javascript,' + encodeURIComponent(hooks))
for (const entry of process.argv.slice(1)) await import(entry)
`

test('entry points do not load sandboxes or their packages, except that of a whole server', async () => {
  const load = async (...entries: readonly string[]) =>
    (
      await run(process.execPath, ['--input-type=module', '-e', REPORT_SANDBOXES, ...entries], {
        cwd: root,
      })
    ).stdout
  const names = ['', '/controllers', '/kinds', '/planes', '/planes/native', '/programs']
  expect(await load(...names.map((name) => `flotilla${name}`))).toBe('')
  // Bodies of planes can be protobuf.
  const ofPlanes = (await load('flotilla/planes/server')).trim().split('\n')
  expect(ofPlanes.filter((url) => !url.includes('@bufbuild/protobuf'))).toEqual([])
  expect(await load('flotilla/server')).toContain('@connectrpc')
})

test('other files of the package cannot be imported', async () => {
  const source = "await import('flotilla/exports/kinds')"
  const imported = run(process.execPath, ['--input-type=module', '-e', source], { cwd: root })
  await expect(imported).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
})

test('the sample runs as two programs on its own database, without an error', async () => {
  const sample = path.join(folder, 'sample')
  await cp(SAMPLE, sample, { recursive: true })
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const programs = ['main.ts', 'api.ts', 'controllers.ts'].map((file) => path.join(sample, file))
  await run(process.execPath, [compiler, ...SAMPLE_OPTIONS.split(' '), ...programs])
  const api = startProgram(sample, ['api.js', '0'])
  let controllers: Program | null = null
  try {
    const origin = await eventually(() => /http:\/\/\S+/.exec(api.output())?.[0] ?? null)
    controllers = startProgram(sample, ['controllers.js', origin])
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
    await controllers?.stop()
    await api.stop()
  }
  expect(controllers.output()).toBe('')
  expect(api.output()).toMatch(/^kubectl --server \S+ api-resources\n$/)
})

interface Program {
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts a program of the sample. It must end with code 0 on SIGTERM. */
function startProgram(directory: string, args: readonly string[]): Program {
  const child = spawn(process.execPath, args, { cwd: directory })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const exited = once(child, 'exit')
  return {
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
    },
  }
}

test('the documentation shows the programs of the sample', async () => {
  const page = await readFile(path.join(root, 'docs/build-a-control-plane.md'), 'utf8')
  for (const program of ['main.ts', 'api.ts', 'controllers.ts']) {
    expect(page).toContain(await readFile(path.join(SAMPLE, program), 'utf8'))
  }
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
