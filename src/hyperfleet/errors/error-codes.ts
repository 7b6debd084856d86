import type { Reason } from '../../lib/errors.ts'

export interface CodeDefinition {
  readonly status: number
  readonly title: string
  /** The last segment of the problem's `type` URI. */
  readonly type: string
  /** The level of the log line for a failure with this code. */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly doc: string
  /** The title and type of problems with this code and another status. */
  readonly variants?: Readonly<Record<number, { readonly title: string; readonly type: string }>>
}

/** Every error code of the HyperFleet API; docs/errors.md is generated from this table. */
export const ERROR_CODES = {
  'VAL-000': {
    status: 400,
    title: 'Validation Failed',
    type: 'validation-error',
    level: 'debug',
    doc: 'A field of the body or a parameter is invalid. `errors[]` lists the violations of the request with their paths, at most 100. Status 422: an `Idempotency-Key` was reused with another body, or a kind with a parent was posted to `/resources`.',
  },
  'VAL-005': {
    status: 400,
    title: 'Invalid Search Or Order',
    type: 'validation-error',
    level: 'debug',
    doc: '`search` has a syntax error, or an unknown field or operator. `errors[0]` contains the `position` and `length` of the error in the text as sent. Also returned if `orderBy` or `order` contains an unknown field, or if both are lists.',
  },
  'VAL-006': {
    status: 400,
    title: 'Malformed Request',
    type: 'malformed-request',
    level: 'debug',
    doc: 'The body is missing or not a JSON object (400), has a Content-Type other than JSON (415), or is too large (413). The URL or the headers are too long (431).',
  },
  'AUT-001': {
    status: 401,
    title: 'Authentication Required',
    type: 'authentication-error',
    level: 'info',
    doc: 'The request lacks an `Authorization: Bearer` token, or the identity header of the gateway is invalid.',
  },
  'AUT-002': {
    status: 401,
    title: 'Invalid Token',
    type: 'authentication-error',
    level: 'info',
    doc: 'The token is malformed, has an unknown key or an unsupported algorithm, is not valid yet, or has another issuer or audience.',
  },
  'AUT-003': {
    status: 401,
    title: 'Token Expired',
    type: 'authentication-error',
    level: 'info',
    doc: 'The token expired more than 30 seconds ago.',
  },
  'AUZ-001': {
    status: 403,
    title: 'Not Allowed',
    type: 'authorization-error',
    level: 'info',
    variants: { 421: { title: 'Misdirected Request', type: 'misdirected-request' } },
    doc: 'The caller is authenticated but lacks permission. On a server with tenancy, the request lacks a tenant, or a system caller sent a write that requires one. A page of another origin sent a write: see [Browsers](authentication.md#browsers). Status 421: a server without authentication does not serve the name in `Host`: add it to `ALLOWED_HOSTS`.',
  },
  'NTF-000': {
    status: 404,
    title: 'No Such Route',
    type: 'not-found',
    level: 'debug',
    variants: { 405: { title: 'Method Not Allowed', type: 'method-not-allowed' } },
    doc: 'The path does not exist (404), or it does not support the method (405, with `Allow`).',
  },
  'NTF-001': {
    status: 404,
    title: 'Resource Not Found',
    type: 'not-found',
    level: 'debug',
    doc: 'The resource or its parent in the path does not exist.',
  },
  'CNF-001': {
    status: 409,
    title: 'Resource Already Exists',
    type: 'conflict',
    level: 'debug',
    doc: 'A live resource of this kind and parent has the same name.',
  },
  'CNF-002': {
    status: 409,
    title: 'Version Conflict',
    type: 'conflict',
    level: 'info',
    doc: 'The version of the resource does not match `If-Match` (412), or the resource kept changing while the server retried the write (409). Read the resource and compute the change again.',
  },
  'CNF-003': {
    status: 409,
    title: 'State Conflict',
    type: 'conflict',
    level: 'debug',
    doc: 'The state of the resource does not allow the request. Examples: the resource is being deleted, or is not being deleted for a force-delete; children or references prevent its deletion; a JSON Patch does not apply to it; it already has reports of 100 adapters, the maximum.',
  },
  'CNF-004': {
    status: 410,
    title: 'Resource Version Expired',
    type: 'expired',
    level: 'debug',
    doc: 'The resource version is older than the change log, or the database has been restored since. List again and watch from the new resource version.',
  },
  'LMT-001': {
    status: 429,
    title: 'Too Many Requests',
    type: 'rate-limit',
    level: 'warn',
    doc: 'A search exceeded the statement timeout or the search concurrency, the server has the maximum number of open watches or of adapters that wait for work, or the caller exceeded a rate limit. Wait for `Retry-After`, or narrow the search: equality of a label, name or condition uses an index.',
  },
  'LMT-002': {
    status: 403,
    title: 'Limit Of The Tenant Reached',
    type: 'tenant-limit',
    level: 'info',
    doc: 'The tenant has as many resources or open watches as the server allows a tenant: see [Limits of tenants](tenancy.md#limits-of-tenants). `detail` names the limit. Delete resources, or ask the operator to raise the limit.',
  },
  'INT-001': {
    status: 500,
    title: 'Internal Error',
    type: 'internal-error',
    level: 'error',
    doc: 'A defect of the server. The log line with the same `trace_id` has the details. The response never contains messages of the database.',
  },
  'SVC-001': {
    status: 503,
    title: 'Service Unavailable',
    type: 'service-unavailable',
    level: 'warn',
    doc: 'The database or the key set is unreachable, or the server is shutting down. The request was not acknowledged. Retry after `Retry-After`.',
  },
  'SVC-002': {
    status: 504,
    title: 'Not Reached In Time',
    type: 'timeout',
    level: 'info',
    doc: 'The server did not reach the requested resource version, or did not load the resources of a snapshot, in time. Try again.',
  },
} as const satisfies Record<string, CodeDefinition>

/** A code without its `HYPERFLEET-` prefix. */
export type ErrorCode = keyof typeof ERROR_CODES

/** The code of each reason, and the HTTP status if it is not the code's own. */
export const CODES_OF_REASONS: Readonly<
  Record<Reason, { readonly code: ErrorCode; readonly status?: number }>
> = {
  invalid: { code: 'VAL-000' },
  unprocessable: { code: 'VAL-000', status: 422 },
  'invalid-search': { code: 'VAL-005' },
  malformed: { code: 'VAL-006' },
  'request-timeout': { code: 'VAL-006', status: 408 },
  'too-large': { code: 'VAL-006', status: 413 },
  'unsupported-media-type': { code: 'VAL-006', status: 415 },
  'expectation-failed': { code: 'VAL-006', status: 417 },
  'headers-too-large': { code: 'VAL-006', status: 431 },
  unauthenticated: { code: 'AUT-001' },
  'invalid-token': { code: 'AUT-002' },
  'token-expired': { code: 'AUT-003' },
  forbidden: { code: 'AUZ-001' },
  'limit-reached': { code: 'LMT-002' },
  misdirected: { code: 'AUZ-001', status: 421 },
  'no-route': { code: 'NTF-000' },
  'method-not-allowed': { code: 'NTF-000', status: 405 },
  'not-found': { code: 'NTF-001' },
  'already-exists': { code: 'CNF-001' },
  conflict: { code: 'CNF-002' },
  'precondition-failed': { code: 'CNF-002', status: 412 },
  'state-conflict': { code: 'CNF-003' },
  expired: { code: 'CNF-004' },
  'too-many-requests': { code: 'LMT-001' },
  internal: { code: 'INT-001' },
  unavailable: { code: 'SVC-001' },
  timeout: { code: 'SVC-002' },
}

/** The code as it appears in responses and the log. */
export function publicCode(code: ErrorCode): string {
  return `HYPERFLEET-${code}`
}
