import { isJsonObject } from 'flotilla'
import { type PlaneClient, readOrNull, type ResourceName } from 'flotilla/controllers'
import type { SecretReference } from '../../model/backends/secret-reference.ts'

const SECRETS: ResourceName = { group: '', version: 'v1', plural: 'secrets' }

/** Values that are passed to a driver, and neither logged nor stored. */
export type Credentials = Readonly<Record<string, string>>

/** Reads the Secret with the credentials of a store. Null if it does not exist. */
export async function readCredentials(
  client: PlaneClient,
  { namespace, name }: SecretReference,
): Promise<Credentials | null> {
  const secret = await readOrNull(client, SECRETS, { namespace, name })
  if (secret === null) return null
  const data = isJsonObject(secret['data']) ? Object.entries(secret['data']) : []
  return Object.fromEntries(
    data.flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, Buffer.from(value, 'base64').toString('utf8')]] : [],
    ),
  )
}
