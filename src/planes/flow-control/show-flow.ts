import type { Response } from 'express'
import { admittedOf } from '../../http/fairness/admission.ts'
import { CATCH_ALL, EXEMPT } from './default-objects.ts'
import type { AppliedFlow } from './flow-objects.ts'

/**
 * Sets the headers with which Kubernetes names the flow schema and the level of an admitted request.
 * A request that no flow schema matches has `catch-all`, and the level of its caller's class.
 */
export function showFlow(response: Response, { objects }: AppliedFlow): void {
  const admitted = admittedOf(response)
  if (admitted === null || objects === null) return
  const { schema, requestClass } = admitted
  const schemaName = schema ?? (requestClass === null ? EXEMPT : CATCH_ALL)
  // The class of requests for these objects is no level.
  const level = objects.levels.get(requestClass ?? EXEMPT) ?? objects.levels.get(CATCH_ALL)
  response.setHeader('X-Kubernetes-PF-FlowSchema-UID', objects.schemas.get(schemaName) ?? '')
  response.setHeader('X-Kubernetes-PF-PriorityLevel-UID', level?.uid ?? '')
}
