import { badRequest } from '../errors/failures.ts'

/** A condition of a status for which a request waits. */
export interface AwaitedCondition {
  readonly type: string
  readonly status: string
}

/** A condition and how long a request waits for it. */
export interface WaitOptions {
  readonly condition: AwaitedCondition
  readonly timeoutMs: number
}

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_TIMEOUT_MS = 600_000
const CONDITION = /^([A-Za-z][A-Za-z0-9._/-]{0,315})(?:=(True|False|Unknown))?$/i
const DURATION = /^(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9})ms)?$/

/** The condition and timeout of a query. 400 if they are malformed. */
export function waitOptionsOf(query: URLSearchParams): WaitOptions {
  const condition = parseCondition(query.get('wait') ?? '')
  return { condition, timeoutMs: parseTimeout(query.get('timeout') ?? '') }
}

/** `Suspended=True`, or `Ready` for `Ready=True`. 400 for other texts. */
export function parseCondition(text: string): AwaitedCondition {
  const [, type, status = 'True'] = CONDITION.exec(text) ?? []
  if (type !== undefined) return { type, status }
  throw badRequest(
    `wait must be a condition such as Ready=True with the status True, False or Unknown, not "${text.slice(0, 64)}"`,
  )
}

/** Milliseconds of a duration such as `30s`; 30 s if it is empty. 400 if it is not one. */
export function parseTimeout(text: string): number {
  if (text === '') return DEFAULT_TIMEOUT_MS
  const [, hours = '0', minutes = '0', seconds = '0', ms = '0'] = DURATION.exec(text) ?? []
  const given = DURATION.test(text)
    ? Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(ms)
    : Number.NaN
  if (given >= 0 && given <= MAX_TIMEOUT_MS) return given
  throw badRequest(
    `timeout must be a duration of at most 10m such as 30s or 500ms, not "${text.slice(0, 64)}"`,
  )
}
