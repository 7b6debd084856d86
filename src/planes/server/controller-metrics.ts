import { Counter, Gauge, type Registry } from 'prom-client'

interface Queue {
  readonly size: number
}

/** Registers the metrics of the controllers that this process may run. */
export function createControllerMetrics(registry: Registry) {
  const reconciles = new Counter({
    name: 'flotilla_reconciles_total',
    help: 'Completed reconciliations by controller and result; failed ones run again.',
    labelNames: ['controller', 'result'],
    registers: [registry],
  })
  const queues = new Map<string, Queue>()
  const sizes = new Gauge({
    name: 'flotilla_controller_queue_items',
    help: 'Items that wait for a controller or are being reconciled.',
    labelNames: ['controller'],
    registers: [registry],
    collect: () => {
      for (const [controller, { size }] of queues) sizes.set({ controller }, size)
    },
  })
  return {
    reconciled: (controller: string, result: 'succeeded' | 'failed'): void =>
      reconciles.inc({ controller, result }),
    exposeQueue: (controller: string, queue: Queue): Disposable => {
      queues.set(controller, queue)
      return {
        [Symbol.dispose]: () => {
          // Another term of leadership may have replaced the queue.
          if (queues.get(controller) !== queue) return
          queues.delete(controller)
          sizes.remove({ controller })
        },
      }
    },
  }
}
