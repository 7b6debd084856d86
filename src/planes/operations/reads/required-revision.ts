import type { ObjectPage, ObjectQuery } from '../../../store/objects/model/object-query.ts'
import type { Wait } from '../../../lib/async/wait.ts'
import { FlotillaError } from '../../../lib/errors.ts'
import { badRequest, objectInvalid, versionExpired } from '../../errors/failures.ts'
import { forbiddenValue, unsupportedValue } from '../../errors/field-errors.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { ReadOptions } from '../../model/object-operations.ts'
import type { ResourceStore } from '../../model/resource-store.ts'

const MATCHES = ['', 'Exact', 'NotOlderThan']
const IGNORE_CHANGES = {
  onChanges: () => undefined,
  onLost: () => undefined,
  ready: () => Promise.resolve(),
}
const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' }

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

/** The revision that a read requires. */
export interface RevisionOptions extends ReadOptions {
  /** How the request waits for it. Undefined: it holds no seats. */
  readonly wait: Wait | undefined
}

/**
 * Lists when the plane has reached the required revision. Rejects with 504 if that takes too long,
 * and with 410 if the match is Exact and the plane has moved on.
 */
export async function listAtRevision(
  store: Pick<ResourceStore, 'list' | 'follow'>,
  query: ObjectQuery,
  options: RevisionOptions,
): Promise<ObjectPage> {
  checkVersionMatch(options)
  const required = parseRevision(options.resourceVersion)
  let page = await store.list(query)
  if (page.revision < required) {
    const reached = () => waitForRevision(store, query, required)
    await (options.wait?.(reached) ?? reached())
    page = await store.list(query)
  }
  if (page.revision < required) throw tooLarge(required, page.revision)
  if (options.resourceVersionMatch === 'Exact' && page.revision > required) throw versionExpired()
  return page
}

/** A subscription starts when the plane has reached its revision. */
async function waitForRevision(
  store: Pick<ResourceStore, 'follow'>,
  { plane, resource }: ObjectQuery,
  revision: bigint,
): Promise<void> {
  try {
    const subscription = await store.follow({ plane, resource }, revision, IGNORE_CHANGES)
    subscription[Symbol.dispose]()
  } catch (error) {
    const hasEnded = error instanceof FlotillaError && ['timeout', 'expired'].includes(error.reason)
    if (!hasEnded) throw error
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
