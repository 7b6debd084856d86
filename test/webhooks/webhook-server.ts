import { expect } from 'vitest'
import type { Config } from '../../src/cmd/config.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import type { Receiver } from './receiver.ts'

/** Receivers of tests are on the loopback. */
export const WEBHOOK_ENV = {
  ROLE: 'all',
  OUTGOING_WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1',
}

/** Starts a server that sends events. */
export function startWebhookServer(
  env: NodeJS.ProcessEnv = {},
  config: Partial<Config> = {},
): Promise<TestServer> {
  return startTestServer({ env: { ...WEBHOOK_ENV, ...env }, config })
}

/** Creates a webhook for the receiver, which verifies its events. Returns its path. */
export async function subscribe(
  server: TestServer,
  receiver: Receiver,
  fields: object = {},
): Promise<string> {
  const { status, body } = await server.post('/webhooks', { url: receiver.url, ...fields })
  expect(status).toBe(201)
  receiver.secret = body.secret
  return `/webhooks/${body.id}`
}

/**
 * Waits until the servers have queued, or passed over, the events of all changes so far. At least one
 * webhook must not be disabled.
 */
export async function untilQueued(server: TestServer): Promise<void> {
  const statement = `
    select head.revision = webhook_cursor.revision and not exists (select from outbox) as queued
    from head, webhook_cursor`
  await expect.poll(async () => (await queryDatabase(server, statement))[0]?.['queued']).toBe(true)
}
