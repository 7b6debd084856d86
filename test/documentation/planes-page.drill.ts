import { execFile } from 'node:child_process'
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { WHOLE_PAGES } from './command-blocks.ts'
import { readDocsPage } from './documentation-pages.ts'
import { blocksOf, expectInOrder, runSession } from './shell-session.ts'

const hasKubectl = await promisify(execFile)('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
)
const ORIGIN = 'http://127.0.0.1:8000'
const YAML_FILE = /`([\w.-]+\.yaml)`:\n\n```yaml\n(.*?)^```$/gms

describe.each(WHOLE_PAGES)('the page %s', (page) => {
  let server: TestServer
  let folder: string

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), `flotilla-${page}-`)))
    // The users of sandboxes must be able to enter it.
    await chmod(folder, 0o755)
    const runtime = page === 'sandboxes' ? { SANDBOX_RUNTIME: 'local', DATA_DIR: folder } : {}
    server = await startTestServer({ env: { ROLE: 'all', LOG_LEVEL: 'warn', ...runtime } })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  test.skipIf(!hasKubectl)('has commands of kubectl that print the stated output', async () => {
    const { text } = await readDocsPage(page)
    for (const [, name = '', content = ''] of text.matchAll(YAML_FILE)) {
      await writeFile(path.join(folder, name), content)
    }
    // Other tests of examples leave out the blocks with kubectl.
    const blocks = blocksOf(text.replaceAll('```sh\n', '```bash\n'))
    const [first = '', ...rest] = blocks.map(({ script }) =>
      script.replaceAll(ORIGIN, server.origin),
    )
    const outputs = await runSession([`export HOME=${folder}; cd ${folder}\n${first}`, ...rest])
    expect(outputs).toHaveLength(blocks.length)
    for (const [index, { script, expected }] of blocks.entries()) {
      expect(expected, script).not.toEqual([])
      expectInOrder(outputs[index] ?? '', expected)
    }
  })
})
