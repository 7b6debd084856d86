import { type BackendResolution, unresolved } from './backend-resolution.ts'

/** The backend, if it has no credentials or they exist. */
export function requireCredentials(
  resolution: BackendResolution,
  exists: boolean,
): BackendResolution {
  if ('unresolved' in resolution || exists) return resolution
  const { credentialsRef } = resolution.backend
  if (credentialsRef === null) return resolution
  const { namespace, name } = credentialsRef
  return unresolved('CredentialsNotFound', `the Secret ${namespace}/${name} does not exist`)
}
