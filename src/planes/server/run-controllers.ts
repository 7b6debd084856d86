import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RunParts } from '../../capability/capability.ts'
import { runInBackgroundSpan } from '../../lib/tracing/request-context.ts'
import type { Tracer } from '../../lib/tracing/span.ts'
import { startAvailabilityController } from '../controllers/api-services/availability-controller.ts'
import type { FleetObject } from '../controllers/client/fleet-client.ts'
import type { ControllerMetrics } from '../controllers/runtime/controller-metrics.ts'
import { named, type StartController } from '../controllers/runtime/start-in-order.ts'
import { startRequiredObjectController } from '../controllers/required-objects/required-object-controller.ts'
import { startControllers } from '../controllers/start-controllers.ts'
import { databaseSessions } from '../database-sessions.ts'
import { parseDelegate } from '../delegation/delegate.ts'
import { probeDelegate } from '../delegation/probe-delegate.ts'
import {
  type CheckPolicy,
  startPolicyStatusController,
} from '../controllers/policies/policy-status-controller.ts'
import { policyWarnings } from '../admission/policies/policy-warnings.ts'
import { createControllerMetrics } from './controller-metrics.ts'
import type { PlanePorts } from './plane-ports.ts'
import { rootCertificateMaps } from './required-certificates.ts'
import type { Planes } from './seal-planes.ts'

/** Runs the controllers of planes in this process, unless another process runs them. */
export function runControllers(
  { database, lifecycle, log, metrics, port, tracer }: RunParts,
  ports: PlanePorts,
): void {
  const planes = ports.sealed()
  const controllers = startControllers({
    fleet: ports.client(),
    identity: `${hostname()}_${process.pid}_${randomUUID()}`,
    sessions: databaseSessions(database, planes.feed),
    more: [
      availabilityController(planes),
      policyStatusController(planes),
      ...rootCertificateController(planes),
      ...ports.controllers.map((create) => create(port)),
    ],
    metrics: {
      ...createControllerMetrics(metrics.registry),
      ...(tracer && { traced: tracedReconciliations(tracer) }),
    },
    onError: (controller, error) => log.warn({ err: error, controller }, 'a controller waits'),
  })
  lifecycle.onClose('controllers', () => controllers[Symbol.asyncDispose]())
}

/** Each reconciliation begins a trace. */
function tracedReconciliations(tracer: Tracer): NonNullable<ControllerMetrics['traced']> {
  return (controller, work) => {
    const options = { kind: 'consumer', attributes: { 'flotilla.controller': controller } } as const
    return runInBackgroundSpan(tracer.start(`reconcile ${controller}`, null, options), work)
  }
}

function availabilityController({ egress }: Planes): StartController {
  const probe = async ({ plane, name, uid, object }: FleetObject) => {
    const delegate = parseDelegate({ plane, name, uid, body: object() })
    return delegate && probeDelegate(egress, delegate)
  }
  return named('availability of API services', (parts) =>
    startAvailabilityController({ ...parts, probe }),
  )
}

/** None without TLS. */
function rootCertificateController({ certificates }: Planes): readonly StartController[] {
  if (certificates === null) return []
  const required = rootCertificateMaps(certificates)
  return [named('root certificates', (parts) => startRequiredObjectController(parts, required))]
}

function policyStatusController({ types }: Planes): StartController {
  const check: CheckPolicy = async (plane, policy) => {
    return policyWarnings(policy, await types.typesOf(plane))
  }
  return named('status of admission policies', (parts) =>
    startPolicyStatusController({ ...parts, check }),
  )
}
