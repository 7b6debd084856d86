import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

const CONSUMER = `
import { FlotillaError } from 'flotilla/lib/errors'
import { readConfig } from 'flotilla/config/settings'
import { defineKind, type Kind } from 'flotilla/core/registry/kind'
import { createRegistry } from 'flotilla/core/registry/registry'
import { statusHooks } from 'flotilla/statuses/conditions/status-hooks'
import { createRouter } from 'flotilla/http/server/route-table'
import { createApp } from 'flotilla/apis/hyperfleet/app'

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
console.log(registry.byName('Thing').plural, page, typeof createApp, typeof createRouter)
console.log(new FlotillaError('invalid', 'message') instanceof Error)
`

/** A module in a folder of the repository: the package's name refers to the repository itself. */
let folder: string

beforeAll(async () => {
  await run(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: root })
  folder = await mkdtemp(path.join(root, 'dist', 'consumer-'))
  await writeFile(path.join(folder, 'consumer.ts'), CONSUMER)
}, 120_000)
afterAll(() => rm(folder, { recursive: true }))

const BUILD = "await (await import('./src/tools/build-dist.mjs')).buildIfStale()"

test('modules are imported by subpaths of the package, with types', async () => {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options =
    '--ignoreConfig --strict --skipLibCheck --module nodenext --target es2023 --types node'
  await run(process.execPath, [compiler, ...options.split(' '), `${folder}/consumer.ts`])
  const { stdout } = await run(process.execPath, [`${folder}/consumer.js`])
  expect(stdout).toBe('things 100 function function\ntrue\n')
}, 60_000)

test('other files of the package cannot be imported', async () => {
  const source = "await import('flotilla/cmd/server')"
  const imported = run(process.execPath, ['--input-type=module', '-e', source], { cwd: root })
  await expect(imported).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
})
