import { type JsonObject, type JsonValue, objectOf, textMapOf, textOf } from 'flotilla'
import type { Backend, BackendTarget } from './backend.ts'
import type { ObjectIdentity } from '../object-identity.ts'
import { secretReferenceOf } from './secret-reference.ts'

/** A backend in the status of a Snapshot, as `status.backend`. */
export function recordBackend(backend: Backend): JsonObject {
  const { path, driver, store, parameters, credentialsRef, reclaimPolicy, digest } = backend
  const origin =
    backend.path === 'A'
      ? { provider: { ...backend.provider } }
      : { snapshotClass: { ...backend.snapshotClass }, claim: { ...backend.claim } }
  return {
    path,
    ...origin,
    driver,
    store,
    parameters: { ...parameters },
    ...(credentialsRef && { credentialsRef: { ...credentialsRef } }),
    reclaimPolicy,
    digest,
  }
}

/** Reads `status.backend` of a Snapshot; null if it is absent. */
export function recordedBackendOf(value: JsonValue | undefined): Backend | null {
  const stored = objectOf(value)
  const { path, provider, snapshotClass, claim } = stored
  if (path === 'A') {
    return { path, provider: storedIdentity(provider), ...storedTarget(stored) }
  }
  if (path !== 'B') return null
  return {
    path,
    snapshotClass: storedIdentity(snapshotClass),
    claim: storedIdentity(claim),
    ...storedTarget(stored),
  }
}

function storedTarget(stored: JsonObject): BackendTarget & { readonly digest: string } {
  return {
    driver: textOf(stored['driver']),
    store: textOf(stored['store']),
    parameters: textMapOf(stored['parameters']),
    credentialsRef: secretReferenceOf(stored['credentialsRef']),
    reclaimPolicy: stored['reclaimPolicy'] === 'Retain' ? 'Retain' : 'Delete',
    digest: textOf(stored['digest']),
  }
}

function storedIdentity(value: JsonValue | undefined): ObjectIdentity {
  const { name, uid } = objectOf(value)
  return { name: textOf(name), uid: textOf(uid) }
}
