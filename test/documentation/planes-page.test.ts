import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { readDocsPage } from './documentation-pages.ts'
import { blocksOf, expectInOrder, runSession } from './shell-session.ts'

const hasKubectl = await promisify(execFile)('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
)
const ORIGIN = 'http://127.0.0.1:8000'
const YAML_FILE = /`([\w.-]+\.yaml)`:\n\n```yaml\n(.*?)^```$/gms

const { text } = await readDocsPage('planes')
/** The blocks with kubectl too, which other tests of examples leave out. */
const blocks = blocksOf(text.replaceAll('```sh\n', '```bash\n'))

let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startTestServer({ env: { ROLE: 'all', LOG_LEVEL: 'warn' } })
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-planes-'))
  for (const [, name = '', content = ''] of text.matchAll(YAML_FILE)) {
    await writeFile(path.join(folder, name), content)
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test.skipIf(!hasKubectl)(
  'the tour of planes prints the stated output',
  { timeout: 120_000 },
  async () => {
    const [first = '', ...rest] = blocks.map(({ script }) =>
      script.replaceAll(ORIGIN, server.origin),
    )
    const outputs = await runSession([`export HOME=${folder}; cd ${folder}\n${first}`, ...rest])
    expect(outputs).toHaveLength(blocks.length)
    for (const [index, { script, expected }] of blocks.entries()) {
      expect(expected, script).not.toEqual([])
      expectInOrder(outputs[index] ?? '', expected)
    }
  },
)
