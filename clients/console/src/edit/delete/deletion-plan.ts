import { ApiError, type KindDescription } from '../../../../typescript/src/index.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'

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
  /** A dry run of the deletion. */
  readonly dryRun: () => Promise<unknown>
  readonly children: () => Promise<{ items: readonly KindResource[]; total: number }>
  readonly referrers: () => Promise<readonly KindResource[]>
  readonly kind: KindDescription | undefined
}

const CONFLICT = 409

/** Finds the effects of a deletion before it is requested. */
export async function deletionPlan(sources: Sources): Promise<DeletionPlan> {
  const [refusal, { items: children, total }, referrers] = await Promise.all([
    sources.dryRun().then(
      () => null,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === CONFLICT) return error.message
        throw error
      },
    ),
    sources.children(),
    sources.referrers(),
  ])
  const adapters = sources.kind?.required_adapters ?? []
  return { refusal, children, childCount: total, referrers, adapters }
}
