import { type JsonValue, objectOf, textOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { referenceOf } from '../../model/suspension-strategy.ts'
import { templateClaimName } from '../snapshot-claims/template-claim.ts'

/** The backend objects that a sandbox or a snapshot needs, by name; empty if it needs none. */
export interface BackendReferences {
  readonly provider: string
  readonly snapshotClass: string
  readonly claim: string
}

/** The references of a sandbox's strategy. The class follows from the claim. */
export function sandboxReferences(sandbox: ApiObject): BackendReferences {
  const strategy = objectOf(objectOf(sandbox['spec'])['suspensionStrategy'])
  if (strategy['type'] !== 'Hibernate') return { provider: '', snapshotClass: '', claim: '' }
  const { type, name } = referenceOf(strategy['hibernate'])
  if (type === 'provider') return { provider: name, snapshotClass: '', claim: '' }
  const claim = type === 'template' ? templateClaimName(sandbox, name) : name
  return { provider: '', snapshotClass: '', claim }
}

/** The references of a snapshot: the backend that it recorded. */
export function snapshotReferences(snapshot: ApiObject): BackendReferences {
  const backend = objectOf(objectOf(snapshot['status'])['backend'])
  return {
    provider: nameOf(backend['provider']),
    snapshotClass: nameOf(backend['snapshotClass']),
    claim: nameOf(backend['claim']),
  }
}

function nameOf(value: JsonValue | undefined): string {
  return textOf(objectOf(value)['name'])
}
