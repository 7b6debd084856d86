import type { Resource } from '../targets/resource.ts'
import { conditionOf } from './condition-of.ts'
import { readinessOf } from './readiness-of.ts'

/** The required adapters that have not reported success for the current generation. */
export function adaptersBehind(
  resource: Pick<Resource, 'status' | 'generation' | 'required_adapters'>,
  required: readonly string[],
): readonly string[] {
  if (readinessOf(resource)?.status === 'True') return []
  return (resource.required_adapters ?? required).filter((adapter) => {
    const condition = conditionOf(resource, conditionType(adapter))
    return condition?.status !== 'True' || condition.observed_generation !== resource.generation
  })
}

/** The type of an adapter's condition: `GcpProvisionerSuccessful` for `gcp-provisioner`. */
function conditionType(adapter: string): string {
  const parts = adapter.split('-').map((part) => part.charAt(0).toUpperCase() + part.slice(1))
  return `${parts.join('')}Successful`
}
