import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import { type AdapterState, adapterState } from '../resources/adapter-state.ts'
import { requiredAdapters } from '../resources/required-adapters.ts'
import type { Stateful } from '../resources/resource-state.ts'

/** The state of an adapter on a resource; null if the resource does not require it. */
export function cellState(
  resource: Stateful,
  kind: Pick<KindDescription, 'required_adapters'>,
  adapter: string,
): AdapterState | null {
  const isRequired = requiredAdapters(resource, kind).includes(adapter)
  return isRequired ? adapterState(resource, adapter) : null
}
