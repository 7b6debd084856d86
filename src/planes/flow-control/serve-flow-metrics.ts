import { Gauge, Registry } from 'prom-client'
import type { DocumentRequest } from '../http/kube-handler.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'
import type { AppliedFlow } from './flow-objects.ts'

/**
 * Serves `/metrics` of the root plane: the seats of the levels in this process, as Kubernetes' own
 * server names them. Returns false for other paths.
 */
export function createFlowMetrics(
  applied: AppliedFlow,
): (document: DocumentRequest) => Promise<boolean> {
  const registry = new Registry()
  const seats: Gauge = new Gauge({
    name: 'apiserver_flowcontrol_nominal_limit_seats',
    help: 'Seats of a priority level that others cannot take.',
    labelNames: ['priority_level'],
    registers: [registry],
    collect: () => {
      seats.reset()
      for (const [name, level] of applied.objects?.levels ?? []) {
        seats.set({ priority_level: name }, level.seats)
      }
    },
  })
  return async ({ request, response, at, plane }) => {
    if (at.path !== '/metrics' || plane.plane !== ROOT_PLANE) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    response.setHeader('Content-Type', registry.contentType)
    response.end(await registry.metrics())
    return true
  }
}
