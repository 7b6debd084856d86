import type { SandboxRef } from '../../storage/sandbox-state.ts'

/** A token with which a sandbox uses the API. */
export interface ApiToken {
  readonly token: string
  /** When another one should replace it. */
  readonly renewTime: Date
}

/** A run of a sandbox and the service account that it acts as. */
export interface ApiTokenRequest {
  readonly sandbox: SandboxRef
  readonly instance: string
  readonly account: string
}

/** The tokens of sandboxes. */
export interface ApiTokens {
  /** Why this server gives no sandbox access to the API; null if it does. */
  readonly problem: string | null
  /** A token that is valid while the run lasts. Null if the service account does not exist. */
  issue(request: ApiTokenRequest): Promise<ApiToken | null>
}
