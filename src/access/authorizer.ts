import type { Caller } from './principal.ts'

/** The operation that a route performs, in the terms of access rules. */
export interface Access {
  readonly verb:
    | 'get'
    | 'list'
    | 'watch'
    | 'create'
    | 'update'
    | 'patch'
    | 'delete'
    | 'forcedelete'
    | 'report'
  /** The plural of the kind; `*` for resources of any kind; `adapters` for the verb `report`. */
  readonly resource: string
  /** A subresource such as `statuses`; null for the resource itself. */
  readonly subresource: string | null
  /** The ID or name of the resource, or the name of the adapter. Absent for collections. */
  readonly name?: string
  /** The plane whose roles decide; the root plane by default. */
  readonly plane?: string
}

/** The decision about a request, with the reason for a denial. */
export type Decision =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly reason: string }

/** Decides whether a caller may perform an operation. Denials are returned, not thrown. */
export interface Authorizer {
  /**
   * Whether decisions depend on more than the route: the name of the resource, the kinds that a
   * request reads, watches, and adapters. Only then do routes pass and check them.
   */
  readonly isDetailed: boolean
  authorize(caller: Caller, access: Access): Decision | Promise<Decision>
}

const ALLOWED: Decision = { isAllowed: true }

/** Why other requests of system callers are denied. */
export const SYSTEM_WRITE =
  'A system caller can only read and report statuses: send this as a caller of the tenant'

/** The operations of system callers. */
export const SYSTEM_VERBS: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'report'])

/**
 * Allows everything to callers of a tenant. System callers may only read and report statuses,
 * because every other write needs a tenant.
 */
export const tenancyAuthorizer: Authorizer = {
  isDetailed: false,
  authorize: ({ tenancy }, { verb, subresource }) => {
    if (tenancy.type !== 'system' || SYSTEM_VERBS.has(verb)) return ALLOWED
    return subresource === 'statuses' ? ALLOWED : { isAllowed: false, reason: SYSTEM_WRITE }
  },
}
