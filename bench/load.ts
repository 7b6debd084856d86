import { parseArgs } from 'node:util'
import { connectClient } from './load/client.ts'
import { createFleet } from './load/fleet.ts'
import { createRecorder } from './load/recorder.ts'
import { residentMemory } from './load/resident-memory.ts'
import { startServer } from './load/server.ts'
import { runWorker } from './load/worker.ts'
import { verifyFleet } from './load/verify.ts'

/** Puts a server under load and checks what it did; exits 1 where a promise was broken. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    allowPositionals: true,
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
  const memory = server && residentMemory(server.pid)
  console.log(`${connections} connections for ${seconds} s against ${origin}`)
  const end = performance.now() + seconds * 1000
  const workers = Array.from({ length: connections }, () =>
    runWorker({ client, recorder, fleet, end }),
  )
  await Promise.all(workers)
  memory?.stop()
  console.log(`${recorder.table(seconds)}\n`)
  if (memory) console.log(memory.summary())
  const lost = await verifyFleet(client, fleet)
  console.log(`checked ${fleet.clusters.length} clusters with ${fleet.acknowledged()} reports\n`)
  const violations = [
    ...recorder.violations(),
    ...lost,
    ...(memory?.violations() ?? []),
    ...((await server?.violations()) ?? []),
  ]
  for (const violation of violations.slice(0, 20)) console.error(`VIOLATION ${violation}`)
  console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

await main()
