import { parseArgs } from 'node:util'
import { type MemoryTrend, sampleMemory } from '../measure/memory-trend.ts'
import { ownMegabytes } from '../measure/process-memory.ts'
import { connectClient } from '../servers/http-client.ts'
import { createFleet } from './fleet.ts'
import { createRecorder } from './recorder.ts'
import { startServer } from './start-server.ts'
import { verifyFleet } from './verify-fleet.ts'
import { runWorker } from './worker.ts'

/** In a shorter run, memory has not reached a plateau. */
const MIN_SECONDS_FOR_MEMORY = 30
const MAX_MEMORY_GROWTH = 1.3
const MAX_PRINTED = 20

/** Puts a server under load and checks its guarantees. Exits 1 if one is violated. */
export async function checkUnderLoad(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      seconds: { type: 'string', default: '60' },
      connections: { type: 'string', default: '64' },
    },
  })
  const seconds = Number(values.seconds)
  const connections = Number(values.connections)
  await using server = values.url === undefined ? await startServer() : null
  const origin = server?.origin ?? new URL(values.url ?? '').origin
  await using client = connectClient(origin, connections)
  const recorder = createRecorder()
  const fleet = createFleet()
  const memory = server && sampleMemory(() => ownMegabytes('VmRSS', server.pid))
  console.log(`${connections} connections for ${seconds} s to ${origin}`)
  const end = performance.now() + seconds * 1000
  const workers = Array.from({ length: connections }, () =>
    runWorker({ client, recorder, fleet, end }),
  )
  await Promise.all(workers)
  const trend = memory?.stop() ?? null
  console.log(`${recorder.table(seconds)}\n`)
  if (trend) console.log(describeMemory(trend))
  const differences = await verifyFleet(client, fleet)
  console.log(`checked ${fleet.clusters.length} clusters with ${fleet.acknowledged()} reports\n`)
  const violations = [
    ...recorder.violations(),
    ...differences,
    ...(seconds >= MIN_SECONDS_FOR_MEMORY ? memoryViolations(trend) : []),
    ...((await server?.violations()) ?? []),
  ]
  for (const violation of violations.slice(0, MAX_PRINTED)) console.error(`VIOLATION ${violation}`)
  console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

function describeMemory({ start, middle, end }: MemoryTrend): string {
  const [first, second, third] = [start, middle, end].map((megabytes) => megabytes.toFixed(0))
  return `resident memory: start ${first} MB, middle ${second} MB, end ${third} MB`
}

function memoryViolations(trend: MemoryTrend | null): readonly string[] {
  if (trend === null || trend.end <= trend.middle * MAX_MEMORY_GROWTH) return []
  return [
    `memory grows: ${trend.middle.toFixed(0)} MB in the middle, ${trend.end.toFixed(0)} MB at the end`,
  ]
}
