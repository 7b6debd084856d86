import type { ApiObject } from '../../model/api-object.ts'
import { isObjectNotFound } from '../client/api-failures.ts'
import type { PlaneClient } from '../client/plane-client.ts'
import { decideDefinitionStatus } from '../../definitions/acceptance/decide-definition-status.ts'
import { type DefinitionResult, DEFINITIONS, finishDefinition } from './finish-definition.ts'
import type { NameIndex } from './name-index.ts'

interface Parts {
  readonly client: PlaneClient
  readonly names: NameIndex
  readonly now: () => Date
}

/** Decides the status of a definition, or finishes a deleted one. */
export async function reconcileDefinition(
  { client, names, now }: Parts,
  name: string,
): Promise<DefinitionResult> {
  const definition = await readDefinition(client, name)
  if (definition === null) return 'done'
  if (definition.metadata.deletionTimestamp !== undefined) {
    return finishDefinition(client, definition, now())
  }
  const others = await names.others(client.plane, name)
  const status = decideDefinitionStatus(definition, others, now())
  if (status === null) return 'done'
  const decided = { ...definition, status }
  // The names are taken from now on, also for decisions that run at the same time.
  names.record(client.plane, decided)
  await client.updateSubresource(DEFINITIONS, 'status', decided)
  return 'done'
}

async function readDefinition(client: PlaneClient, name: string): Promise<ApiObject | null> {
  try {
    return await client.get(DEFINITIONS, { namespace: '', name })
  } catch (error) {
    if (isObjectNotFound(error, name)) return null
    throw error
  }
}
