import type { AdapterStatus } from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import type { Resource } from '../targets/resource.ts'

/** A resource with the reports and adapters that its readiness depends on. */
export interface Readiness {
  readonly resource: Resource
  readonly statuses: readonly AdapterStatus[]
  readonly requiredAdapters: readonly string[]
}

/** Reads the reports on a resource and the adapters that its kind requires. */
export async function readReadiness(
  session: Session,
  { plural }: KindTarget,
  resource: Resource,
): Promise<Readiness> {
  const { client, signal } = session
  const kind = (await session.kinds()).find((one) => one.plural === plural)
  const statuses =
    kind?.has_statuses === false ? [] : await client.statuses.list(resource.id, { signal })
  return {
    resource,
    statuses,
    requiredAdapters: resource.required_adapters ?? kind?.required_adapters ?? [],
  }
}
