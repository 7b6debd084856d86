import { allGenericResources, startPlaneServer } from 'flotilla/planes/server'
import { stopSignals } from 'flotilla/programs'
import { GREETINGS } from './greetings.ts'

const [port = '8001'] = process.argv.slice(2)

const signals = stopSignals()
const server = await startPlaneServer({
  ...allGenericResources({ more: [GREETINGS] }),
  port: Number(port),
  name: 'sample',
})
console.log(`kubectl --server ${server.origin} api-resources`)

await signals.received
await server[Symbol.asyncDispose]()
