import { isJsonObject, isSameJson, type JsonObject } from 'flotilla'
import {
  type ObjectName,
  type PlaneClient,
  readOrNull,
  timedConditions,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { snapshotClaimOf } from '../../model/backends/snapshot-claim.ts'
import { type Binding, decideBinding } from './decide-binding.ts'
import { readClasses } from './read-classes.ts'
import { CLAIMS } from './snapshot-resources.ts'

/** Decides the class of a claim and writes its status if it has changed. */
export async function bindClaim(client: PlaneClient, name: ObjectName, now: Date): Promise<void> {
  const claim = await readOrNull(client, CLAIMS, name)
  if (claim === null || claim.metadata.deletionTimestamp !== undefined) return
  const binding = decideBinding(snapshotClaimOf(claim), await readClasses(client))
  const status = claimStatus(claim, binding, now)
  if (isSameJson(claim['status'] ?? null, status)) return
  await client.updateSubresource(CLAIMS, 'status', { ...claim, status })
}

function claimStatus(
  { metadata, status }: ApiObject,
  { condition, snapshotClassName }: Binding,
  now: Date,
): JsonObject {
  const { generation = 0 } = metadata
  const current = isJsonObject(status) ? status : {}
  const conditions = timedConditions(current['conditions'], [condition], { now, generation })
  return {
    ...(snapshotClassName !== '' && { snapshotClassName }),
    observedGeneration: generation,
    conditions,
  }
}
