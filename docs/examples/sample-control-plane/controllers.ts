import { createHttpFleetClient, startControllers } from 'flotilla/controllers'
import { stopSignals } from 'flotilla/programs'
import { startGreetingController } from './greeting-controller.ts'

const [server = 'http://127.0.0.1:8001'] = process.argv.slice(2)

const signals = stopSignals()
const controllers = startControllers({
  fleet: createHttpFleetClient({
    server,
    planes: ['root'],
    userAgent: 'sample-controllers',
    onError: (error) => console.error(error),
  }),
  identity: `sample-${process.pid}`,
  more: [({ fleet }) => Promise.resolve(startGreetingController(fleet.plane('root')))],
  onError: (controller, error) => console.error(controller, error),
})

await signals.received
await controllers[Symbol.asyncDispose]()
