import type { ResourceCondition } from '../model/condition.ts'

interface Verdict {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
  readonly observed_generation: number
}

/** The condition with a new verdict: its transition time moves to `now` only where the status flips. */
export function restate(
  previous: ResourceCondition,
  verdict: Verdict,
  now: Date,
): ResourceCondition {
  const flips = previous.status !== verdict.status
  return {
    ...previous,
    ...verdict,
    last_transition_time: flips ? now.toISOString() : previous.last_transition_time,
  }
}
