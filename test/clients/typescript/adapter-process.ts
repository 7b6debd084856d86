import { setTimeout as sleep } from 'node:timers/promises'
import { Client, runAdapter } from '../../../clients/typescript/src/index.ts'

/** An adapter in an own process, which prints `ready` before it starts, and its calls. Arguments: the URL of the server, a search. */
const [url = '', search = ''] = process.argv.slice(2)

console.log('ready')
await runAdapter({
  client: new Client(url),
  name: 'dns',
  kind: 'clusters',
  search,
  heartbeat: 600_000,
  leaseSeconds: 20,
  reconcile: async ({ id }) => {
    console.log(id)
    await sleep(50)
    return { available: 'True' }
  },
})
