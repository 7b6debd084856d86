import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import { conditionType } from '../../../typescript/src/readiness/condition-type.ts'
import type { RequirementState } from '../../../typescript/src/readiness/readiness-requirement.ts'
import { requiredAdapters } from '../resources/required-adapters.ts'
import type { Stateful } from '../resources/resource-state.ts'

/** The state of an adapter on a resource; null if the resource does not require it. */
export function cellState(
  resource: Stateful,
  kind: Pick<KindDescription, 'required_adapters'>,
  adapter: string,
): RequirementState | null {
  if (!requiredAdapters(resource, kind).includes(adapter)) return null
  const type = conditionType(adapter)
  const condition = resource.status.conditions.find((one) => one.type === type)
  if (condition === undefined) return 'missing'
  const { observed_generation: observed, status } = condition
  if (observed < resource.generation) return 'behind'
  if (observed > resource.generation) return 'ahead'
  return status === 'True' ? 'satisfied' : 'false'
}
