import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../src/lib/assert.ts'
import { clusterId } from '../data/cluster.ts'
import { configMap } from '../data/objects.ts'
import { quantileOf } from '../measure/statistics.ts'
import { connectClient } from '../servers/http-client.ts'
import type { ServerUnderTest } from '../servers/server-under-test.ts'
import { openWatchConnection, type WatchConnection } from '../watch/watch-connection.ts'
import type { Bench } from './bench.ts'

const PLANES = 100
const WATCHES_PER_PLANE = 10
const WRITES_PER_SECOND = 200
const SECONDS = { full: 20, quick: 5 }
/** Time limit for the delivery of outstanding events. */
const DELIVERY_TIMEOUT_MS = 5000
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const SELECTOR = encodeURIComponent('app!=none')
const WATCH = `watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=${SELECTOR}`

/** The planes of the dataset, and when each write to them started. */
interface WatchedPlane {
  readonly base: string
  readonly writes: number[]
  readonly watches: WatchConnection[]
}

/** The latency from the start of a write to its event on each watch of its plane. */
export async function measurePlaneWatches(bench: Bench, server: ServerUnderTest): Promise<void> {
  const { origin } = server.target
  const planes: readonly WatchedPlane[] = Array.from({ length: PLANES }, (_, index) => ({
    base: `/clusters/${clusterId(index + 1)}/control-plane`,
    writes: [],
    watches: [],
  }))
  const latencies: number[] = []
  for (const { base, writes, watches } of planes) {
    for (let count = 0; count < WATCHES_PER_PLANE; count += 1) {
      const watch = openWatchConnection({ origin, base, path: `${CONFIG_MAPS}?${WATCH}` })
      await watch.started
      let received = 0
      watch.onChange = () => {
        const start = must(writes[received], 'a write')
        received += 1
        latencies.push(performance.now() - start)
      }
      watches.push(watch)
    }
  }
  await using client = connectClient(origin, 16)
  const count = await write(bench, planes, async ({ base }, number) => {
    const body = configMap(`watched-${number}`, number)
    const { status, text } = await client.requestPath('POST', base + CONFIG_MAPS, body)
    if (status !== 201) throw new Error(`POST returned ${status}: ${text}`)
  })
  const expected = count * WATCHES_PER_PLANE
  const end = performance.now() + DELIVERY_TIMEOUT_MS
  while (latencies.length < expected && performance.now() < end) await sleep(5)
  for (const { watches } of planes) for (const watch of watches) watch[Symbol.dispose]()
  const subject = `${PLANES * WATCHES_PER_PLANE} watches on ${PLANES} planes`
  const facts = [
    { name: `${subject}, p50`, value: quantileOf(latencies, 0.5), unit: 'ms' },
    { name: `${subject}, p99`, value: quantileOf(latencies, 0.99), unit: 'ms' },
    { name: `missing events of ${subject}`, value: expected - latencies.length, unit: 'events' },
  ]
  for (const fact of facts) bench.results.facts.push({ scenario: 'planes', ...fact })
}

/** Writes at a fixed rate to one plane after the other. Returns the number of writes. */
async function write(
  { options }: Bench,
  planes: readonly WatchedPlane[],
  writeTo: (plane: WatchedPlane, number: number) => Promise<void>,
): Promise<number> {
  const count = WRITES_PER_SECOND * (options.quick ? SECONDS.quick : SECONDS.full)
  const start = performance.now()
  const pending: Promise<void>[] = []
  for (let number = 0; number < count; number += 1) {
    const due = start + (number * 1000) / WRITES_PER_SECOND
    if (due > performance.now()) await sleep(due - performance.now())
    const plane = must(planes[number % planes.length], 'a plane')
    plane.writes.push(performance.now())
    pending.push(writeTo(plane, number))
  }
  await Promise.all(pending)
  return count
}
