import type { Backend } from './backend.ts'

/** Why a backend cannot be used: a reason of the condition BackendResolved. */
export type UnresolvedReason =
  | 'ProviderNotFound'
  | 'ClassNotFound'
  | 'ClaimNotFound'
  | 'ClaimNotBound'
  | 'TemplateNotFound'
  | 'DriverNotFound'
  | 'ParametersInvalid'
  | 'NameConflict'
  | 'AmbiguousDefaultClass'
  | 'CredentialsNotFound'

/** There is no backend. The sandbox keeps its state. */
export interface Unresolved {
  readonly unresolved: UnresolvedReason
  /** Names the object and the value. */
  readonly message: string
}

/** A backend, or why there is none. */
export type BackendResolution = { readonly backend: Backend } | Unresolved

/** There is no backend for a reason. */
export function unresolved(reason: UnresolvedReason, message: string): Unresolved {
  return { unresolved: reason, message }
}
