import type { Resource } from '../targets/resource.ts'
import { type Condition, conditionOf } from './condition-of.ts'

/** The condition for readiness. Servers can be set to call it Reconciled. */
export function readinessOf(resource: Pick<Resource, 'status'>): Condition | null {
  return conditionOf(resource, 'Ready') ?? conditionOf(resource, 'Reconciled')
}
