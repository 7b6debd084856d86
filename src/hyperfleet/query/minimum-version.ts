import type { Request, Response } from 'express'
import { waitOf } from '../../http/fairness/admission.ts'
import { invalid, type Violation } from '../../lib/errors.ts'
import { parseResourceVersion } from '../../store/feed/resource-version.ts'
import { parseWriteToken } from '../../store/feed/write-token.ts'
import type { Context } from '../../store/operations/context.ts'
import {
  type MinimumVersion,
  waitForVersion,
} from '../../store/operations/read/wait-for-version.ts'

/** The version in `minResourceVersion`; null if it is absent. */
export function minimumVersionOf(
  value: string | null,
  violations: Violation[],
): MinimumVersion | null {
  if (value === null || value === 'latest') return value
  const token = parseResourceVersion(value) ?? parseWriteToken(value)
  if (token) return token
  const message = `minResourceVersion: '${value}' is neither a resource version, such as 1f0c3a9e.42, nor the X-Write-Token of a write, nor latest`
  violations.push({ field: 'minResourceVersion', message, constraint: 'format', value })
  return null
}

/** The `minResourceVersion` of a list; null if the request has none. */
export function minimumVersionOfRequest({ query }: Request): MinimumVersion | null {
  const { minResourceVersion: value } = query
  if (typeof value !== 'string') return null
  const violations: Violation[] = []
  const least = minimumVersionOf(value, violations)
  if (violations.length > 0) throw invalid(violations)
  return least
}

/** Waits until this server has reached the `minResourceVersion` of a list, if the request has one. */
export async function waitForMinimumVersion(
  operations: Pick<Context, 'feed'>,
  response: Response,
): Promise<void> {
  const least = minimumVersionOfRequest(response.req)
  if (least) await waitForVersion(operations, least, waitOf(response))
}
