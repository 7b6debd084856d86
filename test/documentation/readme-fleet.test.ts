import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { consoleBlocksOf } from './console-blocks.ts'
import { runSession } from './shell-session.ts'

const ORIGIN = 'http://127.0.0.1:8000'
const README = new URL('../../README.md', import.meta.url)
const hasKubectl = await promisify(execFile)('kubectl', ['version', '--client']).then(
  () => true,
  () => false,
)

let server: TestServer

beforeAll(async () => {
  // The settings of `npm start`: clusters require adapters, and none is running.
  server = await startTestServer({ env: { ROLE: 'all' } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** The commands of the console block that declares a fleet, without their prompts. */
async function fleetCommands(): Promise<string> {
  const text = await readFile(README, 'utf8')
  const block = must(
    consoleBlocksOf(text).find(({ script }) => script.includes('"kind": "Fleet"')),
    'the block of fleets',
  )
  return block.script.replaceAll(ORIGIN, server.origin)
}

test.skipIf(!hasKubectl)(
  'the fleet of the README ends and leaves nothing behind',
  async () => {
    const [output] = await runSession([await fleetCommands()])
    expect(output).toContain('fleet.kplane.dev/tour created')
    expect(output).toContain('fleet.kplane.dev/tour condition met')
    expect(output).toMatch(/^tour +3 +3 /m)
    expect(output).toMatch(/fleet\.kplane\.dev "tour" deleted/)
    const fleets = await fetch(`${server.origin}/apis/kplane.dev/v1/fleets`)
    expect(await fleets.json()).toMatchObject({ items: [] })
    expect((await server.get('/clusters')).body).toMatchObject({ total: 0, items: [] })
  },
  150_000,
)
