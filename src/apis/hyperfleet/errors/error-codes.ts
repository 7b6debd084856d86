import type { Reason } from '../../../lib/errors.ts'

export interface CodeDefinition {
  readonly status: number
  readonly title: string
  /** Last segment of the problem's `type` URI. */
  readonly type: string
  /** Level of the log line that a failure with this code causes. */
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly doc: string
  /** Title and type of problems with this code and another status. */
  readonly variants?: Readonly<Record<number, { readonly title: string; readonly type: string }>>
}

/** Every error code of the HyperFleet API; docs/errors.md is generated from this table. */
export const ERROR_CODES = {
  'VAL-000': {
    status: 400,
    title: 'Validation Failed',
    type: 'validation-error',
    level: 'debug',
    doc: 'A member of the body or a parameter breaks a rule. `errors[]` lists every violation of the request with its path, 100 at most. Or an `Idempotency-Key` was used with another body (422).',
  },
  'VAL-005': {
    status: 400,
    title: 'Invalid Search Or Order',
    type: 'validation-error',
    level: 'debug',
    doc: '`search` does not parse or uses a field or operator that is not there; `errors[0]` carries `position` and `length` in the text as sent. Or `orderBy` or `order` names an unknown field, or both are lists.',
  },
  'VAL-006': {
    status: 400,
    title: 'Malformed Request',
    type: 'malformed-request',
    level: 'debug',
    doc: 'The body is missing or not a JSON object (400), not JSON by its Content-Type (415), or over the limit (413). The URL or headers are over the limit (431).',
  },
  'AUT-001': {
    status: 401,
    title: 'Authentication Required',
    type: 'authentication-error',
    level: 'info',
    doc: 'The request carries no `Authorization: Bearer` token, or an identity header of the gateway that cannot be used.',
  },
  'AUT-002': {
    status: 401,
    title: 'Invalid Token',
    type: 'authentication-error',
    level: 'info',
    doc: 'The token is malformed, signed by an unknown key or with a refused algorithm, not yet valid, or for another issuer or audience.',
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
    doc: 'The caller is known and may not do this. On a server with tenancy: the request has no tenant, or a system caller sends a write that needs one.',
  },
  'NTF-000': {
    status: 404,
    title: 'No Such Route',
    type: 'not-found',
    level: 'debug',
    variants: { 405: { title: 'Method Not Allowed', type: 'method-not-allowed' } },
    doc: 'No route has this path (404), or the route does not have this method (405, with `Allow`).',
  },
  'NTF-001': {
    status: 404,
    title: 'Resource Not Found',
    type: 'not-found',
    level: 'debug',
    doc: 'The resource, or the parent that the path names, does not exist.',
  },
  'CNF-001': {
    status: 409,
    title: 'Resource Already Exists',
    type: 'conflict',
    level: 'debug',
    doc: 'The name is taken by a live resource of this kind (and parent).',
  },
  'CNF-002': {
    status: 409,
    title: 'Version Conflict',
    type: 'conflict',
    level: 'info',
    doc: 'The resource is not at the version that `If-Match` names (412), or kept changing while the server retried the write (409). Read it again and decide anew.',
  },
  'CNF-003': {
    status: 409,
    title: 'State Conflict',
    type: 'conflict',
    level: 'debug',
    doc: "The resource's state does not allow this: it is being deleted, or (force-delete) is not; children or references stand in the way of its deletion; a JSON Patch does not fit it; or it has reports of 100 adapters, which is the most it takes.",
  },
  'CNF-004': {
    status: 410,
    title: 'Resource Version Expired',
    type: 'expired',
    level: 'debug',
    doc: 'The resource version to watch from is older than the log of changes, or of a database that has been restored since. List again, and watch from there.',
  },
  'LMT-001': {
    status: 429,
    title: 'Too Many Requests',
    type: 'rate-limit',
    level: 'warn',
    doc: 'A search ran over the statement timeout or found all search slots busy. Wait as `Retry-After` says, or narrow the search: an equality on a label, name or condition is served by an index. Or the server has as many watches open as it takes.',
  },
  'INT-001': {
    status: 500,
    title: 'Internal Error',
    type: 'internal-error',
    level: 'error',
    doc: 'A defect of the server. The log line with the same `trace_id` says more; the answer never carries database text.',
  },
  'SVC-001': {
    status: 503,
    title: 'Service Unavailable',
    type: 'service-unavailable',
    level: 'warn',
    doc: 'The database or the key set of the tokens cannot be reached, or the server is shutting down. Nothing was acknowledged; try again as `Retry-After` says.',
  },
  'SVC-002': {
    status: 504,
    title: 'Not Reached In Time',
    type: 'timeout',
    level: 'info',
    doc: 'This server has not seen the resource version that the request asks for in time, or not read what a snapshot is of. Try again.',
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

/** The code as clients and the log see it. */
export function publicCode(code: ErrorCode): string {
  return `HYPERFLEET-${code}`
}
