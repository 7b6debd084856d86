import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { buildFlotillaProgram, type FlotillaProgram } from './flotilla-program.ts'
import { openPseudoTerminal, type PseudoTerminal } from './pseudo-terminal.ts'

const SHOW_CURSOR = '\u001b[?25h'
const ESCAPE = '\u001b['

let server: TestServer
let command: FlotillaProgram
let lisbon: string

beforeAll(async () => {
  server = await startTestServer()
  command = await buildFlotillaProgram(server.origin)
  const { body } = await server.post('/clusters', { kind: 'Cluster', name: 'lisbon', spec: {} })
  lisbon = body.id
})

afterAll(async () => {
  await command[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

function open(
  args: readonly string[],
  size: { readonly columns?: number; readonly rows?: number; readonly env?: object } = {},
): PseudoTerminal {
  const env = { ...command.env, ...size.env }
  return openPseudoTerminal([path.join(command.folder, 'flotilla'), ...args], { ...size, env })
}

/** The lines that a terminal shows, without escape sequences. */
function linesOf(text: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- escape sequences
  return text.replaceAll(/\u001b\[[?0-9;]*[a-zA-Z]/g, '').split(/\r?\n/)
}

async function report(adapter: string): Promise<void> {
  await server.post(`/clusters/${lisbon}/statuses`, {
    adapter,
    observed_generation: 1,
    conditions: [{ type: 'Available', status: 'True' }],
  })
}

describe('flotilla get -w', () => {
  it('updates the table in place, and Ctrl-C ends it with 130 and a visible cursor', async () => {
    await using terminal = open(['get', 'clusters', '-w'], { columns: 100 })
    await terminal.shows('validator,dns,pullsecret,hypershift')
    await terminal.shows('live, 1 of 1 not ready, Ctrl-C ends')
    await report('validator')
    await terminal.shows(/ dns,pullsecret,hypershift/)
    await server.post('/clusters', { kind: 'Cluster', name: 'later', spec: {} })
    await terminal.shows('2 of 2 not ready')
    terminal.pressCtrlC()
    expect(await terminal.exited).toBe(130)
    expect(terminal.isRestored()).toBe(true)
    expect(terminal.printed().trimEnd().endsWith(SHOW_CURSOR)).toBe(true)
    // Nothing but the table remains: no error, no stack.
    expect(terminal.printed()).not.toContain('Error')
  })

  it('shows as many rows as the terminal has, and uses a new size', async () => {
    await using terminal = open(['get', 'clusters', '-w'], { rows: 4, columns: 100 })
    await terminal.shows('1 more do not fit')
    terminal.resize(40, 24)
    await terminal.shows('live, 2 of 2 not ready, Ctrl-C ends')
    terminal.pressCtrlC()
    await terminal.exited
    const last = terminal.printed().split(`${ESCAPE}J`).at(-1) ?? ''
    for (const line of linesOf(last)) expect(line.length).toBeLessThanOrEqual(40)
  })

  it('prints a line per change into a pipe', async () => {
    const line = `flotilla get clusters -w -o name | head -3`
    await using terminal = openPseudoTerminal(['bash', '-c', line], {
      env: { ...command.env, PATH: `${command.folder}:${command.env['PATH']}` },
    })
    await terminal.shows('cluster/lisbon')
    await server.patch(`/clusters/${lisbon}`, { labels: { step: '1' } })
    await terminal.shows('cluster/lisbon')
    // The command notices the closed pipe at its next line.
    await server.patch(`/clusters/${lisbon}`, { labels: { step: '2' } })
    expect(await terminal.exited).toBe(0)
  })
})

describe('flotilla watch', () => {
  it('prints changes until Ctrl-C', async () => {
    await using terminal = open(['watch', 'clusters', '-v'])
    await terminal.shows(/watch=true.* -> 200/)
    await server.patch(`/clusters/${lisbon}`, { labels: { seen: 'yes' } })
    await terminal.shows(/MODIFIED +lisbon/)
    terminal.pressCtrlC()
    expect(await terminal.exited).toBe(130)
  })
})

describe('a narrow terminal', () => {
  it.each([40, 80])('has no line longer than %i columns', async (columns) => {
    const long = `a-cluster-with-a-very-long-name-for-${columns}-columns`
    const { body } = await server.post('/clusters', { kind: 'Cluster', name: long, spec: {} })
    for (const args of [
      ['get', 'clusters'],
      ['get', 'clusters', '-o', 'wide'],
      ['describe', 'cluster', 'lisbon'],
    ]) {
      await using terminal = open(args, { columns })
      expect(await terminal.exited).toBe(0)
      const tooLong = linesOf(terminal.printed()).filter((line) => line.length > columns)
      expect(tooLong).toEqual([])
    }
    await server.request('POST', `/clusters/${body.id}/force-delete`, { reason: 'test' })
  })

  it('keeps names, readiness and ages', async () => {
    await using terminal = open(['get', 'clusters'], { columns: 40 })
    await terminal.exited
    expect(linesOf(terminal.printed())[0]).toMatch(/^NAME +READY +.*AGE$/)
  })
})

describe('colours', () => {
  it('mark the state on a terminal', async () => {
    await using terminal = open(['get', 'clusters'])
    await terminal.exited
    expect(terminal.printed()).toContain(`${ESCAPE}31mFalse`)
  })

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('are off with %j', async (env) => {
    await using terminal = open(['get', 'clusters'], { env })
    await terminal.exited
    expect(terminal.printed()).not.toContain(ESCAPE)
  })
})
