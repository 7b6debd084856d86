import { parseArgs } from 'node:util'
import { connectClient } from './client.ts'
import { createFleet } from './fleet.ts'
import { createRecorder } from './recorder.ts'
import { residentMemory } from './resident-memory.ts'
import { startServer } from './server.ts'
import { runWorker } from './worker.ts'
import { verifyFleet } from './verify.ts'

/** Puts a server under load and checks what it did; exits 1 where a promise was broken. */
export async function checkUnderLoad(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
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
