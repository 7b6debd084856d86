import {
  type AdapterStatus,
  ApiError,
  type KindDescription,
} from '../../../../typescript/src/index.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { requiredAdapters } from '../../resources/required-adapters.ts'

/** The effects of a deletion. */
export interface DeletionPlan {
  /** The problem of the server if it would refuse the deletion. */
  readonly refusal: string | null
  readonly children: readonly KindResource[]
  readonly childCount: number
  /** Resources of any kind that refer to this one. */
  readonly referrers: readonly KindResource[]
  /** The adapters that the removal waits for. */
  readonly adapters: readonly string[]
}

interface Sources {
  readonly resource: Pick<KindResource, 'required_adapters'>
  /** A dry run of the deletion. */
  readonly dryRun: () => Promise<unknown>
  readonly children: () => Promise<{ items: readonly KindResource[]; total: number }>
  readonly referrers: () => Promise<readonly KindResource[]>
  readonly reports: () => Promise<readonly Pick<AdapterStatus, 'adapter'>[]>
  readonly kind: Pick<KindDescription, 'required_adapters'> | undefined
}

const CONFLICT = 409

/** Finds the effects of a deletion before it is requested. */
export async function deletionPlan(sources: Sources): Promise<DeletionPlan> {
  const [refusal, { items: children, total }, referrers, reports] = await Promise.all([
    sources.dryRun().then(
      () => null,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === CONFLICT) return error.message
        throw error
      },
    ),
    sources.children(),
    sources.referrers(),
    sources.reports(),
  ])
  const adapters = removalAdapters(sources.resource, sources.kind, reports)
  return { refusal, children, childCount: total, referrers, adapters }
}

/**
 * The adapters that must finalize a deleted resource. If the resource declares its adapters, every
 * adapter that has reported on it must do so too.
 */
export function removalAdapters(
  resource: Sources['resource'],
  kind: Sources['kind'],
  reports: readonly Pick<AdapterStatus, 'adapter'>[],
): readonly string[] {
  const required = requiredAdapters(resource, kind)
  if (resource.required_adapters === undefined) return required
  return [...new Set([...required, ...reports.map(({ adapter }) => adapter)])]
}
