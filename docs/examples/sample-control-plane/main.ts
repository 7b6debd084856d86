import { createInProcessFleetClient, startControllers } from 'flotilla/controllers'
import { CONFIG_MAPS, LEASES, NAMESPACES } from 'flotilla/planes/native'
import { fleetSource, startPlaneServer } from 'flotilla/planes/server'
import { startGreetingController } from './greeting-controller.ts'
import { GREETINGS } from './greetings.ts'

const [databaseUrl = 'postgres://localhost/sample', port = '8001'] = process.argv.slice(2)

const server = await startPlaneServer({
  databaseUrl,
  port: Number(port),
  resources: [NAMESPACES, CONFIG_MAPS, LEASES, GREETINGS],
  name: 'sample',
})
const fleet = createInProcessFleetClient(fleetSource(server))
// Garbage collection, namespaces and the program's own controller, in one process at a time.
const controllers = startControllers({
  fleet,
  identity: `sample-${process.pid}`,
  more: [({ fleet: leader }) => Promise.resolve(startGreetingController(leader.plane('root')))],
  onError: (controller, error) => console.error(controller, error),
})
console.log(`kubectl --server ${server.origin} api-resources`)

process.once('SIGTERM', () => {
  void (async () => {
    await controllers[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })()
})
