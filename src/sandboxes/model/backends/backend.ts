import { createHash } from 'node:crypto'
import { canonicalText } from 'flotilla/planes'
import type { ObjectIdentity } from '../object-identity.ts'
import type { SecretReference } from './secret-reference.ts'

/** The treatment of the data of a deleted snapshot. */
export type ReclaimPolicy = 'Delete' | 'Retain'

/** The driver and the store of a snapshot. */
export interface BackendTarget {
  readonly driver: string
  /** `local`, `s3`, `gcs`, or empty if the driver has its own store. */
  readonly store: string
  /** Never contains credentials. */
  readonly parameters: Readonly<Record<string, string>>
  readonly credentialsRef: SecretReference | null
  readonly reclaimPolicy: ReclaimPolicy
}

/** The store and the driver of a snapshot. The two paths never mix. */
export type Backend = BackendTarget & { readonly digest: string } & (
    | { readonly path: 'A'; readonly provider: ObjectIdentity }
    | {
        readonly path: 'B'
        readonly snapshotClass: ObjectIdentity
        readonly claim: ObjectIdentity
      }
  )

/** A digest of the parts that decide where the data of a snapshot is. */
export function backendDigest(path: Backend['path'], target: BackendTarget): string {
  const { driver, store, parameters, credentialsRef } = target
  const credentials = credentialsRef && { ...credentialsRef }
  const content = { path, driver, store, parameters: { ...parameters }, credentials }
  return createHash('sha256').update(canonicalText(content)).digest('hex')
}
