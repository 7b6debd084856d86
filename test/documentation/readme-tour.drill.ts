import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { consoleBlocksOf } from './console-blocks.ts'
import { readDocsPage } from './documentation-pages.ts'
import { blocksOf, expectInOrder, runSession } from './shell-session.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ORIGIN = 'http://127.0.0.1:8000'
/** The output of the README's console blocks, which only have their commands. */
const PRINTED: Readonly<Record<string, readonly string[]>> = {
  'get configmaps,nodepools': ['configmap/tour', 'nodepool', 'workers'],
  '"kind": "Fleet"': [
    'fleet.kplane.dev/tour created',
    'fleet.kplane.dev/tour condition met',
    'NAME',
    'tour',
    'fleet.kplane.dev "tour" deleted',
  ],
}

describe('a newcomer', () => {
  let server: TestServer
  let folder: string

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'flotilla-tour-')))
    const env = { ROLE: 'all', LOG_LEVEL: 'warn', DATA_DIR: folder }
    server = await startTestServer({ env })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  test.skipIf(!has('kubectl'))('reaches the end of the tour', async () => {
    const text = await readFile(path.join(ROOT, 'README.md'), 'utf8')
    const tour = text.slice(text.indexOf('## Tour'), text.indexOf('## Read the documentation'))
    const blocks = tour.split(/(?=^```(?:bash|console)$)/m).flatMap(readBlock)
    const scripts = blocks.map(({ script }) => script.replaceAll(ORIGIN, server.origin))
    const [first = '', ...rest] = scripts
    const outputs = await runSession([`export HOME=${folder}; cd ${folder}\n${first}`, ...rest])
    expect(outputs).toHaveLength(blocks.length)
    for (const [index, { expected }] of blocks.entries()) {
      expectInOrder(outputs[index] ?? '', expected)
    }
    const response = await fetch(`${server.origin}/apis/kplane.dev/v1/fleets`)
    expect(await response.json()).toMatchObject({ items: [] })
    expect((await server.get('/clusters')).body).toMatchObject({ total: 0, items: [] })
  })

  test('backs up the database and checks the installation with npx flotilla', async () => {
    // npx finds the programs of a clone in its folder.
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
    await symlink(path.join(ROOT, 'package.json'), path.join(folder, 'package.json'))
    // The tour leaves no resource.
    await server.post('/clusters', { kind: 'Cluster', name: 'saved', spec: {} })
    const backup = await consoleBlock('backup', 'npx flotilla backup fleet')
    const doctor = await consoleBlock('operate', 'npx flotilla doctor')
    const settings = `export DATABASE_URL='${server.databaseUrl}' DATA_DIR=${folder}`
    const outputs = await runSession([
      `cd ${folder}; ${settings}\nexec 2>&1\n${backup.script}`,
      `${doctor.script} || true`,
    ])
    expectInOrder(withoutNumbers(outputs[0] ?? ''), backup.printed.map(withoutNumbers))
    // The database is not an embedded one, and the server of this test runs.
    expectInOrder(withoutNumbers(outputs[1] ?? ''), [
      ...doctor.printed.slice(0, 2).map(withoutNumbers),
      'PostgreSQL',
    ])
  })
})

interface TourBlock {
  readonly script: string
  readonly expected: readonly string[]
}

function readBlock(part: string): readonly TourBlock[] {
  const [console_] = consoleBlocksOf(part)
  if (console_ === undefined) return blocksOf(part)
  const [, expected] = must(
    Object.entries(PRINTED).find(([text]) => console_.script.includes(text)),
    `the output of: ${console_.script}`,
  )
  return [{ script: console_.script, expected }]
}

async function consoleBlock(page: string, command: string) {
  const blocks = consoleBlocksOf((await readDocsPage(page)).text)
  return must(
    blocks.find(({ script }) => script.startsWith(command)),
    command,
  )
}

/** Sizes, counts and the spaces before them differ between machines. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/ *\d+(?:\.\d+)?/g, ' N')
}

function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}
