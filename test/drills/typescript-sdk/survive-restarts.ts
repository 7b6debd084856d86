import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../../clients/typescript/src/index.ts'
import { type Proxy, startProxy } from '../../clients/typescript/proxy.ts'
import { type Program, startProgram } from '../../process/program.ts'
import { NO_ADAPTERS, withDatabase } from './with-database.ts'

/** Enough for several kills during one call. */
const RETRIES = 30
const WRITERS = 4
const CAUGHT_UP_MS = 60_000

/**
 * Kills the server again and again while clients create clusters and watch them. Every create
 * succeeds exactly once, and the watch sends every cluster exactly once.
 */
export async function surviveRestarts(kills: number, print: (line: string) => void): Promise<void> {
  await withDatabase(async (DATABASE_URL) => {
    const env = { DATABASE_URL, ...NO_ADAPTERS, ROLE: 'api', WATCHES: 'heartbeat=1s' }
    let server = startProgram(env)
    await using proxy = await startProxy(`http://127.0.0.1:${(await server.ready()).port}`)
    const options = { retries: RETRIES, timeout: 5_000, heartbeatTimeout: 5_000 }
    const client = new Client(proxy.origin, options)
    const stopped = new AbortController()
    const watched = collect(client)
    const created = Promise.all(
      Array.from({ length: WRITERS }, (_, index) => write(client, index, stopped.signal)),
    )
    for (let kill = 1; kill <= kills; kill += 1) {
      await Promise.race([watched.moreThan(watched.ids.length), created])
      await sleep(Math.random() * 500)
      server = await restart(server, env, proxy)
      print(`  kill ${kill}: ${watched.ids.length} clusters`)
    }
    stopped.abort()
    const ids = (await created).flat()
    const existing = (await client.clusters.list().toArray()).map(({ id }) => id)
    assert.deepEqual(existing.toSorted(), ids.toSorted(), 'every create succeeded exactly once')
    await watched.until(ids.length)
    assert.deepEqual(watched.ids.toSorted(), ids.toSorted(), 'the watch sent each cluster once')
    await server[Symbol.asyncDispose]()
  })
}

async function restart(server: Program, env: NodeJS.ProcessEnv, proxy: Proxy): Promise<Program> {
  server.kill('SIGKILL')
  await server.exited
  const next = startProgram(env)
  proxy.forwardTo(`http://127.0.0.1:${(await next.ready()).port}`)
  return next
}

/** Creates clusters one after the other and returns their IDs. */
async function write(
  client: Client,
  writer: number,
  stopped: AbortSignal,
): Promise<readonly string[]> {
  const ids: string[] = []
  while (!stopped.aborted) {
    const { id } = await client.clusters.create({ name: `w${writer}-${ids.length}` })
    ids.push(id)
    await sleep(10)
  }
  return ids
}

/** Collects the IDs of ADDED events. */
function collect(client: Client) {
  const ids: string[] = []
  const ended = new AbortController()
  const read = async () => {
    for await (const event of client.clusters.watch({ signal: ended.signal })) {
      if (event.type === 'RESET' && ids.length > 0) throw new Error('the watch started again')
      if (event.type === 'ADDED') ids.push(event.object.id)
    }
  }
  const reading = read()
  const moreThan = async (count: number) => {
    const end = Date.now() + CAUGHT_UP_MS
    while (ids.length <= count && Date.now() < end) await Promise.race([sleep(50), reading])
  }
  return {
    ids,
    moreThan,
    until: async (count: number) => {
      await moreThan(count - 1)
      ended.abort()
      await reading.catch(() => undefined)
    },
  }
}
