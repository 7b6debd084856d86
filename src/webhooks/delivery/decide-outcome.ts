import type { DeliveryState } from '../../store/model/webhook.ts'

/** The result of sending an event. */
export type Attempt =
  | {
      readonly type: 'response'
      readonly status: number
      /** The pause that the receiver asks for. */
      readonly retryAfterSeconds: number | null
    }
  | { readonly type: 'failure'; readonly error: string }

interface Outcome {
  readonly state: DeliveryState
  /** The time before the next attempt. */
  readonly delaySeconds: number
  readonly statusCode: number | null
  /** '' after a success. */
  readonly error: string
  /** Whether the receiver wants no more events. */
  readonly isGone: boolean
}

/** Between the attempts of different events, so that they do not arrive together. */
const JITTER = 0.2
/** The longest pause that a receiver can ask for. */
const MAX_RETRY_AFTER = 86_400

interface Rules {
  /** Seconds before each further attempt. */
  readonly schedule: readonly number[]
  /** From 0 to 1. */
  readonly random: number
}

/** Decides the state of a delivery after an attempt. `attempts` is the number of attempts, with this one. */
export function decideOutcome(
  attempt: Attempt,
  attempts: number,
  { schedule, random }: Rules,
): Outcome {
  const statusCode = attempt.type === 'response' ? attempt.status : null
  const error = attempt.type === 'response' ? statusProblem(attempt.status) : attempt.error
  if (error === '') {
    return { state: 'delivered', delaySeconds: 0, statusCode, error, isGone: false }
  }
  const isGone = statusCode === 410
  const planned = schedule[attempts - 1]
  // A delivery to a disabled webhook waits until the webhook is active again.
  if (planned === undefined && !isGone) {
    return { state: 'dead', delaySeconds: 0, statusCode, error, isGone }
  }
  const pause = (planned ?? 0) * (1 + JITTER * random)
  const delaySeconds = Math.max(pause, requestedPause(attempt))
  return { state: 'pending', delaySeconds, statusCode, error, isGone }
}

/** The pause in seconds that the receiver asks for; 0 if it does not. */
export function requestedPause(attempt: Attempt): number {
  const seconds = attempt.type === 'response' ? attempt.retryAfterSeconds : null
  return Math.min(seconds ?? 0, MAX_RETRY_AFTER)
}

function statusProblem(status: number): string {
  if (status >= 200 && status < 300) return ''
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`
  return `status ${status}`
}
