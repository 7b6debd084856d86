import type { RequestHandler } from 'express'
import { defineCapability, type Parts } from '../capability/capability.ts'
import { must } from '../lib/assert.ts'
import { createInProcessFleetClient } from './controllers/client/in-process/in-process-fleet-client.ts'
import { followFlowControl } from './flow-control/follow-flow-control.ts'
import { planeErrors } from './http/plane-errors.ts'
import { derivePlanes, PLANE_SETTINGS } from './plane-settings.ts'
import { fleetSource } from './server/fleet-source.ts'
import type { PlanePorts } from './server/plane-ports.ts'
import { runControllers } from './server/run-controllers.ts'
import { type Planes, sealPlanes } from './server/seal-planes.ts'

/** Applies the classes of requests that the root plane configures. */
async function followClasses({ admission, lifecycle, log }: Parts, planes: Planes): Promise<void> {
  const following = await followFlowControl({
    log: planes.feed.log,
    configurations: planes.configurations,
    apply: admission.configure,
    applied: planes.appliedFlow,
    onError: (error) => log.warn({ err: error }, 'the classes of requests are not current'),
  })
  lifecycle.onClose('classes of requests', () => following[Symbol.dispose]())
}

/** The Kubernetes-style API, with the native resources of this program. */
export const planes = defineCapability({
  name: 'planes',
  needs: {},
  settings: PLANE_SETTINGS,
  derive: derivePlanes,
  open({ api, clock }): PlanePorts {
    const ports: PlanePorts = {
      resources: [],
      unseeded: [],
      roles: [],
      codecs: new Map(),
      admission: [],
      removals: [],
      controllers: [],
      further: null,
      isRunning: () => Promise.resolve(false),
      planes: null,
      sealed: () => must(ports.planes, 'planes are sealed'),
      client: () =>
        createInProcessFleetClient({
          ...fleetSource(ports.sealed()),
          ...(ports.further && { subscribeClusters: ports.further.subscribeClusters }),
        }),
    }
    const handler: RequestHandler = (...exchange) => ports.sealed().handler(...exchange)
    api.mounts.push(planeErrors(clock), handler)
    api.endless.push({
      name: 'delegation',
      close: () => ports.sealed().delegation[Symbol.dispose](),
    })
    return ports
  },
  async seal(parts, ports) {
    const sealed = await sealPlanes(parts, ports)
    parts.api.actAs = sealed.actAs
    ports.planes = sealed
    await followClasses(parts, sealed)
  },
  run(parts, ports) {
    if (parts.config.role !== 'api') runControllers(parts, ports)
  },
})
