import { createInProcessFleetClient, startControllers } from 'flotilla/controllers'
import { allGenericResources, fleetSource, startPlaneServer } from 'flotilla/planes/server'
import { stopSignals } from 'flotilla/programs'
import { startGreetingController } from './greeting-controller.ts'
import { GREETINGS } from './greetings.ts'

const [port = '8001'] = process.argv.slice(2)

const signals = stopSignals()
const server = await startPlaneServer({
  ...allGenericResources({ more: [GREETINGS] }),
  port: Number(port),
  name: 'sample',
})
// Garbage collection, namespaces and the program's own controller, in one process at a time.
const controllers = startControllers({
  fleet: createInProcessFleetClient(fleetSource(server)),
  identity: `sample-${process.pid}`,
  more: [({ fleet }) => Promise.resolve(startGreetingController(fleet.plane('root')))],
  onError: (controller, error) => console.error(controller, error),
})
console.log(`kubectl --server ${server.origin} api-resources`)

await signals.received
await controllers[Symbol.asyncDispose]()
await server[Symbol.asyncDispose]()
