import type { FlotillaError } from '../../../lib/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { badRequest, objectInvalid, versionExpired } from '../../errors/failures.ts'
import { forbiddenValue, unsupportedValue } from '../../errors/field-errors.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { ReadOptions } from '../../model/object-operations.ts'

const MATCHES = ['', 'Exact', 'NotOlderThan']
const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' }
const WAIT_MS = 3000
const POLL_MS = 50

/** The revision of a resource version; 0 if it is empty. Throws 400 if it is not a number. */
export function parseRevision(text: string | undefined): bigint {
  if (text === undefined || text === '') return 0n
  if (/^\d{1,19}$/.test(text)) return BigInt(text)
  throw badRequest(`Invalid value: "${text.slice(0, 64)}": resourceVersion must be an integer`)
}

/** Rejects combinations of the options that Kubernetes rejects. */
export function checkVersionMatch({
  resourceVersion = '',
  resourceVersionMatch = '',
}: ReadOptions) {
  const field = 'resourceVersionMatch'
  const errors: FieldError[] = []
  if (!MATCHES.includes(resourceVersionMatch)) {
    errors.push(unsupportedValue(field, resourceVersionMatch, ['Exact', 'NotOlderThan', '']))
  }
  if (resourceVersionMatch !== '' && resourceVersion === '') {
    errors.push(forbiddenValue(field, `${field} is forbidden unless resourceVersion is provided`))
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    errors.push(forbiddenValue(field, `${field} "exact" is forbidden for resourceVersion "0"`))
  }
  if (errors.length > 0) throw objectInvalid(LIST_OPTIONS, '', errors)
}

/**
 * Reads until the plane has reached the required revision, for 3 s at most. Rejects with 504 after
 * that, and with 410 if the match is Exact and the plane has moved on.
 */
export async function readAtRevision<Result extends { readonly revision: bigint }>(
  options: ReadOptions,
  read: () => Promise<Result>,
): Promise<Result> {
  checkVersionMatch(options)
  const required = parseRevision(options.resourceVersion)
  const until = performance.now() + WAIT_MS
  for (;;) {
    const result = await read()
    if (options.resourceVersionMatch === 'Exact' && result.revision > required) {
      throw versionExpired()
    }
    if (result.revision >= required) return result
    if (performance.now() >= until) throw tooLarge(required, result.revision)
    await sleep(POLL_MS)
  }
}

/** 504: the resource version is newer than the plane. */
export function tooLarge(required: bigint, current: bigint): FlotillaError {
  const message = `Timeout: Too large resource version: ${required}, current: ${current}`
  return new KubeError('timeout', message, {
    code: 504,
    statusReason: 'Timeout',
    details: {
      retryAfterSeconds: 1,
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    },
  })
}
