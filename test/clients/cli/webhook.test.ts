import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../webhooks/receiver.ts'
import { startWebhookServer } from '../../webhooks/webhook-server.ts'
import type { TestServer } from '../../support/test-server.ts'
import { openFlotillaCommand, type FlotillaCommand } from './flotilla-command.ts'

let server: TestServer
let flotilla: FlotillaCommand
let receiver: Receiver

beforeAll(async () => {
  // Events of one webhook are sent one after another, so each pause delays all that follow.
  server = await startWebhookServer({}, { outgoingWebhookRetries: [0.1, 0.1] })
  flotilla = await openFlotillaCommand(server.origin)
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await flotilla[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const run = (...args: readonly string[]) => flotilla.run(['webhook', ...args])

/** Runs a command that must succeed. Returns its output. */
async function output(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(...args)
  expect(code, err).toBe(0)
  return out
}

test('a webhook is created with a secret, tested, listed, paused and deleted', async () => {
  const created = await run('create', receiver.url, '--kind', 'clusters', '--event', 'created')
  const [, id = '', secret = ''] =
    /^webhook\/(\w+) created\nSecret: (whsec_\S+)\n$/.exec(created.out) ?? []
  expect(created).toMatchObject({ code: 0, err: expect.stringContaining('Keep the secret') })
  receiver.secret = secret
  expect(await output('test', id)).toMatch(
    new RegExp(`^webhook/${id} test event delivered: status 204 after \\d+ ms\n$`),
  )
  expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test'])
  expect(await output('list')).toMatch(
    new RegExp(`^ID .*\n${id} +${receiver.url} +active +0 +Cluster +\\w+\n$`),
  )
  expect(await output('pause', `webhook/${id}`)).toBe(`webhook/${id} paused\n`)
  expect(await output('get', id)).toMatch(/^State: +paused$[^]*^Events: +created$/m)
  const paused = await run('test', id)
  expect([paused.code, paused.err]).toEqual([1, expect.stringContaining('webhook resume')])
  expect(await output('resume', id)).toBe(`webhook/${id} resumed\n`)
  expect(await output('delete', id)).toBe(`webhook/${id} deleted\n`)
  expect(await run('list')).toEqual({ code: 0, out: '', err: 'No webhooks found.\n' })
  const gone = await run('get', id)
  expect([gone.code, gone.err]).toEqual([3, expect.stringContaining('flotilla webhook list')])
})

test('a group without a subcommand, and a wrong usage, are explained', async () => {
  const { code, out, err } = await run()
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^Usage: flotilla webhook.*\n[^]*rotate-secret/)
  expect(await run('create')).toEqual({
    code: 2,
    out: '',
    err: "Error: missing required argument 'url'\nHint: 'flotilla help webhook' shows the usage.\n",
  })
})

test('dead letters are listed with their errors, completed, and sent again', async () => {
  const id = (await output('create', receiver.url, '-o', 'jsonpath={.id}')).trim()
  receiver.secret = ''
  receiver.respond = () => 500
  const failed = await run('test', id)
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('failed: status 500')])
  await output('test', id, '--no-wait')
  const dead = ['deliveries', id, '--state', 'dead']
  const names = async () => (await output(...dead, '-o', 'name')).trim().split('\n')
  const items = async () => (await server.get(`/webhooks/${id}/dead-letters`)).body.items
  await expect.poll(items).toHaveLength(2)
  const [newest = '', oldest = ''] = await names()
  expect(await output(...dead, '--limit', '1')).toMatch(
    new RegExp(`^ID .*\n${newest} +webhook.test +dead +3 +\\w+ +500 +status 500\n$`),
  )
  const completed = await flotilla.run(['__complete', '--', 'webhook', 'redeliver', id, ''])
  expect(completed.out).toBe(`${newest}\twebhook.test\n${oldest}\twebhook.test\n`)

  receiver.respond = () => 204
  expect(await output('redeliver', id, oldest)).toBe(`webhook/${id}: 1 dead letter is sent again\n`)
  await expect.poll(items).toHaveLength(1)
  expect(await names()).toEqual([newest])
  expect(await output('redeliver', id)).toBe(`webhook/${id}: 1 dead letter is sent again\n`)
  const missing = await run('redeliver', id, oldest)
  expect([missing.code, missing.err]).toEqual([3, expect.stringContaining('webhook deliveries ID')])
})

test('a webhook whose receiver fails is shown with the time of the next probe', async () => {
  const id = (await output('create', receiver.url, '-o', 'jsonpath={.id}')).trim()
  receiver.secret = ''
  receiver.respond = () => 500
  expect(await output('get', id)).not.toContain('Circuit')
  for (let event = 0; event < 5; event += 1) await output('test', id, '--no-wait')
  await expect.poll(async () => (await server.get(`/webhooks/${id}`)).body.circuit).toBe('open')
  expect(await output('get', id)).toMatch(
    /^Circuit: +open: the receiver fails, the next probe is at \S+Z$/m,
  )
  await output('delete', id)
})

test('a webhook is changed, and its secret is replaced', async () => {
  receiver.respond = () => 204
  const id = (
    await output(
      'create',
      receiver.url,
      '--kind',
      'clusters',
      '--search',
      "name = 'none'",
      '-o',
      'name',
    )
  ).trim()
  expect(await output('update', id, '--description', 'billing', '--event', 'deleted')).toBe(
    `${id} changed\n`,
  )
  const changed = await output('get', id)
  for (const field of [/^Description: +billing$/m, /^Events: +deleted$/m, /^Search: +name/m]) {
    expect(changed).toMatch(field)
  }
  await output('update', id, '--kind', 'all', '--event', 'all', '--search', '')
  const reset = await output('get', id)
  expect(reset).toMatch(/^Kinds: +all\nEvents: +created,updated,deleted,entered,left$/m)
  const nothing = await run('update', id)
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('nothing to change')])

  const rotated = await run('rotate-secret', id, '--overlap', '1h')
  const [, secret = ''] =
    /has a new secret, the old secret is valid until \S+Z\nSecret: (whsec_\S+)\n$/.exec(
      rotated.out,
    ) ?? []
  expect(rotated).toMatchObject({ code: 0, err: expect.stringContaining('Keep the secret') })
  receiver.secret = secret
  expect(await output('test', id)).toContain('delivered')
  expect(await output('get', id)).toMatch(/^Old secret: +\S+Z$/m)
  expect(await output('rotate-secret', id, '--revoke')).toContain('the old secret is invalid')
  expect(await output('get', id)).not.toContain('Old secret')
  await output('delete', id)
})

test('create rejects kinds whose changes are not sent, and unknown events', async () => {
  const fleets = await run('create', receiver.url, '--kind', 'fleets')
  expect([fleets.code, fleets.err]).toEqual([
    2,
    expect.stringContaining('kubectl get fleets --watch'),
  ])
  const unknown = await run('create', receiver.url, '--event', 'changed')
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('created, updated')])
})
