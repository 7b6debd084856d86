import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { listenForNotifications } from '../../src/store/changes/listen-for-notifications.ts'
import { listen } from '../../src/lib/listen.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

it('a listener stops although its server accepts connections and never responds', async () => {
  const server = createServer()
  const port = await listen(server, 0, '127.0.0.1')
  await using database = openTestDatabase(`postgresql://flotilla@127.0.0.1:${port}/flotilla`)
  const connected = once(server, 'connection')
  const listener = listenForNotifications(database, {
    channel: 'flotilla_changes',
    onNotification: () => undefined,
    onConnect: () => undefined,
  })
  const [socket] = await connected
  await listener[Symbol.asyncDispose]()
  socket.destroy()
  server.close()
  expect(server.listening).toBe(false)
})
