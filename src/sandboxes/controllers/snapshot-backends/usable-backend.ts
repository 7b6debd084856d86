import type { PlaneClient } from 'flotilla/controllers'
import type { Backend } from '../../model/backends/backend.ts'
import type { BackendResolution, Unresolved } from '../../model/backends/backend-resolution.ts'
import { requireCredentials } from '../../model/backends/require-credentials.ts'
import { type Credentials, readCredentials } from './read-credentials.ts'

/** A backend and what its driver needs for a call. */
export interface UsableBackend {
  readonly backend: Backend
  readonly credentials: Credentials
}

/** Reads the credentials of a resolved backend. They are read for each call and never copied. */
export async function usableBackend(
  client: PlaneClient,
  resolution: BackendResolution,
): Promise<UsableBackend | Unresolved> {
  if ('unresolved' in resolution) return resolution
  const { credentialsRef } = resolution.backend
  const credentials = credentialsRef && (await readCredentials(client, credentialsRef))
  const required = requireCredentials(resolution, credentials !== null)
  if ('unresolved' in required) return required
  return { backend: required.backend, credentials: credentials ?? {} }
}
