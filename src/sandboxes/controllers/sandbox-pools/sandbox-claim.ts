import { type JsonObject, objectOf, objectsOf, textOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { type ClaimSource, claimSourceOf } from '../../model/old-claim.ts'
import { type PodMetadata, podMetadataOf } from './sandbox-template.ts'

/** An environment variable of a claim. */
export interface ClaimedVariable {
  readonly name: string
  readonly value: string
  /** Empty for the first container. */
  readonly containerName: string
}

/** A SandboxClaim. */
export interface SandboxClaim {
  readonly object: ApiObject
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly generation: number
  readonly source: ClaimSource
  readonly env: readonly ClaimedVariable[]
  readonly volumeClaimTemplates: readonly JsonObject[]
  readonly podMetadata: PodMetadata
  /** Null: the claim does not expire at a time. */
  readonly shutdownTime: Date | null
  readonly ttlSecondsAfterFinished: number | null
  readonly shutdownPolicy: 'Delete' | 'DeleteForeground' | 'Retain'
  /** Since when the workload has ended; null if it has not. */
  readonly finishedSince: Date | null
  readonly status: JsonObject
}

export function sandboxClaimOf(object: ApiObject): SandboxClaim {
  const { name = '', namespace = '', uid = '', generation = 0 } = object.metadata
  const { env, volumeClaimTemplates, additionalPodMetadata, lifecycle } = objectOf(object['spec'])
  const { shutdownTime, ttlSecondsAfterFinished, shutdownPolicy } = objectOf(lifecycle)
  const status = objectOf(object['status'])
  return {
    object,
    namespace,
    name,
    uid,
    generation,
    source: claimSourceOf(object),
    env: objectsOf(env).map((each) => ({
      name: textOf(each['name']),
      value: textOf(each['value']),
      containerName: textOf(each['containerName']),
    })),
    volumeClaimTemplates: objectsOf(volumeClaimTemplates),
    podMetadata: podMetadataOf(additionalPodMetadata),
    shutdownTime: typeof shutdownTime === 'string' ? new Date(shutdownTime) : null,
    ttlSecondsAfterFinished:
      typeof ttlSecondsAfterFinished === 'number' ? ttlSecondsAfterFinished : null,
    shutdownPolicy:
      shutdownPolicy === 'Delete' || shutdownPolicy === 'DeleteForeground'
        ? shutdownPolicy
        : 'Retain',
    finishedSince: finishedSince(status),
    status,
  }
}

function finishedSince({ conditions }: JsonObject): Date | null {
  const finished = objectsOf(conditions).find(({ type }) => type === 'Finished')
  if (finished?.['status'] !== 'True') return null
  return new Date(textOf(finished['lastTransitionTime']))
}
