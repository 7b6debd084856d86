import {
  explainReadiness,
  type KindDescription,
  NotFound,
  type ReadinessExplanation,
} from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'

/** The readiness of a resource, from its reports. Null if it no longer exists. */
export async function readiness(
  { client, signal, now }: Session,
  resource: Resource,
  kinds: readonly KindDescription[],
): Promise<ReadinessExplanation | null> {
  const kind = kinds.find((one) => one.kind === resource.kind)
  const statuses = await client.statuses.list(resource.id, { signal }).catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })
  if (statuses === null) return null
  const requiredAdapters = resource.required_adapters ?? kind?.required_adapters ?? []
  return explainReadiness({ resource, statuses, requiredAdapters, now: now() })
}
