import { createServer } from 'node:http'
import { onTestFinished, expect, test } from 'vitest'
import { listen } from '../../../src/lib/listen.ts'
import { EventHistory } from './event-history.ts'
import { createLoadClient } from './load-client.ts'
import { WatchVerifier } from './watch-verifier.ts'

const CREATED = eventOf('ADDED', 1, 11)
const CHANGED = eventOf('MODIFIED', 2, 12)
const CHANGED_AGAIN = eventOf('MODIFIED', 3, 13)

const BOOKMARK = { type: 'BOOKMARK', object: {}, resource_version: 'e.10' }

/** An existing cluster, which a watch begins with. */
function existing(generation: number): object {
  return { ...eventOf('ADDED', generation, 0), resource_version: '' }
}

function eventOf(type: string, generation: number, revision: number) {
  const object = { id: 'a', name: 'load-a', generation, spec: { counter: generation } }
  return { type, object, resource_version: `e.${revision}` }
}

/** Serves the same events to every watch. Returns a verifier for each list of events. */
async function watch(...streams: readonly (readonly object[])[]) {
  const history = new EventHistory()
  const ended = new AbortController()
  const watches: WatchVerifier[] = []
  for (const events of streams) {
    const server = createServer((_request, response) => {
      const all = events.includes(BOOKMARK) ? events : [BOOKMARK, ...events]
      for (const event of all) response.write(`${JSON.stringify(event)}\n`)
    })
    const port = await listen(server, 0, '127.0.0.1')
    const client = createLoadClient({ origin: () => `http://127.0.0.1:${port}`, timeoutMs: 1000 })
    const { signal } = ended
    const watch = new WatchVerifier({ client, history, prefix: 'load', silenceMs: 60_000, signal })
    onTestFinished(async () => {
      ended.abort()
      await watch.stopped()
      server.close()
    })
    const sent = events.filter((event) => event !== BOOKMARK)
    await expect.poll(() => [watch.events, watch.isSynced]).toEqual([sent.length, true])
    watches.push(watch)
  }
  return { missed: history.missed(), violations: watches.flatMap(({ violations }) => violations) }
}

test('accepts a correct stream', async () => {
  const sound = [CREATED, CHANGED, CHANGED_AGAIN]
  expect(await watch(sound, sound)).toEqual({ missed: [], violations: [] })
})

test.each([
  ['a missing change', [CREATED, CHANGED_AGAIN], 'generation 3 after 1'],
  ['a missing creation', [CHANGED], 'the cluster was unknown'],
  ['a repeated event', [CREATED, CHANGED, CHANGED], 'MODIFIED load-a e.12 after e.12'],
  ['a wrong order', [CREATED, CHANGED_AGAIN, CHANGED], 'MODIFIED load-a e.12 after e.13'],
])('finds %s', async (_what, events, expected) => {
  const { violations } = await watch(events)
  expect(violations.join('\n')).toContain(expected)
})

test('finds an event that another watch received', async () => {
  const { missed } = await watch([CREATED, CHANGED], [CREATED])
  expect(missed).toEqual([expect.stringContaining('1 of 2 watches: e.12 MODIFIED')])
})

test.each([
  [2, [CHANGED_AGAIN], []],
  [1, [CHANGED_AGAIN], [expect.stringContaining('1 of 2 watches: e.12 MODIFIED')]],
  [2, [], [expect.stringContaining('1 of 2 watches: e.13 MODIFIED')]],
  [3, [], []],
])('a watch that begins with generation %i receives later ones', async (first, later, expected) => {
  const all = [existing(1), BOOKMARK, CHANGED, CHANGED_AGAIN]
  const { missed } = await watch(all, [existing(first), BOOKMARK, ...later])
  expect(missed).toEqual(expected)
})

test('a watch that begins with one report receives later ones of the same generation', async () => {
  const reported = (event: object, status: string): object => ({
    ...event,
    object: { ...eventOf('', 1, 0).object, status },
  })
  const [first, second] = [reported(CHANGED, 'a'), reported(CHANGED_AGAIN, 'b')]
  const all = [existing(1), BOOKMARK, first, second]
  const { missed } = await watch(all, [reported(existing(1), 'a'), BOOKMARK])
  expect(missed).toEqual([expect.stringContaining('1 of 2 watches: e.13 MODIFIED')])
})

test('a watch that begins after a removal does not receive it', async () => {
  const removed = eventOf('DELETED', 1, 12)
  const all = [existing(1), BOOKMARK, removed]
  expect((await watch(all, [BOOKMARK])).missed).toEqual([])
  const { missed } = await watch([CREATED, removed], [CREATED])
  expect(missed).toEqual([expect.stringContaining('1 of 2 watches: e.12 DELETED')])
})

test('finds an event that differs from that of another watch', async () => {
  const { violations } = await watch([CREATED], [eventOf('ADDED', 1, 11), CHANGED])
  expect(violations).toEqual([])
  const different = await watch([CREATED, CHANGED], [CREATED, eventOf('MODIFIED', 1, 12)])
  expect(different.violations.join('\n')).toContain('in another watch')
})
