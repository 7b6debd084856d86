import type { ApiObject } from '../../model/api-object.ts'
import { isObjectNotFound } from './api-failures.ts'
import type { ObjectName, PlaneClient, ResourceName } from './plane-client.ts'

/** Reads an object; null if it does not exist. */
export async function readOrNull(
  client: PlaneClient,
  resource: ResourceName,
  name: ObjectName,
): Promise<ApiObject | null> {
  try {
    return await client.get(resource, name)
  } catch (error) {
    if (isObjectNotFound(error, name.name)) return null
    throw error
  }
}
