import type { PlaneConfigurations } from '../../../store/objects/model/plane-configuration.ts'
import type { CountedObjects } from '../../../store/objects/storage/count-objects.ts'
import { objectForbidden } from '../../errors/failures.ts'
import type { AdmissionPlugin, AdmissionRequest, ObjectLimit } from '../../model/admission.ts'
import { resourceKey } from '../../model/resource-type.ts'
import { type QuotaLimit, quotaLimits } from './quota-limits.ts'

/** Counts stored objects of a plane, in the order of the input. */
export type CountObjects = (
  plane: string,
  wanted: readonly CountedObjects[],
) => Promise<readonly number[]>

interface Options {
  readonly configurations: PlaneConfigurations
  readonly count: CountObjects
}

/**
 * Enforces the counts of ResourceQuotas. The commit of a creation counts the objects again, so that
 * concurrent creations cannot exceed a quota together. A dry run counts them once.
 */
export function resourceQuotas({ configurations, count }: Options): AdmissionPlugin {
  async function exceeded(request: AdmissionRequest, limit: QuotaLimit): Promise<Error> {
    const wanted = { resource: limit.resource, namespace: request.namespace }
    const [used = limit.max] = await count(request.plane, [wanted])
    return quotaExceeded(request, limit, used)
  }

  return {
    limit: async (request) => {
      const limit = smallest(await limitsFor(configurations, request))
      if (limit === null) return null
      return { max: limit.max, exceeded: () => exceeded(request, limit) } satisfies ObjectLimit
    },
    validate: async (request) => {
      if (!request.dryRun || request.operation !== 'CREATE') return
      const limit = smallest(await limitsFor(configurations, request))
      if (limit === null) return
      const wanted = { resource: limit.resource, namespace: request.namespace }
      const [used = 0] = await count(request.plane, [wanted])
      if (used >= limit.max) throw quotaExceeded(request, limit, used)
    },
  }
}

async function limitsFor(
  configurations: PlaneConfigurations,
  { plane, namespace, type, subresource }: AdmissionRequest,
): Promise<readonly QuotaLimit[]> {
  if (namespace === '' || subresource !== '') return []
  const limits = quotaLimits(await configurations.of(plane)).get(namespace) ?? []
  const resource = resourceKey(type)
  return limits.filter((limit) => limit.resource === resource)
}

function smallest(limits: readonly QuotaLimit[]): QuotaLimit | null {
  return limits.toSorted((a, b) => a.max - b.max)[0] ?? null
}

function quotaExceeded(
  { type, name }: AdmissionRequest,
  { quota, counted, max }: QuotaLimit,
  used: number,
): Error {
  const detail = `requested: ${counted}=1, used: ${counted}=${used}, limited: ${counted}=${max}`
  return objectForbidden(type, name, `exceeded quota: ${quota}, ${detail}`)
}
