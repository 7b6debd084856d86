import type { Caller } from './principal.ts'

/** The operation that a route performs, in the terms of access rules. */
export interface Access {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'forcedelete'
  /** The plural of the kind; `*` for resources of all kinds. */
  readonly resource: string
  /** A subresource such as `statuses`; null for the resource itself. */
  readonly subresource: string | null
}

/** The decision about a request, with the reason for a denial. */
export type Decision =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly reason: string }

/** Decides whether a caller may perform an operation. Denials are returned, not thrown. */
export interface Authorizer {
  authorize(caller: Caller, access: Access): Decision | Promise<Decision>
}

const ALLOWED: Decision = { isAllowed: true }

const SYSTEM_WRITE: Decision = {
  isAllowed: false,
  reason: 'A system caller can only read and report statuses: send this as a caller of the tenant',
}

/**
 * Allows everything to callers of a tenant. System callers may only read and report statuses,
 * because every other write needs a tenant.
 */
export const tenancyAuthorizer: Authorizer = {
  authorize: ({ tenancy }, { verb, subresource }) => {
    if (tenancy.type !== 'system' || verb === 'get' || verb === 'list') return ALLOWED
    return subresource === 'statuses' ? ALLOWED : SYSTEM_WRITE
  },
}
