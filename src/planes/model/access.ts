import type { UserInfo } from './user-info.ts'

/** An operation that needs authorization. */
export interface AccessAttributes {
  readonly plane: string
  readonly user: UserInfo
  /** `get`, `list`, `watch`, `create`, ...; for paths the method in lower case. */
  readonly verb: string
  /** Null if the request is for a path such as `/version`. */
  readonly resource: {
    readonly group: string
    readonly version: string
    readonly plural: string
    /** Empty for the resource itself. */
    readonly subresource: string
    /** Empty for cluster-scoped resources and for all namespaces. */
    readonly namespace: string
    /** Empty for collections. */
    readonly name: string
  } | null
  readonly path: string
}

export interface AccessDecision {
  readonly allowed: boolean
  /** For messages and reviews; may be empty. */
  readonly reason: string
}

/** Decides whether users may perform operations in a plane. */
export interface PlaneAuthorizer {
  authorize(attributes: AccessAttributes): Promise<AccessDecision>
}
