import type { Caller } from './principal.ts'

/** The operation that a route performs, as access rules name it. */
export interface Access {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'forcedelete'
  /** The plural of the kind; `*` for resources of all kinds. */
  readonly resource: string
  /** `statuses`, for example; null for the resource itself. */
  readonly subresource: string | null
}

/** The decision about a request; a denial says why. */
export type Decision =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly reason: string }

/** Decides whether a caller may perform an operation. Must not throw because of a denial. */
export interface Authorizer {
  authorize(caller: Caller, access: Access): Decision | Promise<Decision>
}

const ALLOWED: Decision = { isAllowed: true }

const SYSTEM_WRITE: Decision = {
  isAllowed: false,
  reason: 'A system caller reads and reports statuses: send this as a caller of the tenant',
}

/**
 * Allows everything, except that callers who work for all tenants only read and report statuses:
 * every other write needs a tenant.
 */
export const tenancyAuthorizer: Authorizer = {
  authorize: ({ tenancy }, { verb, subresource }) => {
    if (tenancy.type !== 'system' || verb === 'get' || verb === 'list') return ALLOWED
    return subresource === 'statuses' ? ALLOWED : SYSTEM_WRITE
  },
}
