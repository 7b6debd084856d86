import { conditionType } from '../../../typescript/src/readiness/condition-type.ts'
import type { RequirementState } from '../../../typescript/src/readiness/readiness-requirement.ts'
import type { ListedResource } from './listed-resource.ts'

/** The states that the conditions of a resource show, without the reports. */
export type AdapterState = Extract<
  RequirementState,
  'satisfied' | 'missing' | 'behind' | 'ahead' | 'false'
>

/** The state of an adapter that a resource requires. */
export function adapterState(
  { generation, status }: Pick<ListedResource, 'generation' | 'status'>,
  adapter: string,
): AdapterState {
  const type = conditionType(adapter)
  const condition = status.conditions.find((one) => one.type === type)
  if (condition === undefined) return 'missing'
  if (condition.observed_generation < generation) return 'behind'
  if (condition.observed_generation > generation) return 'ahead'
  return condition.status === 'True' ? 'satisfied' : 'false'
}
