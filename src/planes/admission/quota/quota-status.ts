import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { limitsOf } from './quota-limits.ts'
import type { CountObjects } from './resource-quotas.ts'

/**
 * Computes the status of quotas when they are read: the limits and the current counts. A stored count
 * would be out of date after every creation.
 */
export function quotaStatus(
  count: CountObjects,
): (quotas: readonly StoredObject[]) => Promise<readonly StoredObject[]> {
  return async (quotas) => {
    const [first] = quotas
    if (first === undefined) return []
    const limits = quotas.map(limitsOf)
    const wanted = quotas.flatMap(({ namespace }, index) =>
      (limits[index] ?? []).map(({ resource }) => ({ resource, namespace })),
    )
    const counts = [...(await count(first.plane, wanted))]
    return quotas.map((quota, index) => {
      const own = limits[index] ?? []
      const used = own.map(({ counted }) => [counted, String(counts.shift() ?? 0)])
      return withStatus(quota, Object.fromEntries(used))
    })
  }
}

/** Nothing uses the resources of workloads, so their usage is 0. */
function withStatus(quota: StoredObject, counted: JsonObject): StoredObject {
  const { spec } = quota.body
  const hard = isJsonObject(spec) && isJsonObject(spec['hard']) ? spec['hard'] : {}
  const unused = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']))
  return { ...quota, body: { ...quota.body, status: { hard, used: { ...unused, ...counted } } } }
}
