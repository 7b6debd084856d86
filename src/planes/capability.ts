import type { RequestHandler } from 'express'
import { defineCapability } from '../capability/capability.ts'
import { must } from '../lib/assert.ts'
import { createInProcessFleetClient } from './controllers/client/in-process/in-process-fleet-client.ts'
import { planeErrors } from './http/plane-errors.ts'
import { derivePlanes, PLANE_SETTINGS } from './plane-settings.ts'
import { fleetSource } from './server/fleet-source.ts'
import type { PlanePorts } from './server/plane-ports.ts'
import { runControllers } from './server/run-controllers.ts'
import { sealPlanes } from './server/seal-planes.ts'

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
  },
  run(parts, ports) {
    if (parts.config.role !== 'api') runControllers(parts, ports)
  },
})
