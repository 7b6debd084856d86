import { isConflict, type PlaneClient, readOrNull } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { DEFAULT_CLAIM } from '../../model/suspension-strategy.ts'
import { CLAIMS } from './snapshot-resources.ts'

/** Reads the default claim of a namespace, and creates it with the default class if it is absent. */
export async function ensureDefaultClaim(
  client: PlaneClient,
  namespace: string,
): Promise<ApiObject> {
  const key = { namespace, name: DEFAULT_CLAIM }
  const existing = await readOrNull(client, CLAIMS, key)
  if (existing !== null) return existing
  const apiVersion = `${CLAIMS.group}/${CLAIMS.version}`
  try {
    return await client.create(CLAIMS, {
      apiVersion,
      kind: 'SnapshotClaim',
      metadata: key,
      spec: {},
    })
  } catch (error) {
    if (!isConflict(error)) throw error
    const created = await readOrNull(client, CLAIMS, key)
    if (created === null) throw error
    return created
  }
}
