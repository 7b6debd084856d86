import { objectOf, textMapOf, textOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import type { BackendTarget } from './backend.ts'
import { identityOf, type ObjectIdentity } from '../object-identity.ts'
import { type SecretReference, secretReferenceOf } from './secret-reference.ts'

/** A SnapshotProvider. */
export interface SnapshotProvider extends ObjectIdentity {
  readonly isDeleting: boolean
  readonly driver: string
  /** Empty if the provider has no store. */
  readonly store: string
  /** The fields of the store, such as `bucket` or `path`. */
  readonly parameters: Readonly<Record<string, string>>
  readonly credentialsRef: SecretReference | null
}

const STORES = ['s3', 'gcs', 'local']

/** Reads a stored SnapshotProvider, which was validated when it was written. */
export function snapshotProviderOf(object: ApiObject): SnapshotProvider {
  const spec = objectOf(object['spec'])
  const store = STORES.find((name) => spec[name] !== undefined) ?? ''
  const fields = objectOf(spec[store])
  return {
    ...identityOf(object),
    isDeleting: object.metadata.deletionTimestamp !== undefined,
    driver: textOf(spec['providerType']),
    store,
    parameters: textMapOf(fields),
    credentialsRef: secretReferenceOf(fields['credentialsRef']),
  }
}

/** The driver and the store of a provider. */
export function targetOf(provider: SnapshotProvider): BackendTarget {
  const { driver, store, parameters, credentialsRef } = provider
  return {
    driver,
    store,
    parameters: { ...parameters, ...(store !== '' && { store }) },
    credentialsRef,
    reclaimPolicy: 'Delete',
  }
}
