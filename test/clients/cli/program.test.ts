import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { buildFlotillaProgram, type FlotillaProgram } from './flotilla-program.ts'
import { openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts'

let server: TestServer
let command: FlotillaProgram
let bash: PseudoTerminal

beforeAll(async () => {
  server = await startTestServer()
  command = await buildFlotillaProgram(server.origin)
  const labels = { environment: 'production', region: 'eu-1' }
  for (const name of ['lisbon', 'lima', 'faro']) {
    await server.post('/clusters', { kind: 'Cluster', name, labels, spec: {} })
  }
  const { body } = await server.get('/clusters/by-name/lisbon')
  const nodePool = { kind: 'NodePool', name: 'workers', spec: {} }
  await server.post(`/clusters/${body.id}/nodepools`, nodePool)
  bash = openPseudoTerminal(['bash', '--norc', '--noprofile'], {
    env: {
      ...command.env,
      PATH: `${command.folder}:${command.env['PATH']}`,
      INPUTRC: '/dev/null',
      TERM: 'dumb',
    },
    columns: 200,
  })
  await bash.shows(/[#$] $/)
  bash.type("PS1='ready> '\n")
  await bash.shows('ready>')
  bash.type("bind 'set enable-bracketed-paste off'; bind 'set bell-style none'\n")
  await bash.shows('ready>')
  bash.type('source <(flotilla completion bash)\n')
  await bash.shows('ready>')
})

afterAll(async () => {
  await bash[Symbol.asyncDispose]()
  await command[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Types a line and the tab key, checks what bash completes, and clears the line. */
async function completes(typed: string, result: string): Promise<void> {
  bash.type(`${typed}\t`)
  await bash.shows(result)
  bash.type('\u0015\n')
  await bash.shows('ready>')
}

it.each([
  ['flotilla desc', 'flotilla describe '],
  ['flotilla get nodep', 'flotilla get nodepools '],
  ['flotilla get cl lis', 'flotilla get cl lisbon '],
  ['flotilla why cluster fa', 'flotilla why cluster faro '],
  ['flotilla get np lis', 'flotilla get np lisbon/'],
  ['flotilla get np lisbon/w', 'flotilla get np lisbon/workers '],
  ['flotilla get cl --sel', 'flotilla get cl --selector '],
  ['flotilla get np --cluster fa', 'flotilla get np --cluster faro '],
  ['flotilla get np --cluster=fa', 'flotilla get np --cluster=faro '],
  ['flotilla get cl -o ya', 'flotilla get cl -o yaml '],
  ['flotilla hist', 'flotilla history '],
  ['flotilla history cl lis', 'flotilla history cl lisbon '],
  ['flotilla webhook create x --kind nodep', 'flotilla webhook create x --kind nodepools '],
])('completes %s', async (typed, result) => {
  await completes(typed, result)
})

it('completes the keys and values of labels', async () => {
  await completes('flotilla get cl -l env', 'flotilla get cl -l environment=')
  await completes(
    'flotilla get cl -l environment=pro',
    'flotilla get cl -l environment=production ',
  )
})

it('offers nothing if the server does not respond', async () => {
  const { code, out, err } = await command.run(['__complete', '--', 'get', 'cl', ''], {
    env: { FLOTILLA_SERVER: 'http://127.0.0.1:1' },
  })
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
})

it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
  const { code, out } = await command.run(['completion', shell])
  expect(code).toBe(0)
  expect(out).toContain('flotilla __complete -- ')
})

it('ends silently if the reader of a pipe has gone', async () => {
  const line = `for i in 1 2 3 4; do flotilla get clusters -o json; done | head -1; flotilla get cl -o json | head -1; echo "\${PIPESTATUS[0]}"`
  const env = { ...command.env, PATH: `${command.folder}:${command.env['PATH']}` }
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line], { env })
  expect(stderr).toBe('')
  expect(stdout).toBe('{\n{\n0\n')
})

it('reads standard input and exits with the code of the failure', async () => {
  const applied = await command.run(['apply', '-f', '-', '-o', 'name'], {
    input: 'kind: Cluster\nname: porto\n',
  })
  expect(applied).toMatchObject({ code: 0, out: 'cluster/porto\n' })
  const missing = await command.run(['get', 'cl', 'nowhere'])
  expect([missing.code, missing.err]).toEqual([3, expect.stringContaining("'nowhere' not found")])
})
