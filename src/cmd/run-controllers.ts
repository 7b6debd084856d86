import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { ControlPlane } from '../apis/kube/control-plane.ts'
import { startControllers } from '../controllers/start-controllers.ts'
import { controllerClient } from './controller-client.ts'

/** Runs the controllers of planes in this process, unless another process runs them. */
export function runControllers(planes: ControlPlane, log: Logger): AsyncDisposable {
  return startControllers({
    fleet: controllerClient(planes),
    identity: `${hostname()}_${randomUUID()}`,
    onError: (controller, error) => log.warn({ err: error, controller }, 'a controller waits'),
  })
}
