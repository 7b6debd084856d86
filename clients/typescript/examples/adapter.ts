// An adapter that serves a DNS zone for each cluster with `spec.zone`.
import { runAdapter, Client } from '@flotilla/client'

const stopped = new AbortController()
process.once('SIGTERM', () => stopped.abort())
const zones = new Map<string, string>()

await runAdapter({
  client: new Client(process.env['SERVER'] ?? 'http://127.0.0.1:8000'),
  name: 'dns',
  kind: 'clusters',
  heartbeat: 30_000,
  signal: stopped.signal,
  reconcile: ({ id, spec }) => {
    const { zone } = spec
    if (typeof zone !== 'string') return { available: 'False', reason: 'NoZone' }
    zones.set(id, zone)
    return { available: 'True', reason: 'ZoneServed', data: { zone } }
  },
  finalize: ({ id }) => {
    zones.delete(id)
    return { available: 'False', reason: 'ZoneRemoved' }
  },
  onEvent: (event) => {
    if (event.type === 'failed') console.log(`${event.id ?? 'watch'}: ${String(event.error)}`)
    else console.log(`${event.resource.name}: ${event.result.reason} ${event.discarded ?? ''}`)
  },
})
