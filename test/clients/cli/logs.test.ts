import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let server: TestServer
let flotilla: FlotillaCommand

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' } })
  flotilla = await openFlotillaCommand(server.origin)
})
afterAll(async () => {
  await flotilla[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function create(name: string): Promise<string> {
  const spec = { platform: { aws: { region: { name: { short: 'eu' } } } }, zones: ['a', 'b'] }
  const { body } = await server.post('/clusters', { kind: 'Cluster', name, spec })
  return body.id
}

/** Times and ages depend on the machine. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\S+Z/g, 'TIME').replaceAll(/\((\d+[smh])+ ago\)/g, '(AGE ago)')

/** Runs a command until its output contains a text: logs appear after about a second. */
async function eventually(args: readonly string[], text: string): Promise<string> {
  let out = ''
  await expect
    .poll(async () => (out = withoutTimes((await flotilla.run(args)).out)))
    .toContain(text)
  return out
}

describe('flotilla history', () => {
  test('shows each changed value as a difference, with its parents', async () => {
    const id = await create('lisbon')
    const spec = { platform: { aws: { region: { name: { short: 'us' } } } }, zones: ['a', 'c'] }
    await server.patch(`/clusters/${id}`, { spec })
    await eventually(['history', 'cluster', 'lisbon'], 'updated')
    const { out, err } = await flotilla.run(['history', 'cluster/lisbon', '--limit', '1'])
    expect(withoutTimes(out)).toBe(`TIME (AGE ago): updated by system@hyperfleet.local, generation 2
   spec:
     platform:
       aws:
         region:
           name:
  -          short: eu
  +          short: us
     zones:
       - a
  -    - b
  +    - c
`)
    expect(err).toBe('There are older entries: --limit shows more.\n')
    const types = ['history', 'cluster', 'lisbon', '-o', 'jsonpath={.items[*].type}']
    expect((await flotilla.run(types)).out).toBe('updated created')
  })

  test('shows the conditions that a report changed', async () => {
    await create('madrid')
    const reason = ['--available', 'False', '--reason', 'Quota', '--message', 'no cores']
    await flotilla.run(['report', 'cluster/madrid', '--adapter', 'dns', ...reason])
    const out = await eventually(['history', 'cluster', 'madrid'], 'reported by dns, generation 1')
    expect(out).toContain('\n  DnsSuccessful absent -> False (Quota: no cores)\n')
    expect(out).toMatch(/\n {2}Ready is False \(ResourceNotReady: .*dns reports False/)
  })

  test('finds a removed resource by its ID, which the hint of the error helps to find', async () => {
    const id = await create('faro')
    await flotilla.run(['delete', 'cluster', 'faro', '--force', '--reason', 'the region is gone'])
    const out = await eventually(['history', 'cluster', id], 'removed by')
    expect(out).toContain('\n  Reason: the region is gone\n  -spec:\n  -  platform:\n')
    const { code, err } = await flotilla.run(['history', 'cluster', 'faro'])
    expect(code).toBe(3)
    const [, search = ''] = /flotilla audit --search "(.*)" -o wide/.exec(err) ?? []
    await eventually(['audit', '--search', search, '-o', 'wide'], id)
  })

  test('rejects a missing name', async () => {
    const nameless = await flotilla.run(['history', 'cluster'])
    expect([nameless.code, nameless.err]).toEqual([
      2,
      expect.stringContaining("Write 'flotilla history KIND NAME'"),
    ])
  })
})

describe('flotilla audit', () => {
  test('lists the newest events with their outcomes', async () => {
    await create('porto')
    await server.post('/clusters', { kind: 'Cluster', name: 'porto', spec: {} })
    // A rejected creation has no name.
    const search = ['audit', '--search', "name = 'porto' or status = 409"]
    const out = await eventually(search, 'failed')
    expect(out).toMatch(
      /^TIME +USER +VERB +RESOURCE +NAME +OUTCOME +STATUS +DETAIL\nTIME +system@hyperfleet\.local +create +clusters +- +failed +409 +HYPERFLEET-CNF-\d+: .*\nTIME +system@hyperfleet\.local +create +clusters +porto +succeeded +201 +-\n$/,
    )
    const { out: text, err } = await flotilla.run([...search, '--limit', '1', '-o', 'json'])
    expect(JSON.parse(text)).toMatchObject({
      kind: 'AuditEventList',
      items: [{ status: 409 }],
      next: expect.any(String),
    })
    expect(err).toBe('There are older events: --limit shows more.\n')
  })

  test('--since selects by duration or by time, together with a search', async () => {
    await create('evora')
    const search = ['--search', "name = 'evora' or name = 'nobody'"]
    await eventually(['audit', '--since', '1d', ...search], 'evora')
    const recent = await flotilla.run(['audit', '--since', '2001-01-01', ...search])
    expect(recent.out).toContain('evora')
    const none = await flotilla.run(['audit', '--since', '2999-01-01T00:00:00Z', ...search])
    expect(none).toEqual({ code: 0, out: '', err: 'No events found.\n' })
    const invalid = await flotilla.run(['audit', '--since', 'yesterday'])
    expect([invalid.code, invalid.err]).toEqual([2, expect.stringContaining('30m or 7d')])
  })
})
