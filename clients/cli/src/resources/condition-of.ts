import type { Resource } from '../targets/resource.ts'

export type Condition = Resource['status']['conditions'][number]

/** The condition of a type, or null. */
export function conditionOf({ status }: Pick<Resource, 'status'>, type: string): Condition | null {
  return status.conditions.find((condition) => condition.type === type) ?? null
}
