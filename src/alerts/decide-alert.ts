import type { ReportedCondition } from '../hyperfleet/statuses/model/report.ts'
import { isJsonObject, type JsonObject } from '../lib/json/json.ts'

/** When a view alerts. */
export interface AlertRule {
  /** The number of matching resources that is still accepted. */
  readonly moreThan: number
  /** How long more resources must match. */
  readonly forMinutes: number
}

/** The rule in the spec of a view; null without one. */
export function alertRuleOf({ alert }: JsonObject): AlertRule | null {
  if (!isJsonObject(alert)) return null
  const { more_than: moreThan, for_minutes: forMinutes } = alert
  if (typeof moreThan !== 'number') return null
  return { moreThan, forMinutes: typeof forMinutes === 'number' ? forMinutes : 0 }
}

/** The result of a count. */
export interface Counted {
  readonly count: number
  readonly now: Date
  /** Since when more resources match, by the last evaluation; null if they did not. */
  readonly overSince: Date | null
}

/** The state of an alert, which its texts leave unchanged while the state lasts. */
interface AlertState {
  readonly condition: ReportedCondition
  readonly overSince: Date | null
}

const MINUTE_MS = 60_000

/** Decides whether an alert fires. */
export function decideAlert(
  { moreThan, forMinutes }: AlertRule,
  { count, now, overSince }: Counted,
): AlertState {
  const type = 'Firing'
  if (count <= moreThan) {
    const message = `At most ${moreThan} resources match`
    return { condition: { type, status: 'False', reason: 'WithinLimit', message }, overSince: null }
  }
  const since = overSince ?? now
  const over = `More than ${moreThan} resources match`
  if (now.getTime() - since.getTime() < forMinutes * MINUTE_MS) {
    const message = `${over}, but not for ${minutes(forMinutes)} yet`
    return { condition: { type, status: 'False', reason: 'Pending', message }, overSince: since }
  }
  const message = forMinutes === 0 ? over : `${over}, for ${minutes(forMinutes)} or longer`
  return { condition: { type, status: 'True', reason: 'LimitExceeded', message }, overSince: since }
}

function minutes(count: number): string {
  return count === 1 ? '1 minute' : `${count} minutes`
}
