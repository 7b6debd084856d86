import type { FlotillaError } from '../../../lib/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { badRequest, versionExpired } from '../../errors/failures.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { ReadOptions } from '../../model/object-operations.ts'

const MATCHES: ReadonlySet<string> = new Set(['', 'Exact', 'NotOlderThan'])
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
  if (!MATCHES.has(resourceVersionMatch)) {
    throw badRequest(
      `resourceVersionMatch: Unsupported value: "${resourceVersionMatch.slice(0, 64)}": supported values: "Exact", "NotOlderThan"`,
    )
  }
  if (resourceVersionMatch !== '' && resourceVersion === '') {
    throw badRequest(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    )
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    throw badRequest(
      'resourceVersionMatch: Forbidden: resourceVersionMatch "Exact" is forbidden for resourceVersion "0"',
    )
  }
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
